import { defaultBehaviour, sameStatus } from '../server/behaviour.ts';
import { rewrite } from '../server/mutation.ts';
import { habits, variants } from './variant.ts';

const variant = variants('failures');
const statuses = defaultBehaviour.statuses;

/** Status and body of a failure are not shown (§7.4 to §7.6); `error` being a string is (§7.1). */
export const failures = [
  variant('refusals-at-200', 'Refuses with status 200 and success false', { statuses: sameStatus(200) }),
  variant('refusals-at-200-without-success', 'Refuses with status 200 and an error, without success', {
    statuses: sameStatus(200),
    failure: (error) => ({ error }),
  }),
  variant('refusals-at-500', 'Refuses with status 500 and a reason, whatever the cause', {
    statuses: sameStatus(500),
  }),
  variant('refusals-at-404-strict', 'The same, and empty names and undocumented fields are refused too', {
    statuses: sameStatus(404),
    failure: () => ({ error: 'Not available', message: 'Not available' }),
    emptyName: 'rejected',
    unknownField: 'rejected',
  }),
  variant('bodies-422', 'Refuses fields with 422 and a list of details', {
    statuses: { ...statuses, fields: 422, json: 422 },
    failure: (error, reason) => ({
      success: false,
      error,
      message: error,
      details: [{ reason, at: 'body' }],
    }),
  }),
  variant(
    'new-lead-is-400',
    'Refuses leads with 400 that it does not know yet, for 300 ms, or any more',
    { statuses: { ...statuses, lead: 400 }, newLeadHiddenMs: 300 },
    { settleMs: 350 },
  ),
  variant('fields-at-200-only', 'Refuses keys with 401 and everything else with 200', {
    statuses: { ...sameStatus(200), key: 401 },
  }),
  variant('messages-in-a-list', 'The message of a failure is a list of texts', {
    failure: (error, reason) => ({ success: false, error: reason, message: [error] }),
  }),
  variant('failure-with-data', 'Failure bodies carry data null, a code and a trace', {
    failure: (error, reason) => ({
      success: false,
      error,
      message: error,
      data: null,
      code: reason,
      trace: 'a1b2',
    }),
  }),
  variant('problem-json', 'Failures are problem documents with an error', {
    failureType: 'application/problem+json',
    failure: (error, reason) => ({ type: 'about:blank', title: reason, detail: error, error }),
  }),
  variant('challenge', 'Every reply carries WWW-Authenticate and a request id', {
    headers: { 'www-authenticate': 'Bearer realm="api"', 'x-request-id': 'req-1' },
  }),
];

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
