import { describe, expect, test } from 'vitest';
import { type Mock, type MockOptions, startMock } from './index.ts';
import { exchange } from './use-mock.ts';

const withMock = async <Result>(
  options: MockOptions,
  use: (mock: Mock) => Promise<Result>,
): Promise<Result> => {
  const mock = await startMock({ validateReplies: true, ...options });
  try {
    return await use(mock);
  } finally {
    await mock.close();
  }
};

const add = (mock: Mock, key: string) =>
  exchange(`${mock.url}/api/v1/leads`, 'POST', { key, body: { name: 'Lena' } });

describe('startMock', () => {
  test('takes any free port of loopback', () =>
    withMock({}, async ({ url, port }) => {
      expect(port).toBeGreaterThan(0);
      expect(url).toBe(`http://127.0.0.1:${port}`);
    }));

  test.each([
    ['localhost', /^http:\/\/localhost:\d+$/],
    ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
  ])('on %s is reached under its url', (host, url) =>
    withMock({ host }, async (mock) => {
      expect(mock.url).toMatch(url);
      expect((await exchange(`${mock.url}/__admin/health`, 'GET')).status).toBe(200);
    }),
  );

  test('mocks in one process share nothing', () =>
    withMock({}, (one) =>
      withMock({ answers: { 'lead.id-format': 'integer' } }, async (other) => {
        await add(one, 'test_key');
        expect((await add(one, 'test_key')).body).toMatchObject({ data: { lead_id: 'lead_000002' } });
        expect((await add(other, 'test_key')).body).toMatchObject({ data: { lead_id: '1' } });
      }),
    ));

  test('hands out keys that nobody else has', () =>
    withMock({}, (one) =>
      withMock({}, async (other) => {
        expect(new Set([one.key(), one.key(), other.key(), other.key()]).size).toBe(4);
        expect((await add(one, one.key())).status).toBe(200);
      }),
    ));

  test('waits where a delay is set', () =>
    withMock({ delay: 100 }, async (mock) => {
      const started = performance.now();
      await add(mock, 'test_key');
      expect(performance.now() - started).toBeGreaterThan(90);
    }));

  test('rejects with the code of a port that is taken', () =>
    withMock({}, async ({ port }) => {
      await expect(startMock({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    }));

  test.each<[MockOptions, string]>([
    [{ answers: { 'send.to': 'maybe' as 'required' } }, 'send.to cannot be "maybe"'],
    [{ answers: { 'send.too': 1 } as object }, 'did you mean send.to?'],
    [{ acceptKeys: ['a b'] }, 'key 1 of those to accept'],
  ])('rejects %j', async (options, message) => {
    await expect(startMock(options)).rejects.toThrow(message);
  });

  test('closes twice, and leaves the port free', async () => {
    const mock = await startMock();
    await mock.close();
    await mock.close();
    await withMock({ port: mock.port }, async ({ port }) => expect(port).toBe(mock.port));
  });
});
