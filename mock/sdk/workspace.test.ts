// What a test does with its workspace, in the same process and over HTTP: the same methods, and over HTTP promises of the same results.
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { connectMock, type MockWorkspace, type RemoteWorkspace } from '../index.ts';
import { startCheckedMock } from '../testing/checked-mock.ts';
import { exchange } from '../testing/mock-server.ts';

const mock = await startCheckedMock();
afterAll(() => mock.close());

const ways: Readonly<Record<string, (own: MockWorkspace) => RemoteWorkspace>> = {
  // What is not a promise can be awaited all the same.
  'in the same process': (own) => own as unknown as RemoteWorkspace,
  'over HTTP': ({ apiKey }) => connectMock(`${mock.url}/`, { apiKey }),
};

/** What a method does, as a promise, also where it throws at once. */
const attempt = async (use: () => unknown): Promise<unknown> => use();

describe.each(Object.keys(ways))('%s', (way) => {
  let own: RemoteWorkspace;
  beforeEach(() => {
    own = ways[way]?.(mock.workspace()) as RemoteWorkspace;
  });
  const sendBody = (body: object, key = own.apiKey) =>
    exchange(`${mock.url}/api/v1/email/send`, 'POST', {
      key,
      body: { from: 'a@example.com', subject: 'Hi', html: '<p>', ...body },
    });
  const send = (to: string, subject = 'Hi') => sendBody({ to, subject });
  const add = (name = 'Lena', key = own.apiKey) =>
    exchange(`${mock.url}/api/v1/leads`, 'POST', { key, body: { name } });

  test('the outbox lists newest first, filtered, and is cleared', async () => {
    for (const to of ['a@example.com', 'b@example.com', 'a@example.com']) await send(to);
    const found = await own.outbox.list({ to: 'A@example.com' });
    expect(found.map(({ id }) => id)).toEqual(['msg_000003', 'msg_000001']);
    expect(await own.outbox.latest({ to: 'b@example.com' })).toMatchObject({ id: 'msg_000002' });
    expect(await own.outbox.latest({ to: 'x@example.com' })).toBeUndefined();
    await own.outbox.clear();
    expect(await own.outbox.list()).toEqual([]);
  });

  test('the outbox says where links lead, which codes there are, which request sent the mail, and what is wrong with it', async () => {
    await send('lena@example.com');
    const html = '<b>482913</b>, {{name}} <a href="https://example.com/in?a=1&amp;b=2">Sign in</a>';
    await sendBody({ to: 'ada@example.com', html });
    const [mail] = await own.outbox.waitFor({ warning: 'unresolved-placeholder' });
    expect(mail).toMatchObject({
      to: 'ada@example.com',
      snippet: '482913, {{name}} Sign in',
      links: ['https://example.com/in?a=1&b=2'],
      codes: ['482913'],
      warnings: [{ id: 'unresolved-placeholder', what: '{{name}} in line 1' }],
    });
    expect(JSON.parse(JSON.stringify(mail))).toEqual({ ...mail });
    expect(await own.outbox.list({ warning: 'unresolved-placeholder' })).toHaveLength(1);
    expect(mail.request_id).toBe((await own.requests.latest())?.id);
  });

  test('a wait finds what comes, and what came', async () => {
    const waiting = own.outbox.waitFor({ to: 'late@example.com' }, { timeout: Number.POSITIVE_INFINITY });
    const asked = own.requests.waitFor({ operation: 'addLead', status: 200 }, { timeout: 2 ** 31 });
    await send('early@example.com');
    await send('late@example.com', 'Welcome');
    await add('');
    await add();
    expect((await waiting)[0].subject).toBe('Welcome');
    expect((await asked)[0]).toMatchObject({ status: 200, request: { json: { name: 'Lena' } } });
    const both = await own.outbox.waitFor({}, { count: 2, timeout: 1 });
    expect(both.map(({ to }) => to)).toEqual(['late@example.com', 'early@example.com']);
  });

  test('a wait in vain says what came instead', async () => {
    await expect(own.outbox.waitFor({ to: 'x@example.com' }, { timeout: 5 })).rejects.toThrow(
      'not found within 5 ms: a message with {"to":"x@example.com"}; there was nothing',
    );
    await send('x@example.com', 'Other');
    const wait = { timeout: 5, count: 2 };
    await expect(own.outbox.waitFor({ to: 'x@example.com', subject: 'welcome' }, wait)).rejects.toThrow(
      /not found 2 times within 5 ms.*the nearest are msg_000001 to x@example.com "Other"/,
    );
    await expect(own.requests.waitFor({ operation: 'addLead' }, { timeout: 5 })).rejects.toThrow(
      'a request with {"operation":"addLead"}; the nearest are POST /api/v1/email/send → 200',
    );
  });

  test('a wait in vain says what may explain it', async () => {
    const waiting = () => own.outbox.waitFor({ to: 'x@example.com' }, { timeout: 5 }).then(String);
    const failure = () => waiting().catch((error: Error) => error.message);
    const other = mock.workspace();
    await sendBody({}, other.apiKey);
    expect(await failure()).toContain(`the workspace ${other.apiKey} has 1 message`);
    await sendBody({}, 'sk_live_of_somebody');
    expect(await failure()).toMatch(/sent without an accepted key.*: POST \/api\/v1\/email\/send → 401/);
    expect(await failure()).not.toContain('sk_live_of_somebody');
    await sendBody({ from: 'nobody' });
    expect(await failure()).toContain(
      '1 request was refused: POST /api/v1/email/send → 400 (body/from must match format "email")',
    );
    await sendBody({ from: 'nobody' });
    // What another key did explains nothing where there are messages; nor does a request that sent one.
    await own.faults.set({ status: 504, take_effect: true });
    await send('y@example.com', 'long '.repeat(100));
    expect(await failure()).toMatch(
      /nearest are msg_000001 to y@example.com ".{77}\.\.\."\n {2}2 requests were refused, the latest: POST[^\n]*$/,
    );
  });

  test('a wait for none ends when its time is over, or with what came', async () => {
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
    await own.requests.waitForNone({ operation: 'addLead' }, { timeout: 5 });
    await expect(own.requests.waitForNone({ operation: 'sendEmail' })).rejects.toThrow(
      'a request with {"operation":"sendEmail"} is POST /api/v1/email/send → 200',
    );
  });

  test('requests are listed with their bodies, found, counted and cleared', async () => {
    expect(await own.requests.latest()).toBeUndefined();
    await add('Lena');
    await exchange(`${mock.url}/api/v1/leads`, 'POST', { key: own.apiKey, body: '{"name":' });
    await exchange(`${mock.url}/api/v1/leads/lead_000009?x=1`, 'DELETE', { key: own.apiKey });
    expect((await own.requests.list()).map(({ status }) => status)).toEqual([404, 400, 200]);
    expect((await own.requests.latest({ status: 200 }))?.request.json).toEqual({ name: 'Lena' });
    expect((await own.requests.latest({ status: 400 }))?.request).toMatchObject({ body: '{"name":' });
    expect((await own.requests.latest({ status: 400 }))?.request.json).toBeUndefined();
    expect(await own.requests.latest({ operation: 'sendEmail' })).toBeUndefined();
    expect([await own.requests.count(), await own.requests.count({ status: '4xx' })]).toEqual([3, 2]);
    // As the contract writes it.
    expect(await own.requests.count({ path: '/api/v1/leads/{id}' })).toBe(1);
    expect(await own.requests.count({ path: '/api/v1/leads' })).toBe(2);
    await exchange(`${mock.url}/api/v1/lead`, 'POST', { key: own.apiKey });
    const unmatched = (await own.requests.list({ unmatched: true })).map(({ path }) => path);
    expect(unmatched).toContain('/api/v1/lead');
    expect(unmatched).not.toContain('/api/v1/leads');
    const ofNobody = { unmatched: true, path: `/api/v1/leads/${way.length}`, status: 401 };
    const arrival = own.requests.waitFor(ofNobody);
    await exchange(mock.url + ofNobody.path, 'DELETE', { key: 'key_of_nobody' });
    expect(await arrival).toMatchObject([{ status: 401 }]);
    await expect(own.requests.waitForNone(ofNobody)).rejects.toThrow(`${way.length} → 401`);
    await own.requests.clear();
    expect(await own.requests.count()).toBe(0);
  });

  test('faults: fail, fail, succeed', async () => {
    await own.faults.set({ operation: 'addLead', status: 503, times: 2, retry_after: 1 });
    const statuses = [await add(), await add(), await add()].map(({ status }) => status);
    expect(statuses).toEqual([503, 503, 200]);
    expect(await own.faults.list()).toMatchObject([{ matched: 2, left: 0 }]);
    await own.faults.set([{ status: 500 }]);
    await own.faults.clear();
    expect((await add()).status).toBe(200);
  });

  test('the clock stands still, moves and runs on', async () => {
    await own.clock.freeze('2026-03-02T10:15:30Z');
    expect((await add()).body).toMatchObject({ data: { created_at: '2026-03-02T10:15:30.000Z' } });
    await own.clock.advance(60_000);
    expect(await own.clock.now()).toEqual({ now: '2026-03-02T10:16:30.000Z', frozen: true });
    await own.clock.set(new Date('2030-01-01T00:00:00Z'));
    expect(await own.clock.now()).toEqual({ now: '2030-01-01T00:00:00.000Z', frozen: true });
    await own.clock.set(0);
    expect(await own.clock.now()).toEqual({ now: '1970-01-01T00:00:00.000Z', frozen: true });
    await own.clock.reset();
    await own.clock.set('2030-01-01T00:00:00Z');
    const now = expect.stringMatching(/^2030-01-01T00:00:0/);
    expect(await own.clock.now()).toMatchObject({ now, frozen: false });
    await own.clock.freeze();
    expect(await own.clock.now()).toMatchObject({ frozen: true });
  });

  test('answers are those of the workspace', async () => {
    await own.answers.set({ 'failure.validation-status': 422, 'lead.name': 'optional' });
    await own.answers.set({ 'lead.name': null });
    const expected = { 'failure.validation-status': 422, 'lead.name': 'required' };
    expect(await own.answers.get()).toMatchObject(expected);
  });

  test('a seed is there at once and after every reset', async () => {
    await own.seed({ leads: [{ name: 'Lena' }], templates: [{ name: 'Hello', body: '{{who}}' }] });
    expect((await add('Ada')).body).toMatchObject({ data: { lead_id: 'lead_000002' } });
    expect(await own.reset()).toBeUndefined();
    const leads = [{ lead_id: 'lead_000001', name: 'Lena' }];
    expect(await own.state()).toMatchObject({ leads, templates: [{ id: '1', variables: ['who'] }] });
  });

  test.each<[string, (of: RemoteWorkspace) => unknown, string]>([
    ['freeze(soon)', ({ clock }) => clock.freeze('soon'), '/now must be an ISO 8601 time'],
    ['an answer', ({ answers }) => answers.set({ 'send.to': 'maybe' as never }), 'send.to cannot be "maybe"'],
  ])('%s is refused, and changes nothing', async (_what, use, message) => {
    const before = await own.state();
    await expect(attempt(() => use(own))).rejects.toThrow(message);
    expect(await own.state()).toEqual(before);
  });
});

