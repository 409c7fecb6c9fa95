import { lazily } from '../../runtime/json-parts.ts';
import type { JournalEntry, Side } from '../../workspace/journal-entry.ts';
import type { AdminRequest } from '../route.ts';

const pairs = (headers: Side['headers']) => Object.entries(headers).map(([name, value]) => ({ name, value }));

/** The content of a body. A cut body is left out, because HAR cannot mark it as incomplete. */
const contentOf = ({ body, body_cut: isCut, headers }: Side) => {
  const mimeType = headers['content-type'] ?? '';
  if (body === null) return { size: 0, mimeType };
  return isCut ? { size: -1, mimeType } : { size: Buffer.byteLength(body), mimeType, text: body };
};

const parametersOf = (path: string) =>
  [...new URLSearchParams(path.split('?', 2)[1])].map(([name, value]) => ({ name, value }));

const entryOf = (
  base: string,
  { method, path, status, created_at: at, duration_ms: ms, ...sides }: JournalEntry,
) => {
  const { size, text, mimeType } = contentOf(sides.request);
  return {
    startedDateTime: at,
    time: ms,
    request: {
      method,
      url: base + path,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(sides.request.headers),
      queryString: parametersOf(path),
      headersSize: -1,
      bodySize: size,
      ...(text === undefined ? {} : { postData: { mimeType, text } }),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(sides.response.headers),
      content: contentOf(sides.response),
      redirectURL: sides.response.headers.location ?? '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
  };
};

/** The journal in HAR 1.2 format, oldest request first; keys are redacted. */
export const harOf = ({ workspace: { journal }, headers, context }: AdminRequest): object => {
  const base = `${context.tls ? 'https' : 'http'}://${headers.host ?? 'localhost'}`;
  const entries = lazily(journal.each(), (entry) => entryOf(base, entry));
  return { log: { version: '1.2', creator: { name: 'email-leads mock', version: '1' }, entries } };
};
