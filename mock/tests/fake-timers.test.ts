// The app under test may have fake timers. The mock in the same process is a server all the same.
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Mock, startMock } from '../index.ts';

const longAgo = new Date('2020-05-05T05:05:05Z');
const thisYear = String(new Date().getFullYear());
const realMs = performance.now.bind(performance);

/** The status a request gets, from a client that no fake timer stops; most others are. */
const exchange = (url: string, method: string, body?: object): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer test_key', 'content-type': 'application/json' };
    request(url, { method, headers, agent: false }, (reply) => {
      reply.resume().on('end', () => resolve(reply.statusCode));
    })
      .on('error', reject)
      .end(body && JSON.stringify(body));
  });

const add = ({ url }: Mock) => exchange(`${url}/api/v1/leads`, 'POST', { name: 'Lena' });
const yearsOf = ({ state }: Mock) => state().leads.map(({ created_at }) => created_at.slice(0, 4));

/** How many milliseconds of real time something took. */
const timed = async (wait: () => Promise<unknown>): Promise<number> => {
  const started = realMs();
  await wait();
  return realMs() - started;
};

let mock: Mock;
beforeEach(async () => {
  mock = await startMock();
});
afterEach(async () => {
  vi.useRealTimers();
  await mock.close();
});

test.each([
  ['before', () => undefined],
  ['while', () => vi.resetModules()],
])('leads have real times, for a mock that was loaded %s the Date was fake', async (_when, forget) => {
  vi.useFakeTimers({ toFake: ['Date'], now: longAgo });
  forget();
  const { startMock: start } = await import('../index.ts');
  const other = await start();
  await add(other);
  vi.useRealTimers();
  await add(other);
  expect(yearsOf(other)).toEqual([thisYear, thisYear]);
  await other.close();
});

describe('with the timers faked that Vitest fakes by default', () => {
  beforeEach(() => void vi.useFakeTimers({ now: longAgo }));

  test('a mock starts, waits for the requested time, and closes', async () => {
    await using other = await startMock({ delay: 30 });
    expect(await timed(() => add(other))).toBeGreaterThan(25);
    expect(yearsOf(other)).toEqual([thisYear]);
    expect(other.requests.list()[0]?.duration_ms).toBeGreaterThan(25);
  });

  test('a wait in vain ends, over HTTP too', async () => {
    const wait = () =>
      expect(mock.outbox.waitFor({}, { timeout: 30 })).rejects.toThrow('not found within 30 ms');
    expect(await timed(wait)).toBeGreaterThan(25);
    expect(await exchange(`${mock.url}/__admin/outbox/wait?timeout_ms=30`, 'GET')).toBe(404);
  });

  test('closing does not wait for a request under way', async () => {
    const other = await startMock({ delay: 60_000 });
    const cut = expect(add(other)).rejects.toThrow();
    await pause(50);
    expect(await timed(() => other.close())).toBeLessThan(30_000);
    await cut;
  });
});