const looks = (filter: unknown) => (of: MockWorkspace) => {
  const { list, latest, waitFor, waitForNone } = of.outbox;
  return [list, latest, waitFor, waitForNone].map((look) => () => look(filter as object));
};
const waits = (options: object) => (of: MockWorkspace) =>
  [of.outbox, of.requests].map(
    ({ waitFor }) =>
      () =>
        waitFor({}, options),
  );
const ofWait = 'of the options of waitFor';

test.each<[(of: MockWorkspace) => readonly (() => unknown)[], string]>([
  // A filter that is ignored looks like one that works.
  [looks({ too: 'x' }), 'too of a filter of messages is not known here; did you mean to?'],
  [looks(() => true), 'a filter of messages must be object, not a function'],
  [looks({ to: /lena/ }), 'to of a filter of messages must be string, not /lena/'],
  [
    looks({ warning: 'placeholder' }),
    'warning of a filter of messages must be one of unresolved-placeholder, ',
  ],
  [waits({ timeout: -1 }), `timeout ${ofWait} must be a number of milliseconds, 0 or more, not -1`],
  [waits({ count: 0 }), `count ${ofWait} must be >= 1, not 0`],
  [waits({ count: 1001 }), `count ${ofWait} must be <= 1000, not 1001`],
  [waits({ timeout_ms: 5 }), `timeout_ms ${ofWait} is not known here; did you mean timeout?`],
  [({ clock }) => [() => clock.freeze(null as never)], 'clock.freeze takes a time as ISO 8601, a'],
  [({ clock }) => [() => clock.set(undefined as never)], 'clock.set takes a time as ISO 8601, a Date or'],
  [({ clock }) => [() => clock.advance('1h' as never)], 'takes milliseconds, not "1h"'],
])('case %# is refused: %s', async (usesOf, message) => {
  for (const use of usesOf(mock.workspace())) await expect(attempt(use)).rejects.toThrow(message);
});
