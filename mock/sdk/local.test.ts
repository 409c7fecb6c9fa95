import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectMock, type Mock, type MockWorkspace, startMock } from '../index.ts';
import { startCheckedMock } from '../testing/checked-mock.ts';
import { exchange } from '../testing/mock-server.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

let mock: Mock;
let own: MockWorkspace;
beforeAll(async () => {
  mock = await startCheckedMock();
});
afterAll(() => mock.close());
beforeEach(() => {
  own = mock.workspace();
});

const send = (to: string, subject = 'Hi', key = own.apiKey) =>
  exchange(`${mock.url}/api/v1/email/send`, 'POST', {
    key,
    body: { from: 'a@example.com', to, subject, html: '<p>' },
  });
const add = (name = 'Lena', key = own.apiKey) =>
  exchange(`${mock.url}/api/v1/leads`, 'POST', { key, body: { name } });

describe('which workspace', () => {
  test('the mock itself is that of test_key', async () => {
    expect(mock.apiKey).toBe('test_key');
    await send('lena@example.com', 'Hi', 'test_key');
    expect(mock.outbox.latest()).toMatchObject({ to: 'lena@example.com' });
    expect(own.outbox.list()).toEqual([]);
    mock.reset();
    expect(mock.outbox.latest()).toBeUndefined();
  });

  test('of the first key, where keys are listed', async () => {
    const listed = await startMock({ acceptKeys: ['sk_1', 'sk_2'] });
    expect([listed.apiKey, listed.workspace('sk_2').apiKey]).toEqual(['sk_1', 'sk_2']);
    for (const key of ['sk_3', undefined]) expect(() => listed.workspace(key)).toThrow(/key|acceptKeys/);
    await listed.close();
  });

  test('mocks in one process share nothing', async () => {
    const other = await startMock();
    await add('Lena', 'test_key');
    other.faults.set({ status: 503 });
    expect(other.state().leads).toEqual([]);
    expect(mock.faults.list()).toEqual([]);
    await other.close();
    mock.reset();
  });
});

