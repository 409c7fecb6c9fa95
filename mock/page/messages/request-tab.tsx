import { useEffect, useState } from 'preact/hooks';
import { CodeBlock } from '../code.tsx';
import { CopyButton } from '../copy.tsx';
import { placeOf } from '../location.ts';
import { CurlButton, Sides } from '../requests/detail.tsx';
import { curlOf, type RequestEntry, type RequestPage } from '../requests/entry.ts';
import { useWorkspace } from '../workspace.ts';
import type { Message } from './message.ts';

/** The request a message came from: out of the journal, or put together again where the journal has dropped it. */
export const RequestTab = ({ message }: { readonly message: Message }) => {
  const { api } = useWorkspace();
  const [entry, setEntry] = useState<RequestEntry | null>();
  useEffect(() => {
    const stop = new AbortController();
    findRequest(message, <T,>(path: string) => api.get<T>(path, stop.signal)).then(setEntry, () => {
      if (!stop.signal.aborted) setEntry(null);
    });
    return () => stop.abort();
  }, [api, message]);
  if (entry === undefined) return <p class="hint">Looking into the journal…</p>;
  if (entry === null) return <Rebuilt message={message} />;
  return (
    <>
      <p class="request-note">
        <a href={placeOf('requests', entry.id)}>{entry.id}</a>
        <CurlButton entry={entry} />
      </p>
      <Sides entry={entry} />
    </>
  );
};

const contentOf = ({ operation, ...message }: Message & { readonly operation?: string }): object => {
  const { to, from, subject, html, template_id, variables } = message;
  const given =
    operation === 'sendTemplateEmail' || template_id !== null ? { template_id, variables } : { html };
  const all = { to, from, subject, ...given };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
};

const mostLookedAt = 200;
const mostRead = 8;

/** The journal does not name messages: of the requests of that time, the one that says the same. */
const findRequest = async (
  message: Message,
  get: <T>(path: string) => Promise<T>,
): Promise<RequestEntry | null> => {
  const operation = message.template_id === null ? 'sendEmail' : 'sendTemplateEmail';
  const { requests } = await get<RequestPage>(`/requests?operation=${operation}&limit=${mostLookedAt}`);
  const time = Date.parse(message.created_at);
  const near = requests
    .map((request) => ({ request, apart: Math.abs(Date.parse(request.created_at) - time) }))
    .filter(({ request, apart }) => apart <= request.duration_ms + 1000)
    .sort((a, b) => a.apart - b.apart)
    .slice(0, mostRead);
  for (const { request } of near) {
    const entry = await get<RequestEntry>(`/requests/${request.id}`);
    if (saysTheSame(entry, message)) return entry;
  }
  return null;
};

const saysTheSame = ({ request }: RequestEntry, message: Message): boolean => {
  try {
    const body = JSON.parse(request.body ?? '') as Record<string, unknown>;
    return Object.entries(contentOf(message)).every(
      ([name, value]) => JSON.stringify(body[name]) === JSON.stringify(value),
    );
  } catch {
    return false;
  }
};

const Rebuilt = ({ message }: { readonly message: Message }) => {
  const { api } = useWorkspace();
  const path = message.template_id === null ? '/api/v1/email/send' : '/api/v1/email/send-template';
  const body = JSON.stringify(contentOf(message), null, 2);
  const asked = { method: 'POST', path, type: 'application/json', body };
  return (
    <>
      <p class="request-note">
        <span class="hint">
          The journal does not hold the request any more. This is one that sends the same message.
        </span>
        <CopyButton text={curlOf(asked, api.key)} what="a request as curl" label="curl" />
      </p>
      <CodeBlock text={body} what="request" language="json" />
    </>
  );
};
