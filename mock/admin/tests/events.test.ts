import { connect } from 'node:net';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { startMock } from '../../index.ts';
import { limits } from '../../store/store.ts';
import { exchange, useMock } from '../../testing/mock-server.ts';

const mock = useMock();
/** The workspace of a test. */
let key: string;
beforeEach(() => {
  key = mock.key();
});

type ReceivedEvent = { readonly id: string; readonly event: string; readonly data: Record<string, unknown> };

/** Opens the stream; what came so far is in `received`. */
const watch = async (url: string, key: string, headers: Record<string, string> = {}) => {
  const abort = new AbortController();
  const response = await fetch(`${url}/__admin/events?key=${key}`, { headers, signal: abort.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const received: ReceivedEvent[] = [];
  let rest = '';
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const blocks = (rest + decoder.decode(chunk)).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = Object.fromEntries(
          block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]),
        );
        // Those of other workspaces may come in between at any time.
        if (fields.event)
          received.push({ id: fields.id ?? '', event: fields.event, data: JSON.parse(fields.data ?? '') });
      }
    }
  })().catch(() => undefined);
  return { received, ended, close: () => abort.abort() };
};

describe('events', () => {
  test('tell of leads, messages, requests and resets of this workspace, with ids', async () => {
    const watcher = await watch(mock.url, key);
    await mock.lead(mock.key());
    const { lead_id } = await mock.lead(key);
    await mock.call('DELETE', `/api/v1/leads/${lead_id}`, { key });
    await mock.call('POST', '/api/v1/email/template', { key, body: { template_id: '5', variables: {} } });
    await mock.call('POST', '/__admin/reset', { key });
    await vi.waitUntil(() => watcher.received.length === 7);
    expect(watcher.received.map(({ event }) => event)).toEqual([
      'leads',
      'requests',
      'leads',
      'requests',
      'outbox',
      'requests',
      'reset',
    ]);
    expect(watcher.received[0]?.data).toEqual({ change: 'added', lead_id });
    expect(watcher.received[4]?.data).toMatchObject({ change: 'added', id: 'msg_000001', template_id: '5' });
    expect(watcher.received[4]?.data).not.toHaveProperty('html');
    expect(watcher.received[5]?.data).toMatchObject({ id: 'req_000003', operation: 'sendTemplateEmail' });
    expect(new Set(watcher.received.map(({ id }) => id)).size).toBe(7);
    watcher.close();
  });

  test('tell of everything else that is changed, over HTTP or in the same process', async () => {
    await using own = await startMock();
    const watcher = await watch(own.url, own.apiKey);
    const call = (method: string, path: string, body?: object) =>
      exchange(`${own.url}/__admin${path}`, method, { key: own.apiKey, ...(body ? { body } : {}) });
    await call('POST', '/templates', { id: 'a', name: 'A', body: 'a' });
    await call('PUT', '/templates/a', { name: 'A', body: 'b' });
    await call('DELETE', '/templates/a');
    await call('PUT', '/faults', { rules: [{ status: 503 }] });
    own.faults.clear();
    await call('PUT', '/clock', { now: '2026-03-02T10:15:30Z' });
    own.clock.reset();
    await call('PATCH', '/answers', { 'send.to': 'required' });
    own.answers.set({ 'send.to': null });
    own.outbox.clear();
    await call('DELETE', '/requests?unclaimed=true', { all: true });
    own.requests.clear();
    await vi.waitUntil(() => watcher.received.length === 11);
    expect(watcher.received.map(({ event, data }) => [event, data])).toEqual([
      ['templates', { change: 'added', id: 'a' }],
      ['templates', { change: 'updated', id: 'a' }],
      ['templates', { change: 'deleted', id: 'a' }],
      ['faults', { rules: 1 }],
      ['faults', { rules: 0 }],
      ['clock', { now: '2026-03-02T10:15:30.000Z', frozen: true }],
      ['clock', { now: expect.any(String), frozen: false }],
      ['answers', { 'send.to': 'required' }],
      ['answers', {}],
      ['outbox', { change: 'cleared' }],
      ['requests', { change: 'cleared' }],
    ]);
    watcher.close();
  });

  test('of a reset there is one, and of what is refused none', async () => {
    const watcher = await watch(mock.url, key);
    await mock.call('PUT', '/__admin/faults', { key, body: { rules: [{}] } });
    await mock.call('PATCH', '/__admin/answers', { key, body: { 'send.to': 'maybe' } });
    await mock.call('DELETE', '/__admin/outbox/nobody', { key });
    await mock.call('POST', '/__admin/reset', { key });
    await mock.call('PUT', '/__admin/state', { key, body: { faults: [{ status: 503 }] } });
    await vi.waitUntil(() => watcher.received.length >= 2);
    expect(watcher.received.map(({ event }) => event)).toEqual(['reset', 'reset']);
    watcher.close();
  });

  test('go on after the last that was read', async () => {
    const first = await watch(mock.url, key);
    await mock.lead(key);
    await vi.waitUntil(() => first.received.length === 2);
    first.close();
    await mock.lead(key);
    const again = await watch(mock.url, key, { 'last-event-id': first.received[1]?.id ?? '' });
    await vi.waitUntil(() => again.received.length === 2);
    expect(again.received.map(({ event, data }) => [event, data.lead_id])).toEqual([
      ['leads', 'lead_000002'],
      ['requests', undefined],
    ]);
    again.close();
  });

  test.each(['1.999', 'nonsense', '0.0'])(
    'begin with a reset after %s, which nobody remembers',
    async (last) => {
      const watcher = await watch(mock.url, mock.key(), { 'last-event-id': last });
      await vi.waitUntil(() => watcher.received.length === 1);
      expect(watcher.received[0]).toMatchObject({ event: 'reset', data: { reason: 'events were missed' } });
      watcher.close();
    },
  );

  test('begin with a reset where more was missed than is kept', async () => {
    const first = await watch(mock.url, key);
    await mock.lead(key);
    await vi.waitUntil(() => first.received.length > 0);
    first.close();
    for (let sent = 0; sent < 9; sent += 1) await mock.mail(key, { subject: 'x'.repeat(60_000) });
    const again = await watch(mock.url, key, { 'last-event-id': first.received[0]?.id ?? '' });
    await vi.waitUntil(() => again.received.length > 0);
    expect(again.received[0]).toMatchObject({ event: 'reset', data: { reason: 'events were missed' } });
    again.close();
  });

  test('are replaced by a reset where one is too large for many streams', async () => {
    const watcher = await watch(mock.url, key);
    await mock.mail(key, { subject: 'x'.repeat(limits.eventLength) });
    await vi.waitUntil(() => watcher.received.length === 2);
    expect(watcher.received).toMatchObject([
      { event: 'reset', data: { reason: 'an event was too large' } },
      { event: 'requests' },
    ]);
    watcher.close();
  });

  test('end with the mock', async () => {
    const own = await startMock();
    const watcher = await watch(own.url, 'test_key');
    await own.close();
    await watcher.ended;
  });

  test('a reader that does not read is dropped, and nobody else', async () => {
    const asleep = connect(mock.port, '127.0.0.1');
    asleep.on('error', () => undefined);
    asleep.pause();
    asleep.write(`GET /__admin/events?key=${key} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const waiting = async () =>
      ((await mock.call('GET', '/__admin/health')).body as { waiting: number }).waiting;
    await vi.waitUntil(async () => (await waiting()) === 1);
    for (let sent = 0; sent < 400 && (await waiting()) === 1; sent++)
      expect((await mock.mail(key, { subject: 'x'.repeat(60_000) })).status).toBe(200);
    expect(await waiting()).toBe(0);
    asleep.destroy();
  });
});
