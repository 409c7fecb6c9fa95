// Why a run stops, in one line.
import { expect, test } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { createHealth, describeEnd } from './health.ts';

const exchangeOf = (operation: Exchange['operation']): Exchange =>
  ({
    operation,
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
  }) as Exchange;

const ended = (status: number | undefined, text: string, wrongKeys = 0): string =>
  describeEnd({ what: 'no request', request: 70, text, status, wrongKeys });

test.each<[string, string, RegExp]>([
  ['a lock-out', ended(403, '403 too many failed attempts', 20), /^after 20 wrong keys .*it may lock out/],
  ['a lock-out by its status', ended(423, '423 no', 8), /^after 8 wrong keys .*; wait, or run again/],
  ['a key that expired among wrong keys', ended(401, '401', 8), /^after 8 wrong keys .*or renew the key/],
  ['a key that expired', ended(401, '401 key expired'), /^since request 70 .*; renew the key/],
  ['a key that expired after a wrong key or two', ended(401, '401', 2), /^since request 70/],
  ['a plan that is used up', ended(402, '402 plan limit', 8), /^since request 70 .*upgrade the plan/],
  ['a gateway among wrong keys', ended(502, '502', 8), /^since request 70 .*succeeds again$/],
  ['connections that are closed', ended(undefined, 'closed'), /; check whether it is still running, and run/],
  [
    'responses that take too long',
    ended(undefined, 'PUT /: no complete response within 10 s'),
    /, or raise --timeout, and run again$/,
  ],
])('%s', (_, text, expected) => {
  expect(text).toMatch(expected);
  expect(text.split('\n')).toHaveLength(1);
});

test('a server that is gone is named, and not the refusal of a probe before it', () => {
  const probe = { intent: 'probe', outcome: 'refusal', status: 404 } as const;
  const exchange: Exchange = { ...exchangeOf('updateLead'), ...probe };
  const health = createHealth({ exchanges: [exchangeOf('listTemplates'), exchange] });
  health.stop({ text: 'GET /api/v1/email/templates: connect ECONNREFUSED' });
  expect(health.troubles()).toEqual([
    'since request 3 no request succeeded: GET /api/v1/email/templates: connect ECONNREFUSED; check whether it is still running, and run again',
  ]);
});

test('the end of a run is the only trouble, also of an operation that ended before', () => {
  const health = createHealth({ exchanges: [] });
  health.close('addLead', { text: '500 starting', status: 500 });
  expect(health.endOf('addLead')).toMatch(/no addLead succeeded/);
  health.stop({ text: 'closed' });
  expect(health.troubles()).toEqual([expect.stringMatching(/no request succeeded/)]);
});
