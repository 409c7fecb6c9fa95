import { connect } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { startMock } from '../index.ts';
import { limits } from '../runtime/limits.ts';
import { startServer } from '../server/server.ts';
import { exchange, useMock } from '../testing/mock-server.ts';
import type { Workspaces } from '../workspace/registry.ts';

// Without a look at every reply, which takes long where it is large.
const mock = useMock({}, 'HTTP', startMock);
const fewWorkspaces = 50;

/** A server that has room for few workspaces, as many take long to make. */
const startSmallServer = async (): ReturnType<typeof startServer> => {
  const { workspaces } = limits;
  Object.assign(limits, { workspaces: fewWorkspaces });
  try {
    return await startServer({});
  } finally {
    Object.assign(limits, { workspaces });
  }
};

/** Uses so many others that every workspace there is now is dropped. */
const useOthers = (workspaces: Workspaces): void => {
  for (let number = 0; number < fewWorkspaces; number += 1) workspaces.getOrCreate(`test_other_${number}`);
};

describe('a workspace that is dropped while a request to it is in flight', () => {
  const expectExactCount = (workspaces: Workspaces): void => {
    const held = workspaces.byRecentUse().map((workspace) => workspace.heldBytes());
    expect(workspaces.heldBytes()).toBe(
      held.reduce((sum, bytes) => sum + bytes, workspaces.unclaimed.heldBytes()),
    );
  };

  test('a lead goes to the workspace that its key has when the body is complete', async () => {
    const server = await startSmallServer();
    const { workspaces } = server;
    const socket = connect(server.port, '127.0.0.1');
    let reply = '';
    socket.on('data', (chunk: Buffer) => {
      reply += chunk.toString();
    });
    socket.write(
      'POST /api/v1/leads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer test_1\r\n' +
        'Content-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name"',
    );
    await vi.waitUntil(() => workspaces.getExisting('test_1') !== undefined);
    const dropped = workspaces.getOrCreate('test_1');
    useOthers(workspaces);
    expect(workspaces.getExisting('test_1')).toBe(undefined);
    socket.write(':"x"}');
    await vi.waitUntil(() => reply.includes('lead_id'));
    expect(reply).toMatch(/^HTTP\/1.1 200/);
    const current = workspaces.getExisting('test_1');
    expect([current?.leads.size, current?.journal.size(), dropped.leads.size]).toEqual([1, 1, 0]);
    expectExactCount(workspaces);
    socket.destroy();
    await server.close();
  });

  test('PUT /state replaces the state that its key has then', async () => {
    const server = await startSmallServer();
    const { workspaces } = server;
    const dropped = workspaces.getOrCreate('test_1');
    const { prepareInSteps } = dropped;
    Object.assign(dropped, {
      *prepareInSteps(document: object) {
        const prepared = yield* prepareInSteps(document);
        useOthers(workspaces);
        return prepared;
      },
    });
    const state = { leads: [{ name: 'kept' }] };
    const call = (method: string, path: string, body?: object) =>
      exchange(server.url + path, method, { key: 'test_1', ...(body ? { body } : {}) });
    const { status, text } = await call('PUT', '/__admin/state', state);
    expect([status, workspaces.getExisting('test_1')?.leads.size, dropped.leads.size]).toEqual([200, 1, 0]);
    expect((await call('GET', '/__admin/state')).text).toBe(text);
    expectExactCount(workspaces);
    await server.close();
  });

  test('two imports into a workspace that nobody made yet leave one state, and none is lost', async () => {
    const server = await startServer({});
    const put = (name: string) =>
      exchange(`${server.url}/__admin/state`, 'PUT', { key: 'test_1', body: { leads: [{ name }] } });
    const [first, second, mail] = await Promise.all([
      put('a'),
      put('b'),
      exchange(`${server.url}/api/v1/leads`, 'POST', { key: 'test_1', body: { name: 'c' } }),
    ]);
    expect([first.status, second.status, mail.status]).toEqual([200, 200, 200]);
    expect([server.workspaces.size(), server.workspaces.dropped()]).toEqual([1, 0]);
    expectExactCount(server.workspaces);
    await server.close();
  });
});

/** The text of an event stream so far. */
const watch = async (url: string, key: string, lastId?: string) => {
  const controller = new AbortController();
  const response = await fetch(`${url}/__admin/events`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
    signal: controller.signal,
  });
  const seen = { status: response.status, text: '', close: () => controller.abort() };
  const read = async (): Promise<void> => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      seen.text += Buffer.from(chunk).toString();
  };
  read().catch((error: Error) => expect(error.name).toBe('AbortError'));
  return seen;
};

