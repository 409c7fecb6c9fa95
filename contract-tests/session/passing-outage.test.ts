// Which failures of a run are an outage that ended, and which are failures of the service.
import { expect, test } from 'vitest';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import { type Exchange, outcomeOf } from '../client/exchange.ts';
import { createPassingOutages } from './passing-outage.ts';

type Request = Partial<Exchange> & { readonly operation: OperationId; readonly status: number };

const success = { success: true, error: '' };
const failure = { success: false, error: 'internal error' };

/** Responses one after another, each within a millisecond. */
const run = (requests: readonly Request[]): Exchange[] =>
  requests.map((request, index) => {
    const { operation, status, json = status === 200 ? success : failure } = request;
    return {
      ...{
        outcome: outcomeOf(status, json),
        method: 'POST',
        intent: 'complete',
        check: 'a check',
        credentials: 'key',
      },
      ...{ path: `/${operation}`, headers: {}, json, text: '', rawText: JSON.stringify(json) },
      ...{ sentAt: index, receivedAt: index + 0.5 },
      ...request,
    } as Exchange;
  });

const outagesIn = (exchanges: readonly Exchange[]): number[] => {
  const { describe } = createPassingOutages(exchanges);
  return exchanges.flatMap((exchange, index) => (describe(exchange) === undefined ? [] : [index]));
};

const reply = (operation: OperationId, status: number): Request => ({ operation, status });

const before: readonly Request[] = [
  reply('listTemplates', 200),
  reply('addLead', 200),
  reply('sendEmail', 200),
];

const note = (text: string, status = 500): Request => ({
  ...reply('addLead', status),
  body: JSON.stringify({ note: text }),
});

test.each<[string, Exchange[], number[]]>([
  [
    'several operations fail',
    run([...before, reply('addLead', 500), reply('listTemplates', 500), ...before]),
    [3, 4],
  ],
  [
    'several operations are refused',
    run([...before, reply('addLead', 401), reply('sendEmail', 401), ...before]),
    [3, 4],
  ],
  [
    'the same request fails twice in a row',
    run([...before, reply('listTemplates', 500), reply('listTemplates', 500), ...before]),
    [3, 4],
  ],
  [
    'requests that differ in their unique texts only',
    run([note('0123abcd-01', 200), note('0123abcd-02'), note('0123abcd-03'), note('0123abcd-04', 200)]),
    [1, 2],
  ],
  ['one request fails', run([...before, reply('listTemplates', 500), ...before]), []],
  [
    'requests with other texts fail',
    run([note('0123abcd-01', 200), note('50 %'), note('60 %'), note('0123abcd-04', 200)]),
    [],
  ],
  [
    'an operation never succeeds',
    run([reply('addLead', 500), reply('updateLead', 500), ...before.slice(0, 1)]),
    [],
  ],
  [
    'additions fail every second time',
    run([...before, ...[1, 2, 3].flatMap(() => [reply('addLead', 500), ...before])]),
    [],
  ],
  [
    'both operations fail for the third time',
    run([...before, ...[1, 2, 3].flatMap(() => [reply('addLead', 500), reply('sendEmail', 500), ...before])]),
    [],
  ],
])('%s', (_, exchanges, expected) => {
  expect(outagesIn(exchanges)).toEqual(expected);
});

test('a request with a wrong key belongs to the outage', () => {
  const wrongKey: Request = { operation: 'listTemplates', status: 500, credentials: 'none' };
  expect(
    outagesIn(run([...before, reply('addLead', 500), wrongKey, reply('sendEmail', 500), ...before])),
  ).toEqual([3, 4, 5]);
});

test('a success that was sent before the outage does not divide it', () => {
  const [add, list, email] = run([
    reply('addLead', 500),
    reply('listTemplates', 200),
    reply('sendEmail', 500),
  ]);
  if (!add || !list || !email) throw new Error('no exchanges');
  const earlier = run(before).map((exchange) => ({ ...exchange, sentAt: -10, receivedAt: -9 }));
  const later = run(before).map((exchange) => ({ ...exchange, sentAt: 10, receivedAt: 11 }));
  expect(outagesIn([...earlier, add, { ...list, sentAt: -1 }, email, ...later])).toEqual([3, 5]);
});

test('an outage is described', () => {
  const exchanges = run([...before, reply('addLead', 500), reply('sendEmail', 500), ...before]);
  expect(createPassingOutages(exchanges).describe(exchanges[3] as Exchange)).toBe(
    '2 requests failed one after another, and later ones succeeded: 500 internal error; run again',
  );
});
