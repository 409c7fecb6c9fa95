import { rewrite } from '../server/mutation.ts';
import { habits } from './variant.ts';

const page = (status: number, title: string) => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  payload: Buffer.from(`<!doctype html><title>${title}</title><h1>${title}</h1>`),
});

const inFront = habits('in-front');

/** What a framework or a server in front answers before a request reaches the operation, of which §7 says nothing. */
export const pages = [
  // A parser that takes objects and arrays only refuses a bare value as it refuses what is no JSON.
  inFront(
    'strict-body-parser',
    'A body parser refuses what is no JSON, and a bare null, with a page',
    rewrite(
      ({ body }, { refused }) => refused === 'json' || (refused === 'fields' && body === null),
      () => page(400, 'SyntaxError: Unexpected token in JSON'),
    ),
  ),
  // A typed parameter of a path: any other id is no address of the service, and gets the page of the router.
  inFront(
    'typed-routes',
    'A router that knows ids in digits answers any other id with a page',
    rewrite(
      ({ id }) => id !== '' && !/^\d+$/.test(id),
      () => page(404, 'Not Found'),
    ),
    { newId: (n) => String(5000 + n) },
  ),
  // How much a server in front of the service takes is not shown (§8). What it refuses does not reach the service.
  inFront('limit-in-front', 'A server in front answers bodies beyond 16 KiB with a page', {
    handle: (call, next) =>
      call.text.length > 16_384 ? { status: 413, refused: 'fields', body: {} } : next(call),
    rewrite: (raw, { text }) => (text.length > 16_384 ? page(413, 'Request Entity Too Large') : raw),
  }),
  // How long the headers of a response are is not shown (§8); a policy for the content of pages is easily that long.
  inFront('long-headers', 'Sends 20 KB of headers with every response', {
    rewrite: (raw) => ({
      ...raw,
      headers: {
        ...raw.headers,
        'content-security-policy': `img-src${' https://cdn.example.com'.repeat(850)}`,
      },
    }),
  }),
];
