// Why a run stops, in one line.
import { expect, test } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { exchangeOf } from '../testing/calls.ts';
import { createHealth } from './health.ts';

const success = exchangeOf(200, { success: true });

const wrongKeys = (count: number): readonly Exchange[] =>
  Array.from({ length: count }, () => exchangeOf(401, {}, { credentials: 'random key' }));

/** What a run says that has stopped after a success and these exchanges. */
const said = (...exchanges: readonly Exchange[]): readonly string[] => {
  const health = createHealth({ exchanges: [success, ...exchanges] });
  health.stop('GET /: connect ECONNREFUSED');
  return health.troubles();
};

const lockedOut = [...wrongKeys(20), exchangeOf(403, 'too many')];
const expired = [...wrongKeys(2), exchangeOf(401, 'expired')];
const afterProbe = [exchangeOf(404, 'no', { intent: 'probe' })];

test.each([
  ['a lock-out', lockedOut, /^after 20 wrong keys .*\(403 too many\): it/],
  ['a key that expired', expired, /^since request 4 .*: 401 expired; run/],
  ['a server that is gone', [], /^since request 2 no request succeeded: GET \/: connect ECONNREFUSED; run/],
  [
    'one that is gone after a probe, whose refusal is no reason',
    afterProbe,
    /^since request 3 .*ECONNREFUSED/,
  ],
])('%s', (_, exchanges, expected) => {
  expect(said(...exchanges)).toEqual([expect.stringMatching(expected)]);
});

test('the end of a run is the only trouble, also of an operation that ended before', () => {
  const health = createHealth({ exchanges: [] });
  health.close('addLead', '500 starting');
  expect(health.endOf('addLead')).toMatch(/no addLead succeeded/);
  health.stop('closed');
  expect(health.troubles()).toEqual([expect.stringMatching(/no request succeeded/)]);
});