describe('outbox', () => {
  test('lists newest first, filtered, in copies', async () => {
    for (const to of ['a@example.com', 'b@example.com', 'a@example.com']) await send(to);
    const found = own.outbox.list({ to: 'A@example.com' });
    expect(found.map(({ id }) => id)).toEqual(['msg_000003', 'msg_000001']);
    Object.assign(found[0] ?? {}, { to: 'changed' });
    expect(own.outbox.latest({ to: 'a@example.com' })).toMatchObject({
      id: 'msg_000003',
      to: 'a@example.com',
    });
    own.outbox.clear();
    expect(own.outbox.list()).toEqual([]);
  });

  test('says where links lead, and which codes there are', async () => {
    const html =
      '<p>Your code is <b>482913</b>. <a href="https://example.com/in?a=1&amp;b=2">Sign in</a></p>';
    const body = { subject: 'Sign in', from: 'a@example.com', to: 'lena@example.com', html };
    await exchange(`${mock.url}/api/v1/email/send`, 'POST', { key: own.apiKey, body });
    const [mail] = await own.outbox.waitFor({ to: 'lena@example.com' });
    expect(mail).toMatchObject({ links: ['https://example.com/in?a=1&b=2'], codes: ['482913'] });
    expect(JSON.parse(JSON.stringify(mail))).toEqual({ ...mail });
  });

  test('says what is probably wrong with a mail', async () => {
    await send('lena@example.com');
    await send('ada@example.com', 'Hi {{name}}');
    const [mail] = own.outbox.list({ warning: 'unresolved-placeholder' });
    expect(mail).toMatchObject({
      to: 'ada@example.com',
      warnings: [{ id: 'unresolved-placeholder', what: '{{name}} in the subject' }, { id: 'no-text' }],
    });
    Object.assign(mail?.warnings[0] ?? {}, { id: 'changed' });
    expect(own.outbox.latest()?.warnings[0]?.id).toBe('unresolved-placeholder');
    expect(() => own.outbox.list({ warning: 'placeholder' as never })).toThrow(
      /warning of a filter of messages must be one of unresolved-placeholder, .*, not "placeholder"/,
    );
  });

  test('waits for what comes, and for what came', async () => {
    const waiting = own.outbox.waitFor({ to: 'late@example.com' });
    await send('early@example.com');
    await send('late@example.com', 'Welcome');
    const [mail] = await waiting;
    expect(mail.subject).toBe('Welcome');
    const both = await own.outbox.waitFor({}, { count: 2, timeout: 1 });
    expect(both.map(({ to }) => to)).toEqual(['late@example.com', 'early@example.com']);
  });

  test('a wait in vain says what came instead', async () => {
    await expect(own.outbox.waitFor({ to: 'x@example.com' }, { timeout: 5 })).rejects.toThrow(
      'not found within 5 ms: a message with {"to":"x@example.com"}; there was nothing',
    );
    await send('x@example.com', 'Other');
    await send('y@example.com', 'Hello');
    await expect(
      own.outbox.waitFor({ to: 'x@example.com', subject: 'welcome' }, { timeout: 5, count: 2 }),
    ).rejects.toThrow(/not found 2 times within 5 ms.*the nearest are msg_000001 to x@example.com "Other"/);
  });

  test.each([
    ['in the same process', () => own],
    ['over HTTP', () => connectMock(mock.url, { apiKey: own.apiKey })],
  ])('a wait in vain says what may explain it, %s', async (_, connect) => {
    const failure = (): Promise<string> =>
      Promise.resolve(connect().outbox.waitFor({ to: 'x@example.com' }, { timeout: 5 })).then(
        () => 'no failure',
        (error: Error) => error.message,
      );
    const sendAs = (key: string, from: string): Promise<Response> =>
      fetch(`${mock.url}/api/v1/email/send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ subject: 'Hi', from, to: 'x@example.com', html: '<p>Hi</p>' }),
      });
    const other = mock.workspace();
    await sendAs(other.apiKey, 'a@example.com');
    expect(await failure()).toContain(`the workspace ${other.apiKey} has 1 message`);
    await sendAs('sk_live_of_somebody', 'a@example.com');
    expect(await failure()).toMatch(/sent without an accepted key.*: POST \/api\/v1\/email\/send → 401/);
    expect(await failure()).not.toContain('sk_live_of_somebody');
    await sendAs(own.apiKey, 'nobody');
    expect(await failure()).toContain(
      '1 request was refused: POST /api/v1/email/send → 400 (body/from must match format "email")',
    );
    await sendAs(own.apiKey, 'nobody');
    // What another key did explains nothing where there are messages.
    await send('y@example.com', 'long '.repeat(100));
    expect(await failure()).toMatch(
      /nearest are msg_000001 to y@example.com ".{80}…"\n {2}2 requests were refused, the latest: POST[^\n]*$/,
    );
  });

  test.each([Number.POSITIVE_INFINITY, 2 ** 31])(
    'a wait of at most %d ms does not end before',
    async (timeout) => {
      const waiting = own.outbox.waitFor({}, { timeout });
      await pause(20);
      await send('late@example.com');
      expect((await waiting)[0].to).toBe('late@example.com');
    },
  );

  test('waits for none', async () => {
    await send('other@example.com');
    const started = performance.now();
    await own.outbox.waitForNone({ to: 'x@example.com' }, { timeout: 30 });
    expect(performance.now() - started).toBeGreaterThan(25);
    const waiting = expect(own.outbox.waitForNone({ to: 'x@example.com' })).rejects.toThrow(
      'found, but none was expected: a message with {"to":"x@example.com"} is msg_000002 to x@example.com "Hi"',
    );
    await send('x@example.com');
    await waiting;
    await expect(own.outbox.waitForNone()).rejects.toThrow('msg_000002 to x@example.com "Hi", msg_000001');
  });

  test('a wait ends with a reset and with the mock', async () => {
    const waiting = own.outbox.waitFor();
    own.reset();
    await expect(waiting).rejects.toThrow('the workspace was reset during the wait');
    const other = await startMock();
    const held = expect(other.requests.waitFor()).rejects.toThrow('the mock was closed during the wait');
    await other.close();
    await held;
  });
});

describe('requests', () => {
  test('are listed with their bodies, counted and waited for', async () => {
    const waiting = own.requests.waitFor({ operation: 'addLead', status: 200 });
    await add('');
    await add('Lena');
    const [first] = await waiting;
    expect(first).toMatchObject({ path: '/api/v1/leads', request: { body: '{"name":"Lena"}' } });
    expect(own.requests.list().map(({ status }) => status)).toEqual([200, 400]);
    expect([own.requests.count(), own.requests.count({ status: '4xx' })]).toEqual([2, 1]);
    own.requests.clear();
    expect(own.requests.count()).toBe(0);
  });

  test('the latest has what it said in JSON', async () => {
    expect(own.requests.latest()).toBeUndefined();
    await add('Lena');
    await exchange(`${mock.url}/api/v1/leads`, 'POST', { key: own.apiKey, body: '{"name":' });
    expect(own.requests.latest({ status: 200 })?.request.json).toEqual({ name: 'Lena' });
    expect(own.requests.latest()?.request).toMatchObject({ body: '{"name":', json: undefined });
    expect(own.requests.latest({ operation: 'sendEmail' })).toBeUndefined();
  });

  test('are found by the path as the contract writes it', async () => {
    await exchange(`${mock.url}/api/v1/leads/lead_000009?x=1`, 'DELETE', { key: own.apiKey });
    await add();
    expect(own.requests.count({ path: '/api/v1/leads/{id}' })).toBe(1);
    expect(own.requests.count({ path: '/api/v1/leads' })).toBe(1);
    const { body } = await exchange(`${mock.url}/__admin/requests?path=/api/v1/leads/{id}`, 'GET', {
      key: own.apiKey,
    });
    expect(body).toMatchObject({ total: 1 });
  });

  test('are waited for in vain, as is wanted', async () => {
    await add();
    await own.requests.waitForNone({ operation: 'sendEmail' }, { timeout: 5 });
    await expect(own.requests.waitForNone({ operation: 'addLead' })).rejects.toThrow(
      'a request with {"operation":"addLead"} is POST /api/v1/leads → 200',
    );
  });

  test('a wait in vain says what came instead', async () => {
    await add();
    await expect(own.requests.waitFor({ operation: 'sendEmail' }, { timeout: 5 })).rejects.toThrow(
      'a request with {"operation":"sendEmail"}; the nearest are POST /api/v1/leads → 200',
    );
  });
});

describe('faults', () => {
  test('fail, fail, succeed', async () => {
    own.faults.set({ operation: 'addLead', status: 503, times: 2, retry_after: 1 });
    const statuses = [await add(), await add(), await add()].map(({ status }) => status);
    expect(statuses).toEqual([503, 503, 200]);
    expect(own.faults.list()).toMatchObject([{ matched: 2, left: 0 }]);
    own.faults.set([{ status: 500 }]);
    own.faults.clear();
    expect((await add()).status).toBe(200);
  });
});

describe('clock', () => {
  const created = async () => ((await add()).body as { data: { created_at: string } }).data.created_at;

  test('stands still, moves and runs on', async () => {
    own.clock.freeze('2026-03-02T10:15:30Z');
    expect([await created(), await created()]).toEqual(Array(2).fill('2026-03-02T10:15:30.000Z'));
    own.clock.advance(60_000);
    expect(own.clock.now()).toEqual({ now: '2026-03-02T10:16:30.000Z', frozen: true });
    own.clock.set(new Date('2030-01-01T00:00:00Z'));
    expect(own.clock.now()).toEqual({ now: '2030-01-01T00:00:00.000Z', frozen: true });
    own.clock.reset();
    own.clock.set('2030-01-01T00:00:00Z');
    expect(own.clock.now()).toMatchObject({
      now: expect.stringMatching(/^2030-01-01T00:00:0/),
      frozen: false,
    });
  });

  test('a time that is none is refused', () => {
    expect(() => own.clock.freeze('soon')).toThrow('/now must be an ISO 8601 time');
    expect(() => own.clock.advance(1e300)).toThrow('/advance_ms must lead to a time');
  });
});

describe('answers', () => {
  test('are those of the workspace', async () => {
    own.answers.set({ 'failure.validation-status': 422, 'lead.name': 'optional' });
    own.answers.set({ 'lead.name': null });
    expect(own.answers.get()).toMatchObject({ 'failure.validation-status': 422, 'lead.name': 'required' });
    expect((await add('')).status).toBe(422);
    expect((await add('', mock.key())).status).toBe(400);
    expect(() => own.answers.set({ 'auth.missing-status': 403 })).toThrow("is the server's");
  });
});

describe('state', () => {
  test('a seed is there at once and after every reset, over HTTP too', async () => {
    own.seed({ leads: [{ name: 'Lena' }], templates: [{ name: 'Hello', body: '{{who}}' }] });
    expect((await add('Ada')).body).toMatchObject({ data: { lead_id: 'lead_000002' } });
    await exchange(`${mock.url}/__admin/reset`, 'POST', { key: own.apiKey });
    expect(own.state()).toMatchObject({
      leads: [{ lead_id: 'lead_000001', name: 'Lena' }],
      templates: [{ id: '1', variables: ['who'] }],
    });
  });

  test('of a seed file is read again by a reset where the file was changed', async () => {
    const folder = temporaryDirectory();
    const file = join(folder, 'seed.json');
    const write = (...names: string[]) =>
      writeFileSync(file, JSON.stringify({ leads: names.map((name) => ({ name })) }));
    write('first');
    await using seeded = await startMock({ seed: file });
    const workspace = seeded.workspace();
    const namesOf = ({ state }: MockWorkspace) => state().leads.map(({ name }) => name);
    expect(namesOf(workspace)).toEqual(['first']);
    write('second', 'third');
    workspace.reset();
    expect(namesOf(workspace)).toEqual(['second', 'third']);
    write('fourth and last');
    seeded.reset();
    expect([namesOf(seeded), namesOf(workspace)]).toEqual([['fourth and last'], ['second', 'third']]);
    write('fifth', 'sixth', 'seventh');
    await connectMock(seeded.url, { apiKey: workspace.apiKey }).reset();
    expect(namesOf(workspace)).toEqual(['fifth', 'sixth', 'seventh']);
    writeFileSync(file, '{"leads": 7}');
    expect(() => workspace.reset()).toThrow(/seed\.json:1: .*leads/);
    expect(namesOf(workspace)).toEqual(['fifth', 'sixth', 'seventh']);
    rmSync(folder, { recursive: true });
  });

  test('of one workspace seeds another', async () => {
    await add('Lena');
    await send('a@example.com');
    own.clock.freeze('2026-03-02T10:15:30Z');
    const other = mock.workspace();
    other.seed(own.state());
    expect(other.state()).toEqual(own.state());
  });

  test('handed out, it may be changed without changing anything', async () => {
    const templates = () =>
      mock
        .workspace()
        .state()
        .templates.map(({ name }) => name);
    const before = templates();
    for (const template of mock.workspace().state().templates) Object.assign(template, { name: 'changed' });
    expect(templates()).toEqual(before);
  });
});
