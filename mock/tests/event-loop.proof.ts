// Nothing of any allowed size holds the event loop for long: the limits of what is large see to it.
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock } from '../index.ts';
import { limits } from '../store/store.ts';
import { useMock } from '../testing/mock-server.ts';

const mock = useMock({ answers: { 'limits.body-size': 'above-1MiB' } }, 'HTTP', startMock);

const body = limits.requestBytes - 1000;
const mail = (fields: object) => ({ from: 'a@example.com', subject: 's', html: '', ...fields });
const send = (key: string, fields: object) =>
  mock.call('POST', '/api/v1/email/send', { key, body: mail(fields) });

/** Milliseconds of the processor that the longest turn of the event loop takes until `run` has ended. */
const longestTurn = async (run: () => Promise<unknown>): Promise<number> => {
  let longest = 0;
  let last = process.cpuUsage();
  let running = true;
  const probe = (): void => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    longest = Math.max(longest, (user + system) / 1000);
    if (running) setImmediate(probe);
  };
  setImmediate(probe);
  await run();
  await new Promise((resolve) => setImmediate(resolve));
  running = false;
  return longest;
};

// One piece of work of about the length that is allowed: the largest body, of as many values as it can have.
const parseLargestBody = (): unknown => JSON.parse(`[${'{},'.repeat(body / 3)}{}]`);

// Room for a collection of garbage that falls into the turn, and for the work of the client, which is in this process too.
// About 300 ms: nothing of an allowed size may take longer.
const allowed = 10;
const attempts = 5;

let reference = 0;
beforeAll(async () => {
  const times = [];
  for (let time = 0; time < attempts; time += 1)
    times.push(await longestTurn(async () => void parseLargestBody()));
  reference = Math.min(...times);
});

const expectShortTurns = async (run: () => Promise<unknown>): Promise<void> => {
  let shortest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && shortest > allowed * reference; attempt += 1)
    shortest = Math.min(shortest, await longestTurn(run));
  expect(shortest).toBeLessThanOrEqual(allowed * reference);
};

/** Reads nothing of the response: to parse it is the work of a client. */
const get = (key: string, path: string) => async () => {
  const { body } = await request(mock.url + path, { headers: { authorization: `Bearer ${key}` } });
  for await (const _chunk of body);
};

