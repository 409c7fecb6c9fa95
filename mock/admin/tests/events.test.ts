import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { startMock } from '../../index.ts';
import { limits } from '../../store/store.ts';
import { exchange, useMock } from '../../testing/mock-server.ts';

const mock = useMock();

type ReceivedEvent = { readonly event: string; readonly data: Record<string, unknown> };

/** Opens the stream; what came so far is in `received`. */
const watch = async ({ url, key } = { url: mock.url, key: mock.own }) => {
  const abort = new AbortController();
  const response = await fetch(`${url}/__admin/events?key=${key}`, { signal: abort.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const received: ReceivedEvent[] = [];
  const take = async (): Promise<void> => {
    let rest = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, event, data = ''] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? [];
        if (event) received.push({ event, data: JSON.parse(data) });
      }
    }
  };
  const ended = take().catch(() => undefined);
  return { received, ended, close: () => abort.abort() };
};

test('events tell of every change in this workspace, over HTTP or in the same process, and of no refusal', async () => {
  await using own = await startMock();
  const { received, close } = await watch({ url: own.url, key: own.apiKey });
  const call = async (line: string, body?: object, key = own.apiKey): Promise<void> => {
    const [method = '', path] = line.split(' ');
    await exchange(`${own.url}${path}`, method, { key, ...(body ? { body } : {}) });
  };
  const admin = (line: string, body?: object) => call(line.replace(' ', ' /__admin'), body);
  await call('POST /api/v1/leads', { name: 'Lena' }, own.key());
  await call('POST /api/v1/leads', { name: 'Lena' });
  await call('DELETE /api/v1/leads/lead_000001');
  await call('POST /api/v1/email/template', { template_id: '5', variables: {} });
  await admin('POST /templates', { id: 'a', name: 'A', body: 'a' });
  await admin('PUT /templates/a', { name: 'A', body: 'b' });
  await admin('DELETE /templates/a');
  await admin('PUT /faults', { rules: [{}] });
  await admin('PUT /faults', { rules: [{ status: 503 }] });
  own.faults.clear();
  await admin('PUT /clock', { now: '2026-03-02T10:15:30Z' });
  own.clock.reset();
  await admin('PATCH /answers', { 'send.to': 'maybe' });
  await admin('PATCH /answers', { 'send.to': 'required' });
  own.answers.set({ 'send.to': null });
  await admin('DELETE /outbox/nobody');
  own.outbox.clear();
  own.requests.clear();
  await admin('POST /reset');
  await admin('PUT /state', { faults: [{ status: 503 }] });
  await vi.waitUntil(() => received.length === 19);
  const lead_id = 'lead_000001';
  const summary = (operation: string) => expect.objectContaining({ id: expect.any(String), operation });
  expect(received.map(({ event, data }) => [event, data])).toEqual([
    ['leads', { change: 'added', lead_id }],
    ['requests', summary('addLead')],
    ['leads', { change: 'deleted', lead_id }],
    ['requests', summary('deleteLead')],
    ['outbox', expect.objectContaining({ change: 'added', id: 'msg_000001', template_id: '5' })],
    ['requests', summary('sendTemplateEmail')],
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
    ['reset', expect.anything()],
    ['reset', expect.anything()],
  ]);
  expect(received[4]?.data).not.toHaveProperty('html');
  close();
});

test('are replaced by a reset where one is too large for many streams', async () => {
  const { received, close } = await watch();
  await mock.mail({ subject: 'x'.repeat(limits.eventLength) });
  await vi.waitUntil(() => received.length === 2);
  expect(received).toMatchObject([
    { event: 'reset', data: { reason: 'an event was too large' } },
    { event: 'requests' },
  ]);
  close();
});

test('end with the mock', async () => {
  const own = await startMock();
  const { ended } = await watch({ url: own.url, key: own.apiKey });
  await own.close();
  await ended;
});

test('a reader that does not read is dropped, and nobody else', async () => {
  const asleep = connect(mock.port, '127.0.0.1');
  asleep.on('error', () => undefined);
  asleep.pause();
  asleep.write(`GET /__admin/events?key=${mock.own} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const waiting = async () => (await mock.read<{ waiting: number }>('/health')).waiting;
  await vi.waitUntil(async () => (await waiting()) === 1);
  for (let sent = 0; sent < 400 && (await waiting()) === 1; sent++)
    expect((await mock.mail({ subject: 'x'.repeat(60_000) })).status).toBe(200);
  expect(await waiting()).toBe(0);
  asleep.destroy();
});
