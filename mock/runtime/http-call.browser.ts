import type * as node from './http-call.ts';

// The original `fetch` of the browser: a library that intercepts requests may replace the global one later.
const { fetch } = globalThis;

/** Replaces `http-call.ts` in the builds for browsers. The mock must allow the origin of the page. */
export const httpCall: typeof node.httpCall = async (url, { method, headers, body }) => {
  const reply = await fetch(url, { method, headers, body: body ?? null }).catch((cause) => {
    // A browser does not tell whether no mock responds or the mock does not allow the page.
    const { location } = globalThis as { location?: { origin: string } };
    throw new Error(
      `${(cause as Error).message}; is it running, and with --allowed-origin ${location?.origin}?`,
      { cause },
    );
  });
  return { status: reply.status, text: await reply.text() };
};
