// Why a run stops, in one line.
import { expect, test } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { createHealth } from './health.ts';

const exchangeOf = (changes: Partial<Exchange> = {}): Exchange =>
  ({
    operation: 'listTemplates',
    method: 'GET',
    path: '/',
    check: 'one',
    credentials: 'key',
    intent: 'complete',
    outcome: 'success',
    status: 200,
    headers: {},
    json: {},
    text: '{}',
    sentAt: 0,
    receivedAt: 1,
    ...changes,
  }) as Exchange;

const refused = (status: number, text: string): Exchange =>
  exchangeOf({ outcome: 'refusal', status, text, json: undefined });

const wrongKeys = (count: number): readonly Exchange[] =>
  Array.from({ length: count }, () => exchangeOf({ credentials: 'random key', outcome: 'refusal' }));

/** What a run says that has stopped after a success and these exchanges. */
const said = (...exchanges: readonly Exchange[]): readonly string[] => {
  const health = createHealth({ exchanges: [exchangeOf(), ...exchanges] });
  health.stop('GET /: connect ECONNREFUSED');
  return health.troubles();
};

test.each([
  [
    'a lock-out',
    said(...wrongKeys(20), refused(403, 'too many')),
    /^after 20 wrong keys .*\(403 too many\): it/,
  ],
  [
    'a key that expired',
    said(...wrongKeys(2), refused(401, 'expired')),
    /^since request 4 .*: 401 expired; run/,
  ],
  [
    'a server that is gone',
    said(),
    /^since request 2 no request succeeded: GET \/: connect ECONNREFUSED; run/,
  ],
  [
    'a server that is gone, and not the refusal of a probe before it',
    said({ ...refused(404, 'no'), intent: 'probe' }),
    /^since request 3 .*ECONNREFUSED/,
  ],
])('%s', (_, texts, expected) => {
  expect(texts).toEqual([expect.stringMatching(expected)]);
});

test('the end of a run is the only trouble, also of an operation that ended before', () => {
  const health = createHealth({ exchanges: [] });
  health.close('addLead', '500 starting');
  expect(health.endOf('addLead')).toMatch(/no addLead succeeded/);
  health.stop('closed');
  expect(health.troubles()).toEqual([expect.stringMatching(/no request succeeded/)]);
});
