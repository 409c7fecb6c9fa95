// How long the largest and the worst input that is allowed holds the event loop of the mock.
import { request } from 'undici';
import { type Mock, startMock } from '../../mock/index.ts';
import { limits } from '../../mock/store/store.ts';
import type { Figure } from './table.ts';

/** Sends a request. @throws Error for another status, because another thing was measured then */
type Send = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object | string,
  status?: number,
) => Promise<void>;

/** Prepares a workspace of its own, and returns what is measured. @param sendAs sends with another key */
type Case = readonly [
  name: string,
  prepare: (send: Send, sendAs: (key: string) => Send) => Promise<() => Promise<unknown>>,
];

const bodyLength = limits.requestBytes - 1000;
const mail = (fields: object) => ({ from: 'a@example.com', subject: 's', html: '', ...fields });
const variables = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`v${number}`, '']));

/** An outbox of as many messages as are kept, with an HTML that makes them together nearly as long as a state may be. */
const fillOutbox = (send: Send, message: object = { html: '<p>hi <b>you</b></p>'.repeat(750) }) =>
  send('PUT', '/__admin/state', { outbox: Array(999).fill({ operation: 'sendEmail', ...message }) });

const putState = (name: string, state: object, status = 200): Case => {
  const body = JSON.stringify(state);
  return [name, async (send) => () => send('PUT', '/__admin/state', body, status)];
};

const cases: readonly Case[] = [
  ...['limit=1000', 'q=nothing', 'warning=heavy'].map(
    (query): Case => [
      `put a full outbox, list it by ${query}`,
      async (send) => async () => {
        await fillOutbox(send);
        await send('GET', `/__admin/outbox?${query}`);
      },
    ],
  ),
  ...(
    [
      ['?limit=1000', 200],
      ['?subject=zzz', 200],
      ['?q=zzz', 200],
      ['/wait?subject=zzz&timeout_ms=1', 404],
    ] as const
  ).map(
    ([query, status]): Case => [
      `look for the longest subjects by ${query}`,
      async (send) => {
        const longest = mail({ subject: 'Ж'.repeat(bodyLength / 2) });
        for (let sent = 0; sent < 30; sent += 1) await send('POST', '/api/v1/email/send', longest);
        return () => send('GET', `/__admin/outbox${query}`, undefined, status);
      },
    ],
  ),
  ...['<p>', '<a href="//x">', 'http://a ', '&amp;', 'я'].map(
    (unit): Case => [
      `read the longest mail of ${unit.trim()}`,
      async (send) => {
        const length = Buffer.byteLength(JSON.stringify(unit).slice(1, -1));
        await send('POST', '/api/v1/email/send', mail({ html: unit.repeat(bodyLength / length) }));
        return () => send('GET', '/__admin/outbox/latest');
      },
    ],
  ),
  [
    'fill in as many variables as a body holds',
    async (send) => {
      const values = variables(19_900);
      const body = Object.keys(values).map((name) => `{{${name}}}`);
      await send('POST', '/__admin/templates', { id: 'many', name: 'x', body: body.join('') }, 201);
      const email = { to: 'b@example.com', template_id: 'many', variables: values };
      return () => send('POST', '/api/v1/email/template', email);
    },
  ],
  ...Object.entries({
    brackets: `{"name":"x","a":${'['.repeat(bodyLength / 2 - 20)}${']'.repeat(bodyLength / 2 - 20)}}`,
    'unclosed brackets': '['.repeat(bodyLength),
    names: JSON.stringify(variables(bodyLength / 13)),
  }).map(
    ([what, text]): Case => [
      `refuse a body of ${what}`,
      async (send) => () => send('POST', '/api/v1/leads', text, 413),
    ],
  ),
  [
    `reset ${limits.leads} leads`,
    async (send) => {
      const leads = Array(limits.leads).fill({ name: 'x' });
      await send('PUT', '/__admin/state?seed=true', { leads });
      return () => send('POST', '/__admin/reset');
    },
  ],
  [
    'put a fault rule of as many values as there may be',
    async (send) => {
      const body = Array(limits.requestValues - 10).fill([]);
      return () => send('PUT', '/__admin/faults', { rules: [{ status: 500, body }] });
    },
  ],
  putState('put a state of 90,000 messages', { outbox: Array(90_000).fill({ operation: 'sendEmail' }) }),
  putState('put a state of 280,000 variables', {
    outbox: Array(14).fill({
      operation: 'sendTemplateEmail',
      variables: variables(limits.requestValues - 20),
    }),
  }),
  putState('refuse a state of 90,000 fault rules', { faults: Array(90_000).fill({ status: 500 }) }, 400),
  [
    'list a full outbox 40 times at once',
    async (send) => {
      await fillOutbox(send, { subject: 'x'.repeat(2000) });
      return () =>
        Promise.all(Array.from({ length: 40 }, () => send('GET', '/__admin/outbox?limit=1000&subject=x')));
    },
  ],
  [
    'end 300 waits among a thousand messages at once',
    async (send) => {
      await fillOutbox(send, { subject: 'x'.repeat(2000) });
      let number = 0;
      return async () => {
        number += 1;
        const path = `/__admin/outbox/wait?subject=n${number}&timeout_ms=120000`;
        const waits = Array.from({ length: 300 }, () => send('GET', path));
        await new Promise((resolve) => setTimeout(resolve, 300));
        await send('POST', '/api/v1/email/send', mail({ subject: `n${number}` }));
        await Promise.all(waits);
      };
    },
  ],
  [
    'keep 300 waits with the longest mail',
    async (send) => {
      for (let number = 0; number < 300; number += 1)
        void send('GET', `/__admin/outbox/wait?q=no${number}&timeout_ms=120000`).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const longest = mail({ subject: 'n'.repeat(bodyLength / 2), html: 'n'.repeat(bodyLength / 2 - 500) });
      return () => send('POST', '/api/v1/email/send', longest);
    },
  ],
  [
    'list a thousand requests with the longest keys',
    async (send, sendAs) => {
      const key = 'q'.repeat(7000);
      const sendUnclaimed = sendAs(key);
      for (let sent = 0; sent < 1000; sent += 1)
        await sendUnclaimed('GET', `/api/v1/${sent}${key}`, undefined, 404);
      return () => send('GET', '/__admin/requests?unclaimed=true&limit=1000');
    },
  ],
];

