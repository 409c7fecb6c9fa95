// What a program gives to a workspace is checked as over HTTP: a filter that is ignored looks like one that works.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Mock, type MockWorkspace, startMock } from '../index.ts';

let mock: Mock;
let own: MockWorkspace;
beforeAll(async () => {
  mock = await startMock();
  own = mock.workspace();
});
afterAll(() => mock.close());

const wrongMessageFilters: [unknown, string][] = [
  [{ too: 'x' }, 'too is not known in a filter of messages. Did you mean to? Allowed: to, from,'],
  ['lena@example.com', 'a filter of messages must be an object, not "lena@example.com". Allowed: to,'],
  [() => true, 'must be an object, not a function'],
  [/lena/, 'must be an object, not /lena/'],
  [null, 'must be an object, not null'],
  [{ to: /lena/ }, 'to of a filter of messages must be a text, not /lena/'],
  [{ to: ['a', 'b'] }, 'must be a text, not a list'],
];

const wrongRequestFilters: [unknown, string][] = [
  [{ op: 'addLead' }, 'op is not known in a filter of requests. Did you mean'],
  [{ operation: 'addLaed' }, 'operation is not an operation of the service. Did you mean addLead?'],
  [{ status: 'bogus' }, 'status of a filter of requests must be a status like 503, a class like 5xx, or 0'],
  [{ status: 5033 }, 'not 5033'],
  [{ method: 'PSOT' }, 'method is not an HTTP method. Did you mean POST?'],
  [{ path: 'api/v1/leads' }, 'path is not a path without a query. Did you mean /api/v1/leads?'],
  [{ path: '/api/v1/leads?limit=1' }, 'path is not a path without a query. Did you mean /api/v1/leads?'],
  ['addLead', 'must be an object, not "addLead"'],
];

test.each(wrongMessageFilters)('no messages are looked for with %s', async (given, message) => {
  const filter = given as object;
  expect(() => own.outbox.list(filter)).toThrow(message);
  expect(() => own.outbox.latest(filter)).toThrow(message);
  await expect(own.outbox.waitFor(filter)).rejects.toThrow(message);
  await expect(own.outbox.waitForNone(filter)).rejects.toThrow(message);
});

test.each(wrongRequestFilters)('no requests are looked for with %j', async (given, message) => {
  const filter = given as object;
  expect(() => own.requests.list(filter)).toThrow(message);
  expect(() => own.requests.latest(filter)).toThrow(message);
  expect(() => own.requests.count(filter)).toThrow(message);
  await expect(own.requests.waitFor(filter)).rejects.toThrow(message);
  await expect(own.requests.waitForNone(filter)).rejects.toThrow(message);
});

test.each<[object, string]>([
  [{ timeout: -1 }, 'timeout of the options of waitFor must be a number of milliseconds, 0 or more, not -1'],
  [{ timeout: Number.NaN }, 'not NaN'],
  [{ timeout: '5s' }, 'not "5s"'],
  [{ count: 0 }, 'count of the options of waitFor must be a whole number above 0, not 0'],
  [{ timeout_ms: 5 }, 'timeout_ms is not known in the options of waitFor. Did you mean timeout?'],
  [null as never, 'must be an object, not null'],
])('nobody waits with %j', async (options, message) => {
  await expect(own.outbox.waitFor({}, options)).rejects.toThrow(message);
  await expect(own.requests.waitFor({}, options)).rejects.toThrow(message);
});

describe('the clock', () => {
  test.each<[string, (clock: MockWorkspace['clock']) => void, string]>([
    [
      'freeze(null)',
      ({ freeze }) => freeze(null as never),
      'clock.freeze takes a time as ISO 8601, a Date or',
    ],
    ['freeze(no Date)', ({ freeze }) => freeze(new Date(Number.NaN)), 'since 1970, not Invalid Date'],
    ['freeze(NaN)', ({ freeze }) => freeze(Number.NaN), 'since 1970, not NaN'],
    [
      'set()',
      ({ set }) => (set as () => void)(),
      'clock.set takes a time as ISO 8601, a Date or milliseconds since',
    ],
    [
      'advance()',
      ({ advance }) => (advance as () => void)(),
      'clock.advance takes milliseconds, not undefined',
    ],
    ["advance('1h')", ({ advance }) => advance('1h' as never), 'clock.advance takes milliseconds, not "1h"'],
    ['advance({})', ({ advance }) => advance({ hours: 1 } as never), 'milliseconds, not an object'],
    ['advance(NaN)', ({ advance }) => advance(Number.NaN), 'milliseconds, not NaN'],
  ])('%s is refused', (_call, use, message) => {
    const before = own.state().clock;
    expect(() => use(own.clock)).toThrow(message);
    expect(own.state().clock).toEqual(before);
  });

  test('takes milliseconds since 1970', () => {
    own.clock.freeze(Date.UTC(2026, 2, 2));
    expect(own.clock.now()).toEqual({ now: '2026-03-02T00:00:00.000Z', frozen: true });
    own.clock.set(0);
    expect(own.clock.now()).toEqual({ now: '1970-01-01T00:00:00.000Z', frozen: true });
  });
});
