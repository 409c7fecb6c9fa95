import { expect, test } from 'vitest';
import { createMock, type MockInProcess, startMock } from '../index.ts';
import { adapterRequests } from '../testing/adapter-requests.ts';
import { exchangeByFetch } from '../testing/mock-server.ts';

const origin = 'https://mail.example.com';
const add = ({ fetch }: MockInProcess) =>
  exchangeByFetch(fetch, `${origin}/api/v1/leads`, 'POST', { body: { name: 'Lena' } });

const ownHeaders = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

test('a mock answers and records alike over HTTP and by fetch', async () => {
  await using mock = await startMock({ admin: false });
  const [overHttp, direct] = [mock.workspace(), mock.workspace()];
  for (const { clock } of [overHttp, direct]) clock.freeze('2026-03-02T10:15:30Z');
  const results: unknown[][] = [[], []];
  for (const [method, path, sent] of adapterRequests) {
    for (const [at, fetch] of [globalThis.fetch, mock.fetch].entries()) {
      const key = sent.key === null ? null : (at === 0 ? overHttp : direct).apiKey;
      const reply = await exchangeByFetch(fetch, mock.url + path, method, { ...sent, key });
      const { headers, status, text } = reply;
      const common = Object.entries(headers).filter(([name]) => !ownHeaders.includes(name));
      results[at]?.push({ method, path, status, text, headers: Object.fromEntries(common.sort()) });
    }
  }
  expect(results[1]).toEqual(results[0]);
  const entries = [overHttp, direct].map(({ requests }) =>
    requests
      .list()
      .filter(({ path }) => path.startsWith('/api'))
      .map(({ operation, status, why, request: { body } }) => ({ operation, status, why, body })),
  );
  expect(entries[1]).toEqual(entries[0]);
});

test('a mock without a server answers, whatever the host is, injects faults and shows what it took', async () => {
  const mock = createMock({ seed: { leads: [{ name: 'Ada' }] } });
  mock.faults.set({ fault: 'CONNECTION_RESET_BY_PEER', times: 1 });
  await expect(add(mock)).rejects.toThrow(TypeError);
  mock.faults.set({ fault: 'MALFORMED_RESPONSE_CHUNK', times: 1 });
  await expect(add(mock)).rejects.toThrow(TypeError);
  mock.faults.set({ status: 503, body: 'Busy', retry_after: 1, delay_ms: 1 });
  expect(await add(mock)).toMatchObject({ status: 503, text: 'Busy', headers: { 'retry-after': '1' } });
  mock.faults.clear();
  expect(await add(mock)).toMatchObject({ status: 200, body: { data: { lead_id: 'lead_000002' } } });
  expect(mock.requests.list().map(({ status }) => status)).toEqual([200, 503, 0, 0]);
  expect(mock.state().leads).toHaveLength(2);
});

test('a mock without a server lets an aborted request go', async () => {
  const mock = createMock({ delay: 60_000 });
  const controller = new AbortController();
  const headers = { authorization: `Bearer ${mock.apiKey}` };
  const waiting = mock.fetch(`${origin}/api/v1/email/templates`, { headers, signal: controller.signal });
  await mock.requests.waitFor();
  controller.abort();
  await expect(waiting).rejects.toThrow('aborted');
  await expect(mock.fetch(origin, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  expect(mock.requests.count()).toBe(1);
});

test('a mock without a server names what is wrong with its options', () => {
  expect(() => createMock({ port: 1 } as never)).toThrow('the options of createMock');
  expect(() => createMock({ seed: { leeds: [] } as never })).toThrow('did you mean leads?');
  expect(() => createMock({ seed: 'leads.yaml' as never })).toThrow('a state, not the path of a file');
});