/** Milliseconds of the processor that the longest turn of the event loop takes until `run` has ended. */
const longestTurn = async (run: () => unknown): Promise<number> => {
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

const sender = ({ url }: Mock, key: string): Send => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return async (method, path, body, status = 200) => {
    const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? null);
    const reply = await request(url + path, { method, headers, body: text });
    // To parse the body is the work of a client.
    for await (const _chunk of reply.body);
    if (reply.statusCode !== status)
      throw new Error(`${method} ${path.slice(0, 100)} answered ${reply.statusCode}, not ${status}`);
  };
};

/** Measures the longest turn of each case beside the time to parse the largest body that is allowed. */
export const measureEventLoop = async (rounds: number): Promise<Figure[]> => {
  const mock = await startMock({ answers: { 'limits.body-size': 'above-1MiB' } });
  const repeat = async (run: () => unknown): Promise<number> => {
    // The shortest of all rounds: a collection of garbage, or another process, makes a turn longer by chance.
    let shortest = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round += 1) shortest = Math.min(shortest, await longestTurn(run));
    return shortest;
  };
  try {
    const reference = await repeat(() => JSON.parse(`[${'{},'.repeat(bodyLength / 3)}{}]`));
    const turns: [string, number][] = [];
    const sendAs = (key: string): Send => sender(mock, key);
    for (const [index, [name, prepare]] of cases.entries())
      turns.push([name, await repeat(await prepare(sendAs(`test_case_${index}`), sendAs))]);
    turns.sort(([, left], [, right]) => right - left);
    return turns.slice(0, 5).map(([name, time]) => ({
      figure: `Longest turn: ${name}`,
      value: `${time.toFixed(0)} ms, ${(time / reference).toFixed(1)} × parsing the largest body`,
      aim: '≤ 300 ms',
    }));
  } finally {
    await mock.close();
  }
};