describe('the event stream', () => {
  const send = (key: string, subject: string) =>
    mock.call('POST', '/api/v1/email/send', { key, body: { subject, from: 'a@example.com', html: '' } });
  const firstId = (text: string): string => /^id: (.+)$/m.exec(text)?.[1] ?? '';

  test('tells a client that missed more than is kept to reload', async () => {
    const key = mock.key();
    const first = await watch(mock.url, key);
    await mock.lead(key);
    await vi.waitUntil(() => firstId(first.text) !== '');
    first.close();
    for (let sent = 0; sent < 4; sent += 1) await send(key, 'x'.repeat(500_000));
    const again = await watch(mock.url, key, firstId(first.text));
    await vi.waitUntil(() => again.text.includes('event:'));
    expect(again.status).toBe(200);
    expect(again.text).toContain('event: reset\ndata: {"reason":"events were missed"}');
    again.close();
  });

  test('sends a reload in place of an event that is too large for many streams', async () => {
    const key = mock.key();
    const stream = await watch(mock.url, key);
    await send(key, 'x'.repeat(limits.eventBytes / 2));
    await vi.waitUntil(() => stream.text.includes('event: requests'));
    expect(stream.text).toContain('event: reset\ndata: {"reason":"an event was too large"}');
    stream.close();
  });
});

describe('PUT /state', () => {
  const state = async (key: string) => (await mock.call('GET', '/__admin/state', { key })).text;
  const put = (key: string, body: string) => mock.call('PUT', '/__admin/state', { key, body });

  test.each<[string, () => string]>([
    [
      'leads that need more memory than a workspace has',
      () => `{"leads":[${'{"name":"x"},'.repeat(2_000_000)}{"name":"x"}]}`,
    ],
    ['templates that do', () => JSON.stringify({ templates: [{ name: 'x', body: 'x'.repeat(9_000_000) }] })],
    [
      'a state that could not be read again',
      () => `{"leads":[${'{"name":""},'.repeat(380_000)}{"name":""}]}`,
    ],
  ])('refuses %s, and replaces nothing', async (_what, body) => {
    const key = mock.key();
    await mock.lead(key);
    const before = await state(key);
    const reply = await put(key, body());
    expect([reply.status, reply.body]).toEqual([
      413,
      { error: expect.stringMatching(/bytes/), message: expect.stringMatching(/^Nothing was changed/) },
    ]);
    expect(await state(key)).toBe(before);
  });
});

describe('a store that is full', () => {
  const own = useMock({}, 'HTTP', startMock);

  test('refuses leads and templates with 507, and names the limit', async () => {
    const key = own.key();
    const leads = JSON.stringify({
      leads: Array.from({ length: 4 }, () => ({ name: 'я'.repeat(800_000) })),
    });
    expect((await own.call('PUT', '/__admin/state', { key, body: leads })).status).toBe(200);
    const post = () =>
      own.call('POST', '/api/v1/leads', { key, body: { name: 'n'.repeat(1_000_000), source: '', note: '' } });
    const statuses: number[] = [];
    for (let sent = 0; sent < 4; sent += 1) statuses.push((await post()).status);
    expect(statuses.at(-1)).toBe(507);
    expect((await post()).body).toMatchObject({
      success: false,
      error: 'the leads of this workspace would need more than 16777216 bytes',
      message: 'Nothing was stored. Delete some of them, or reset the workspace.',
    });
    const template = { name: 'x', body: 'y'.repeat(1_000_000) };
    const added = [];
    for (let sent = 0; sent < 5; sent += 1)
      added.push((await own.call('POST', '/__admin/templates', { key, body: template })).status);
    expect(added).toEqual([201, 201, 201, 201, 507]);
  });
});

test('mails of 500,000 Cyrillic letters are counted by their bytes', async () => {
  const small = await startMock({ outboxBytes: 8 * 1024 * 1024 });
  const send = (subject: string) =>
    exchange(`${small.url}/api/v1/email/send`, 'POST', {
      body: { subject, from: 'a@example.com', html: 'я'.repeat(500_000) },
    });
  for (let sent = 0; sent < 10; sent += 1) expect((await send(String(sent))).status).toBe(200);
  const { outbox } = small.state();
  expect(outbox.length).toBe(8);
  const { body } = await exchange(`${small.url}/__admin/health`, 'GET');
  expect(body).toMatchObject({
    limits: { outbox_bytes: 8_388_608, total_bytes: expect.any(Number) },
    dropped: { messages: 2, requests: expect.any(Number) },
  });
  await small.close();
});

