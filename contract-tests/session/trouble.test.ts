// Why a run stops, in words that say what to do next, and no more than is known.
import { expect, test } from 'vitest';
import type { Exchange } from '../client/exchange.ts';
import { describeStop } from './trouble.ts';

const answered = (status: number, error: string): Exchange =>
  ({ status, headers: {}, json: { error }, text: '' }) as Exchange;

const stopped = (status: number, error: string, count: number, isRecent: boolean): string =>
  describeStop({ request: 70, exchange: answered(status, error), trouble: `${status} ${error}` }, status, {
    count,
    isRecent,
  });

test.each<[string, string, RegExp]>([
  [
    'a lock-out that says so',
    stopped(403, 'too many failed attempts', 20, true),
    /^locked out: after 20 wrong keys/,
  ],
  [
    'a lock-out by its status',
    stopped(423, 'no', 8, true),
    /^locked out: after 8 wrong keys .*wait until the lock-out ends/,
  ],
  [
    'a key that expired among wrong keys',
    stopped(401, 'key expired', 8, true),
    /^after 8 wrong keys .*wait, in case .*, or renew the key/,
  ],
  ['a key that expired later', stopped(401, 'key expired', 8, false), /^since request 70 .*; renew the key/],
  ['a key that expired after a wrong key or two', stopped(401, 'key expired', 2, true), /^since request 70/],
  [
    'a plan that is used up among wrong keys',
    stopped(402, 'plan limit', 8, true),
    /^since request 70 .*raise the plan/,
  ],
  [
    'a gateway among wrong keys',
    stopped(502, 'Bad Gateway', 8, true),
    /^since request 70 .*when the service is up/,
  ],
  ['a gateway that answers no more', stopped(503, 'Unavailable', 0, false), /when the service is up again$/],
  [
    'a gateway that answered now and then',
    describeStop({ request: 70, trouble: '503' }, 503, { count: 0, isRecent: false, alternates: true }),
    /when the service is up again, or, .* more slowly with --rate-limit 5\/s$/,
  ],
])('%s', (_, text, expected) => {
  expect(text).toMatch(expected);
  expect(text.split('\n')).toHaveLength(1);
});
