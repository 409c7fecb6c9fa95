import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { type Mock, startMock } from '../../index.ts';
import { exchange } from '../../testing/mock-server.ts';

/** Opens the stream: what came so far, and an end of it. */
const watch = async ({ url, apiKey }: Mock) => {
  const abort = new AbortController();
  const response = await fetch(`${url}/__admin/events?key=${apiKey}`, { signal: abort.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  let text = '';
  const take = async (): Promise<void> => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  };
  take().catch(() => undefined);
  const received = () =>
    [...text.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)].map(([, event, data = '']) => [
      event,
      JSON.parse(data),
    ]);
  return { received, close: () => abort.abort() };
};

test('events tell of every change in this workspace, over HTTP or in the same process, and of no refusal', async () => {
  await using own = await startMock();
  const { received, close } = await watch(own);
  const call = async (line: string, body?: object, key = own.apiKey): Promise<void> => {
    const [method = '', path] = line.split(' ');
    await exchange(`${own.url}${path}`, method, { key, ...(body ? { body } : {}) });
  };
  const admin = (line: string, body?: object) => call(line.replace(' ', ' /__admin'), body);
  const lead_id = 'lead_000001';
  const mail = { template_id: '5', variables: {} };
  const added = (id: string) => ({ change: 'added', id });
  const sent = (nth: number) => ['requests', added(`req_00000${nth}`)] as const;
  const updated = { change: 'updated', id: 'a' };
  const frozen = { now: '2026-03-02T10:15:30.000Z', frozen: true };
  const steps: readonly (readonly [act: () => unknown, ...events: (readonly [string, object])[]])[] = [
    [() => call('POST /api/v1/leads', { name: 'Lena' }, own.key())],
    [() => call('POST /api/v1/leads', { name: 'Lena' }), ['leads', { change: 'added', lead_id }], sent(1)],
    [() => call(`DELETE /api/v1/leads/${lead_id}`), ['leads', { change: 'deleted', lead_id }], sent(2)],
    [() => call('POST /api/v1/email/template', mail), ['outbox', added('msg_000001')], sent(3)],
    [() => admin('POST /templates', { id: 'a', name: 'A', body: 'a' }), ['templates', added('a')]],
    [() => admin('PUT /templates/a', { name: 'A', body: 'b' }), ['templates', updated]],
    [() => admin('DELETE /templates/a'), ['templates', { change: 'deleted', id: 'a' }]],
    [() => admin('PUT /faults', { rules: [{}] })],
    [() => admin('PUT /faults', { rules: [{ status: 503 }] }), ['faults', { rules: 1 }]],
    [() => own.faults.clear(), ['faults', { rules: 0 }]],
    [() => admin('PUT /clock', { now: '2026-03-02T10:15:30Z' }), ['clock', frozen]],
    [() => own.clock.reset(), ['clock', { now: expect.any(String), frozen: false }]],
    [() => admin('PATCH /answers', { 'send.to': 'maybe' })],
    [() => admin('PATCH /answers', { 'send.to': 'required' }), ['answers', { 'send.to': 'required' }]],
    [() => own.answers.set({ 'send.to': null }), ['answers', {}]],
    [() => admin('DELETE /outbox/nobody')],
    [() => own.outbox.clear(), ['outbox', { change: 'cleared' }]],
    [() => own.requests.clear(), ['requests', { change: 'cleared' }]],
    [() => admin('POST /reset'), ['reset', {}]],
    [() => admin('PUT /state', { faults: [{ status: 503 }] }), ['reset', {}]],
  ];
  for (const [act] of steps) await act();
  const expected = steps.flatMap(([, ...events]) => events);
  await vi.waitUntil(() => received().length === expected.length);
  expect(received()).toEqual(expected);
  close();
});

test('a reader that does not read is dropped, and nobody else', async () => {
  await using own = await startMock();
  const { received, close } = await watch(own);
  const asleep = connect(own.port, '127.0.0.1');
  asleep.on('error', () => undefined);
  asleep.pause();
  asleep.write(`GET /__admin/events?key=${own.apiKey} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const waiting = async () => {
    const { body } = await exchange(`${own.url}/__admin/health`, 'GET');
    return (body as { waiting: number }).waiting;
  };
  await vi.waitUntil(async () => (await waiting()) === 2);
  // An event with many answers is a large one.
  const answers = Object.fromEntries(Object.entries(own.answers.get()).filter(([id]) => !/^auth\./.test(id)));
  for (let sent = 0; sent < 200 && (await waiting()) === 2; sent += 1)
    for (let changed = 0; changed < 50; changed += 1) own.answers.set(answers);
  expect(await waiting()).toBe(1);
  own.clock.reset();
  await vi.waitUntil(() => received().at(-1)?.[0] === 'clock');
  asleep.destroy();
  close();
});
