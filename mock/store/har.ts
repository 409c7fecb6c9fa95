// Recordings of requests in the format HAR 1.2, which `email-leads check` and browsers read.

/** The request or the response of an exchange, without keys. */
type Side = {
  readonly headers: Readonly<Record<string, string>>;
  /** Empty without a body; `undefined` if it is not known as a whole. */
  readonly body: string | undefined;
};

type Exchange = {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** When the request came, in ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly request: Side;
  readonly response: Side;
};

const pairs = (headers: Side['headers']) => Object.entries(headers).map(([name, value]) => ({ name, value }));

/** A size of -1 is an unknown one. HAR cannot mark a body as incomplete. */
const contentOf = ({ body, headers }: Side) => ({
  size: body === undefined ? -1 : Buffer.byteLength(body),
  mimeType: headers['content-type'] ?? '',
  text: body,
});

export const harEntry = ({ method, url, status, startedAt, durationMs, request, response }: Exchange) => {
  const http = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  const { size, mimeType, text } = contentOf(request);
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: {
      method,
      url,
      ...http,
      headers: pairs(request.headers),
      queryString: [...new URLSearchParams(url.split('?', 2)[1])].map(([name, value]) => ({ name, value })),
      bodySize: size,
      ...(text ? { postData: { mimeType, text } } : {}),
    },
    response: {
      status,
      statusText: '',
      ...http,
      headers: pairs(response.headers),
      content: contentOf(response),
      redirectURL: response.headers.location ?? '',
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  };
};

/** @param more members of one's own, whose names begin with an underscore */
export const har = (creator: string, version: string, entries: readonly object[], more: object = {}) => ({
  log: { version: '1.2', creator: { name: creator, version }, ...more, entries },
});
