import { variants } from './variant.ts';

const variant = variants('transport');

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

const inOneSecond = () => new Date(Date.now() + 1000).toUTCString();

/** §1 says JSON and HTTP; everything else about the way is open (§8: limits are not shown). */
export const transport = [
  variant('deflate', 'Compresses with deflate when asked', { encoding: 'deflate' }),
  variant('dribbled', 'Sends each reply in two parts, some time apart', { delivery: 'dribbled' }),
  variant('upper-case-type', 'Writes the content type in capitals', {
    contentType: 'Application/JSON;charset=UTF-8',
  }),
  variant('pretty-json', 'Indents its JSON, escapes all but ASCII, ends with a line break', {
    json: (value) => `${escaped(JSON.stringify(value, null, 2))}\n`,
  }),
  variant('padded-json', 'Sends blanks and line breaks before and after its JSON', {
    json: (value) => `\n  ${JSON.stringify(value)}\r\n\n`,
  }),
  variant('reversed-keys', 'Names the fields of each object in reverse', {
    json: (value) => JSON.stringify(reversed(value)),
  }),
  variant('rate-limited', 'Answers 429 with seconds to wait beyond 40 requests a second', {
    rate: { perSecond: 40, status: 429, retryAfter: () => '1' },
    headers: { 'x-ratelimit-limit': '40' },
  }),
  variant('briefly-unavailable', 'Answers 503 with a date to wait for beyond 60 requests a second', {
    rate: { perSecond: 60, status: 503, retryAfter: inOneSecond },
  }),
  variant('rate-limited-curtly', 'Answers 429 beyond 50 requests a second, without saying how long to wait', {
    rate: { perSecond: 50, status: 429 },
  }),
  variant('deprecated', 'Announces its own end', {
    headers: { deprecation: '@1735689600', sunset: 'Wed, 31 Dec 2031 23:59:59 GMT' },
  }),
  variant('new-lead-hidden', 'A new lead is unknown for 300 ms', { newLeadHiddenMs: 300 }, { settleMs: 350 }),
  variant(
    'replicas-in-turn',
    'Of two replicas that answer in turn, one knows a new or a deleted lead 300 ms later',
    { newLeadHiddenMs: 300, deletedLeadAliveMs: 300, replicas: 2 },
    { settleMs: 350 },
  ),
  variant(
    'deleted-lead-alive-longer',
    'A deleted lead is alive for 1.5 s',
    { deletedLeadAliveMs: 1500 },
    { settleMs: 1550 },
  ),
];
