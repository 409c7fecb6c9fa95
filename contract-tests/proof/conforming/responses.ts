import { createHash, randomUUID } from 'node:crypto';
import { defaultBehaviour, sameStatus } from '../server/behaviour.ts';
import { changeCall, refuseWhere, rewrite } from '../server/mutation.ts';
import { manyTemplates, ordinaryTemplates, spacedTemplates, template } from '../server/store.ts';
import { habits, variants } from './variant.ts';

const ids = variants('ids');
const idHabit = habits('ids');
const times = variants('timestamps');
const extras = variants('reply-fields');
const templates = variants('templates');
const way = variants('transport');

const iso = (date: Date) => date.toISOString();
const seconds = (date: Date) => iso(date).slice(0, 19);
const minutesOn = (minutes: number) => (date: Date) => new Date(date.getTime() + minutes * 60_000);
const fast = minutesOn(40);
const slow = minutesOn(-40);

let written = 0;

/** Every other reply from an instance that writes the zero offset. */
const inTurn = (date: Date) => {
  written += 1;
  return written % 2 === 0 ? iso(date) : `${seconds(date)}+00:00`;
};

/** Formats of identifiers are not shown (§2.3); a timestamp is ISO 8601 in UTC (§2.2, §2.3), no more. */
export const replies = [
  ids('uuid-ids', 'Lead ids are UUIDs', { newId: () => randomUUID() }),
  ids('integer-ids', 'Lead ids look like integers', { newId: (n) => String(40_000 + n) }),
  ids('ids-of-both-cases', 'Two lead ids in turn differ in letter case only', {
    newId: (n) => `${n % 2 ? 'X' : 'x'}${Math.ceil(n / 2)}`,
  }),
  ids('ids-from-zero', 'Lead ids count from "0"', { newId: (n) => String(n - 1) }),
  ids('ids-to-encode', 'Lead ids hold characters a path must encode', { newId: (n) => `a/b c?${n}#%41;ü` }),
  idHabit(
    'ids-as-they-are',
    'Lead ids hold signs that a path may hold, and are compared as they are sent',
    changeCall(['updateLead', 'deleteLead'], ({ path }) => ({ id: path.split('/').at(-1) ?? '' })),
    { newId: (n) => `lead:${n}@a,b=c` },
  ),
  idHabit(
    'long-ids',
    'Lead ids are 180 characters long, and a router refuses shorter ones in its own form',
    refuseWhere(
      ['updateLead', 'deleteLead'],
      { status: 404, refused: 'lead', body: { detail: 'Not Found' } },
      ({ id }) => id.length < 180,
    ),
    { newId: (n) => createHash('sha512').update(String(n)).digest('hex').repeat(2).slice(0, 180) },
  ),
  ids('snowflake-ids', 'Lead ids look like integers beyond what a double holds', {
    newId: (n) => String(9_007_199_254_740_993n + BigInt(n) * 2n),
  }),
  times('minutes', 'Timestamps have no seconds', { time: (date) => `${iso(date).slice(0, 16)}Z` }),
  times('basic-format', 'Timestamps use the basic format of ISO 8601', {
    time: (date) => `${seconds(date).replaceAll(/[-:]/g, '')}Z`,
  }),
  times('fast-clock', 'The clock is 40 minutes fast, in every reply and its Date', {
    time: (date) => iso(fast(date)),
    date: fast,
  }),
  times('no-date-header', 'The clock is 40 minutes slow, and no reply has a Date', {
    time: (date) => iso(slow(date)),
    date: 'absent',
  }),
  times('two-notations', 'Two instances write the same moment in two ways', { time: inTurn }),
  extras('extra-fields', 'Replies, leads and templates carry more than is documented', {
    extras: { request_id: 'a6f', took_ms: 3, links: [], api: { version: 1 } },
    dataExtras: { owner: null, tags: ['new'], score: 0.5, status: 'open' },
  }),
  extras('both-timestamps', 'Leads always carry created_at and updated_at', { leadTimes: 'both' }),
  templates('no-templates', 'Holds no template', { templates: [] }, { leavesUntested: true }),
  templates('one-template', 'Holds one template, without placeholders', {
    templates: ordinaryTemplates.slice(2),
  }),
  templates('hundreds-of-templates', 'Holds 300 templates with numeric-looking ids', {
    templates: manyTemplates(300),
  }),
  templates('a-dozen-templates', 'Holds twelve templates', { templates: manyTemplates(12) }),
  templates('spaced-placeholders', 'Placeholders repeat, have inner spaces, dots and umlauts', {
    templates: spacedTemplates,
    missingVariable: 'accepted',
  }),
  templates('variables-sorted', 'Lists variables in alphabetical order', {
    templates: ordinaryTemplates.map((template) => ({
      ...template,
      variables: [...template.variables].sort(),
    })),
  }),
  templates('nameless-templates', 'A template has an empty name, another an empty body', {
    templates: [template('0', '', '{{x}}', ['x']), template('007', 'Empty', '', [])],
  }),
];

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
};

const escaped = (text: string) =>
  text.replaceAll(/[^\n -~]|[<>&'/]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const inOneSecond = (now: Date) => new Date(now.getTime() + 1000).toUTCString();

/** §1 says JSON and HTTP; everything else about the way is open (§8: limits are not shown). */
export const transport = [
  way('deflate', 'Compresses with deflate when asked', { encoding: 'deflate' }),
  way('dribbled', 'Sends each reply in two parts, some time apart', { delivery: 'dribbled' }),
  way('upper-case-type', 'Writes the content type in capitals', {
    contentType: 'Application/JSON;charset=UTF-8',
  }),
  way('pretty-json', 'Indents its JSON, escapes all but ASCII, ends with a line break', {
    json: (value) => `${escaped(JSON.stringify(value, null, 2))}\n`,
  }),
  way('padded-json', 'Sends blanks and line breaks before and after its JSON', {
    json: (value) => `\n  ${JSON.stringify(value)}\r\n\n`,
  }),
  way('reversed-keys', 'Names the fields of each object in reverse', {
    json: (value) => JSON.stringify(reversed(value)),
  }),
  way('rate-limited', 'Answers 403 with seconds to wait beyond 40 requests a second', {
    rate: { perSecond: 40, status: 403, retryAfter: () => '1' },
    headers: { 'x-ratelimit-limit': '40' },
  }),
  way('briefly-unavailable', 'Answers 503 with a date to wait for beyond 60 requests a second', {
    rate: { perSecond: 60, status: 503, retryAfter: inOneSecond },
  }),
  way('rate-limited-curtly', 'Answers 429 beyond 50 requests a second, without saying how long to wait', {
    rate: { perSecond: 50, status: 429 },
  }),
  way('deprecated', 'Announces its own end', {
    headers: { deprecation: '@1735689600', sunset: 'Wed, 31 Dec 2031 23:59:59 GMT' },
  }),
  way('new-lead-hidden', 'A new lead is unknown for 300 ms', { newLeadHiddenMs: 300 }, { settleMs: 350 }),
  way(
    'replicas-in-turn',
    'Of two replicas that answer in turn, one knows a new or a deleted lead 300 ms later',
    { newLeadHiddenMs: 300, deletedLeadAliveMs: 300, replicas: 2 },
    { settleMs: 350 },
  ),
  way(
    'deleted-lead-alive-longer',
    'A deleted lead is alive for 1.5 s',
    { deletedLeadAliveMs: 1500 },
    { settleMs: 1550 },
  ),
];

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