describe('no turn is long', () => {
  afterAll(() => mock.call('POST', '/__admin/reset'));

  test('while a thousand mails are listed and searched', async () => {
    // Together nearly as long as a state may be.
    const html = '<p>hi <b>you</b></p>'.repeat(750);
    const fill = async (key: string): Promise<string> => {
      const outbox = Array.from({ length: 1000 }, () => ({ operation: 'sendEmail', html }));
      expect((await mock.call('PUT', '/__admin/state', { key, body: { outbox } })).status).toBe(200);
      return key;
    };
    // Read once, a mail is not read again.
    await expectShortTurns(async () => get(await fill(mock.key()), '/__admin/outbox?limit=1000')());
    await expectShortTurns(async () => get(await fill(mock.key()), '/__admin/outbox?q=nothing%20such')());
    await expectShortTurns(async () => get(await fill(mock.key()), '/__admin/outbox?warning=heavy')());
  });

  test('while mails with the longest subjects are listed, searched and waited for', async () => {
    const key = mock.key();
    for (let sent = 0; sent < 30; sent += 1) await send(key, { subject: 'Ж'.repeat(body / 2) });
    for (const query of ['?limit=1000', '?subject=zzz', '?q=zzz', '/wait?subject=zzz&timeout_ms=1'])
      await expectShortTurns(get(key, `/__admin/outbox${query}`));
  });

  test.each(['<p>', '<a href="//x">', 'http://a ', '&amp;', 'я'])(
    'while the largest mail of %s is read',
    async (unit) => {
      const key = mock.key();
      await send(key, { html: unit.repeat(body / Buffer.byteLength(JSON.stringify(unit).slice(1, -1))) });
      await expectShortTurns(get(key, '/__admin/outbox/latest'));
    },
  );

  test('while a template is filled in with as many variables as a body holds', async () => {
    const key = mock.key();
    const names = Array.from({ length: 19_900 }, (_, number) => `v${number}`);
    const template = { id: 'many', name: 'x', body: names.map((name) => `{{${name}}}`).join('') };
    expect((await mock.call('POST', '/__admin/templates', { key, body: template })).status).toBe(201);
    const variables = Object.fromEntries(names.map((name) => [name, '']));
    const email = { to: 'b@example.com', template_id: 'many', variables };
    await expectShortTurns(() => mock.call('POST', '/api/v1/email/template', { key, body: email }));
  });

  test.each([
    ['brackets', `{"name":"x","a":${'['.repeat(body / 2 - 20)}${']'.repeat(body / 2 - 20)}}`],
    ['brackets that nothing closes', '['.repeat(body)],
    ['names', `{${Array.from({ length: body / 13 }, (_, number) => `"k${number}":1`).join()}}`],
  ])('while a body of %s is judged', async (_what, text) => {
    const key = mock.key();
    await expectShortTurns(() => mock.call('POST', '/api/v1/leads', { key, body: text }));
  });

  test('while as many leads as there may be are reset', async () => {
    const key = mock.key();
    const leads = Array.from({ length: 40_000 }, () => ({ name: 'x' }));
    await mock.call('PUT', '/__admin/state?seed=true', { key, body: { leads } });
    await expectShortTurns(() => mock.call('POST', '/__admin/reset', { key }));
  });

  test('while fault rules of as many values as there may be are set', async () => {
    const key = mock.key();
    const body = {
      rules: [
        {
          status: 500,
          body: Array(limits.requestValues - 10)
            .fill([[]])
            .flat(),
        },
      ],
    };
    await expectShortTurns(async () =>
      expect((await mock.call('PUT', '/__admin/faults', { key, body })).status).toBe(200),
    );
  });

  test.each<[string, number, () => object]>([
    ['more messages than are kept', 200, () => ({ outbox: Array(90_000).fill({ operation: 'sendEmail' }) })],
    [
      'messages of as many variables as there may be',
      200,
      () => {
        const names = Array.from({ length: limits.requestValues - 20 }, (_, at) => [`v${at}`, '']);
        const message = { operation: 'sendTemplateEmail', variables: Object.fromEntries(names) };
        return { outbox: Array(14).fill(message) };
      },
    ],
    ['too many fault rules', 400, () => ({ faults: Array(90_000).fill({ status: 500 }) })],
  ])('while a state of %s is put', async (_what, status, state) => {
    const body = JSON.stringify(state());
    await expectShortTurns(async () => {
      const headers = { authorization: `Bearer ${mock.key()}`, 'content-type': 'application/json' };
      const response = await request(`${mock.url}/__admin/state`, { method: 'PUT', headers, body });
      expect(response.statusCode).toBe(status);
      for await (const _chunk of response.body);
    });
  });

  test('while many lists are asked for at once', async () => {
    const key = mock.key();
    const outbox = Array(1000).fill({ operation: 'sendEmail', subject: 'x'.repeat(2000) });
    await mock.call('PUT', '/__admin/state', { key, body: { outbox } });
    const path = '/__admin/outbox?limit=1000&subject=x';
    await expectShortTurns(() => Promise.all(Array.from({ length: 40 }, get(key, path))));
  });

  test('while hundreds of waits for messages among a thousand end at once', async () => {
    const key = mock.key();
    const outbox = Array(999).fill({ operation: 'sendEmail', subject: 'x'.repeat(2000) });
    await mock.call('PUT', '/__admin/state', { key, body: { outbox } });
    const waiting = async () =>
      ((await mock.call('GET', '/__admin/health')).body as { waiting: number }).waiting;
    let number = 0;
    await expectShortTurns(async () => {
      number += 1;
      const path = `/__admin/outbox/wait?subject=n${number}&timeout_ms=120000`;
      const waits = Array.from({ length: 300 }, get(key, path));
      await expect.poll(waiting).toBe(300);
      await send(key, { subject: `n${number}` });
      await Promise.all(waits);
    });
  });

  test('while a thousand requests with the longest keys are listed', async () => {
    const key = 'q'.repeat(7000);
    for (let sent = 0; sent < 1000; sent += 1) await mock.call('GET', `/api/v1/${sent}${key}`, { key });
    await expectShortTurns(get('test_key', '/__admin/requests?unclaimed=true&limit=1000'));
  });

  test('while hundreds wait for another mail than the largest that comes', async () => {
    const key = mock.key();
    const waits = Array.from({ length: 300 }, (_, number) =>
      mock.call('GET', `/__admin/outbox/wait?q=no${number}%20mail&timeout_ms=120000`, { key }),
    );
    const waiting = async () => (await mock.call('GET', '/__admin/health')).body as { waiting: number };
    await expect.poll(async () => (await waiting()).waiting).toBe(300);
    await expectShortTurns(() =>
      send(key, { subject: 'n'.repeat(body / 2), html: 'n'.repeat(body / 2 - 500) }),
    );
    await mock.call('POST', '/__admin/reset', { key });
    await Promise.all(waits);
  });
});
