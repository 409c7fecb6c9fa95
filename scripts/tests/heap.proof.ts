// With a heap of 512 MiB no sequence of requests that are allowed ends the process: a random one, the same in every run.
import { expect, test } from 'vitest';
import { startCommand } from '../../mock/testing/cli-process.ts';
import { exchange } from '../../mock/testing/mock-server.ts';

// Numbers that look random.
let state = 12;
const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

const repeat = (item: object, count: number): string => Array(count).fill(JSON.stringify(item)).join();
const manyNames = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`v${at}`, '']));
const states: readonly string[] = [
  `{"leads":[${repeat({ name: 'x' }, 60_000)}]}`,
  `{"leads":[${repeat({ name: 'я'.repeat(1000) }, 3800)}]}`,
  `{"outbox":[${repeat({ operation: 'sendEmail' }, 500_000)}]}`,
  `{"outbox":[${repeat({ operation: 'sendEmail', html: 'я'.repeat(1_000_000) }, 30)}]}`,
  `{"outbox":[${repeat({ operation: 'sendTemplateEmail', variables: manyNames }, 90)}]}`,
  `{"templates":[${repeat({ name: 'x', body: '{{a}}'.repeat(10_000) }, 60)}]}`,
  `{"faults":[${repeat({ status: 502, times: 1, body: 'я'.repeat(400) }, 1000)}]}`,
];
const mail = { from: 'a@example.com', subject: 'я'.repeat(10_000), html: 'я'.repeat(550_000) };
const note = { name: 'x', note: 'я'.repeat(500_000) };

test('a process with a heap of 512 MiB survives random requests', async () => {
  const server = await startCommand([], { NODE_OPTIONS: '--max-old-space-size=512' });
  const send = async (method: string, path: string, body?: object | string): Promise<number> => {
    const key = `test_${random(random(2) === 0 ? 3 : 60)}`;
    // No request meets a connection that the server is about to close.
    const sent = { key, headers: { connection: 'close' }, ...(body !== undefined && { body }) };
    // A body over the limit is refused before it is read to its end, and the client may see only the closed connection.
    const isTooLarge = typeof body === 'string' && body.length > 16 * 2 ** 20;
    const exchanged = await exchange(server.url + path, method, sent).catch((error: Error) => {
      if (!isTooLarge || !/ECONNRESET|EPIPE|other side closed/.test(error.message)) throw error;
    });
    return exchanged?.status ?? 413;
  };
  const repeatedly = async (count: number, run: () => Promise<number>): Promise<number> => {
    let status = 0;
    for (let sent = 0; sent < count; sent += 1) status = await run();
    return status;
  };
  const actions: readonly (() => Promise<number>)[] = [
    () => send('PUT', `/__admin/state${random(2) === 0 ? '?seed=true' : ''}`, states[random(states.length)]),
    () => send('GET', '/__admin/state'),
    () => repeatedly(5, () => send('POST', '/api/v1/email/send', mail)),
    () => repeatedly(5, () => send('POST', '/api/v1/leads', note)),
    () => send('POST', '/__admin/templates', { name: 'x', body: '{{a}}'.repeat(20_000) }),
    () => send('GET', '/__admin/outbox?limit=1000&q=a'),
    () => send('GET', '/__admin/outbox/wait?q=never&timeout_ms=200'),
    () => send('GET', '/__admin/requests.har'),
    () => send('GET', '/__admin/outbox/latest'),
    () => send('POST', '/__admin/reset'),
  ];
  let left = 140;
  const statuses = new Set<number>();
  const run = async (): Promise<void> => {
    for (; left > 0; left -= 1) statuses.add((await actions[random(actions.length)]?.()) ?? 0);
  };
  const runs = await Promise.allSettled(Array.from({ length: 24 }, run));
  server.process.kill('SIGTERM');
  const exitCode = await server.ended;
  expect(runs.filter((settled) => settled.status === 'rejected')).toEqual([]);
  expect([200, 201, 404, 409, 413, 502, 503, 507]).toEqual(expect.arrayContaining([...statuses]));
  expect(exitCode).toBe(0);
});

test('a process with a heap of 256 MiB holds of a large refused request only what its journal keeps', async () => {
  const server = await startCommand([], { NODE_OPTIONS: '--max-old-space-size=256' });
  // What is refused is in the journal only, which keeps the start of it.
  const body = { ...note, name: 7 };
  for (let sent = 0; sent < 300; sent += 1)
    await exchange(`${server.url}/api/v1/leads`, 'POST', { key: `test_${sent}`, body });
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});