test('readers that do not read hold a bounded number of bytes', async () => {
  const key = mock.key();
  const sockets = Array.from({ length: 3 }, () => connect(mock.port, '127.0.0.1'));
  for (const socket of sockets)
    socket
      .on('error', () => undefined)
      .pause()
      .write(`GET /__admin/events?key=${key} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const health = async () =>
    (await mock.call('GET', '/__admin/health')).body as { waiting: number; streams_bytes: number };
  await vi.waitUntil(async () => (await health()).waiting === 3);
  const body = { subject: 'x'.repeat(60_000), from: 'a@example.com', html: '' };
  for (let sent = 0; sent < 400 && (await health()).waiting > 0; sent += 1)
    await mock.call('POST', '/api/v1/email/send', { key, body });
  await vi.waitUntil(async () => (await health()).streams_bytes === 0);
  expect((await health()).waiting).toBe(0);
  for (const socket of sockets) socket.destroy();
});

describe('what is under way', () => {
  const list = { answers: { 'lead.list': 'present' } } as const;
  const health = async (url: string) =>
    (await exchange(`${url}/__admin/health`, 'GET')).body as { transfer_bytes: number };
  const fillLeads = async (url: string): Promise<void> => {
    const leads = Array.from({ length: 4 }, () => ({ name: 'я'.repeat(900_000) }));
    expect((await exchange(`${url}/__admin/state`, 'PUT', { body: { leads } })).status).toBe(200);
  };
  const ask = (port: number, request: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(`${request} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer test_key\r\n`);
    return socket;
  };

  test('is counted: bodies that do not end, and responses that nobody reads or that are delayed', async () => {
    const server = await startServer(list);
    await fillLeads(server.url);
    const upload = ask(server.port, 'PUT /__admin/state');
    upload.write('Content-Type: application/json\r\nContent-Length: 50000000\r\n\r\n{');
    await expect.poll(async () => (await health(server.url)).transfer_bytes).toBe(50_000_000);
    const unread = ask(server.port, 'GET /api/v1/leads').pause();
    unread.write('\r\n');
    await expect.poll(async () => (await health(server.url)).transfer_bytes).toBeGreaterThan(57_000_000);
    const delayed = ask(server.port, 'GET /api/v1/leads');
    delayed.write('Prefer: delay=60000\r\n\r\n');
    await expect.poll(async () => (await health(server.url)).transfer_bytes).toBeGreaterThan(64_000_000);
    for (const socket of [upload, unread, delayed]) socket.destroy();
    await expect.poll(async () => (await health(server.url)).transfer_bytes).toBe(0);
    await server.close();
  });

  test('has a limit: what is more is refused with 503, and what would wait is not delayed', async () => {
    const server = await startServer(list);
    await fillLeads(server.url);
    const uploads = Array.from({ length: 3 }, () => {
      const upload = ask(server.port, 'PUT /__admin/state');
      upload.write(`Content-Type: application/json\r\nContent-Length: ${limits.stateBytes}\r\n\r\n{`);
      return upload;
    });
    await expect
      .poll(async () => (await health(server.url)).transfer_bytes)
      .toBeGreaterThan(limits.transferBytes - 1);
    const call = (method: string, path: string, options: object = {}) =>
      exchange(server.url + path, method, options);
    const large = { name: 'x'.repeat(100_000) };
    const refused = [
      await call('PUT', '/__admin/state', { body: { leads: [large] } }),
      await call('GET', '/__admin/state'),
      await call('POST', '/api/v1/leads', { body: large }),
      await call('GET', '/api/v1/leads'),
    ];
    for (const { status, body, headers } of refused) {
      expect([status, headers['retry-after']]).toEqual([503, '1']);
      expect(body).toMatchObject({ error: expect.stringMatching(/under way/), message: expect.any(String) });
    }
    const small = await call('POST', '/api/v1/leads', {
      body: { name: 'x' },
      headers: { prefer: 'delay=60000' },
    });
    expect(small.status).toBe(200);
    expect((await call('GET', '/__admin/requests/latest?')).body).toMatchObject({
      why: { code: 'busy', what: expect.stringMatching(/^not delayed/) },
    });
    for (const upload of uploads) upload.destroy();
    await server.close();
  });
});
