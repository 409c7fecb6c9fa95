// What every request of a run obeys: pauses, a rate limit, an interruption, the permissions for mail.
import { expect, test } from 'vitest';
import { type Call, isRateLimit } from '../../exchange/exchange.ts';
import {
  clientOf,
  created,
  ending,
  addLead as lead,
  listTemplates as list,
} from '../../testing/exchanges.ts';
import { emptyList, textReply, useRawServers, writing } from '../../testing/raw-server.ts';
import { NotPermitted } from '../errors.ts';
import { everythingPermitted } from '../permissions.ts';
import { intervalOf } from '../throttle.ts';

const serving = useRawServers();
const mail: Call = {
  ...lead,
  operation: 'sendEmail',
  path: '/api/v1/email/send',
  body: '{"to":"me@ours.test"}',
};

const busy = (status: number, ...headers: string[]): string => textReply('', status, headers);

test.concurrent.each([
  ['429 with seconds', busy(429, 'Retry-After: 1'), 950],
  [
    '503 with a date by a clock that is wrong',
    busy(503, 'Date: Tue, 01 Jan 2030 00:00:00 GMT', 'Retry-After: Tue, 01 Jan 2030 00:00:01 GMT'),
    950,
  ],
  ['429 that does not say how long', busy(429), 950],
  ['429 with a date that is over', busy(429, 'Retry-After: Tue, 01 Jan 2019 00:00:00 GMT'), 40],
])('a deployment that asks for a pause gets it: %s', async (_name, reply, least) => {
  const server = await serving(({ nth }, socket) => socket.write(nth === 1 ? reply : created));
  const { send } = clientOf(server.url);
  const started = performance.now();
  expect((await send(lead)).outcome).toBe('success');
  expect(performance.now() - started).toBeGreaterThan(least);
  expect(server.requests).toHaveLength(2);
});

test.each([
  ['too long a pause', busy(429, 'Retry-After: 3600'), 429],
  ['a pause of days', busy(503, 'Retry-After: Fri, 01 Jan 2100 00:00:00 GMT'), 503],
])('a deployment that asks for %s is taken for a gateway', async (_name, reply, status) => {
  const server = await serving(writing(reply));
  expect(await clientOf(server.url).send(list)).toMatchObject({ status, outcome: 'gateway' });
  expect(server.requests).toHaveLength(1);
});

test('a deployment that asks for a pause holds every request of the run back', async () => {
  const server = await serving(({ nth }, socket) =>
    socket.write(nth === 1 ? busy(429, 'Retry-After: 1') : emptyList),
  );
  let isPaused = false;
  const { send } = clientOf(server.url, { onWait: () => (isPaused = true) });
  const first = send(list);
  await expect.poll(() => isPaused).toBe(true);
  await Promise.all([first, send(list), send(list)]);
  const [asked, ...later] = server.requests.map(({ at }) => at);
  for (const at of later) expect(at - (asked ?? 0)).toBeGreaterThan(900);
});

test.each([
  ['5/s', 200],
  ['90/m', 60_000 / 90],
  ['0/s', undefined],
  ['1.5/s', undefined],
  ['5/h', undefined],
  ['5/s/s', undefined],
])('a rate limit: %j is a request every %s ms', (rate, ms) => expect(intervalOf(rate)).toBe(ms));

test.each([
  [403, 'Secondary limit', { 'retry-after': '1' }, true],
  [200, 'Rate limit exceeded', {}, true],
  [422, 'Too many leads at once', {}, true],
  [409, 'Locked: retry in 2 seconds', {}, true],
  [400, 'Something went wrong, try again later', {}, false],
  [401, 'No such key', { 'retry-after': '1' }, false],
  [500, 'Rate limit storage failed', {}, false],
])('%d %j asks for a later request: %j', (status, error, headers, expected) => {
  expect(isRateLimit({ status, headers, json: { success: false, error } })).toBe(expected);
});

test('a rate limit paces all requests in the order they came, repeats included', async () => {
  const server = await serving(({ nth, method }, socket) => {
    if (nth === 2) socket.write(textReply('', 429, ['Retry-After: 0']));
    else socket.write(method === 'GET' ? emptyList : created);
  });
  const started = performance.now();
  const { send } = clientOf(server.url, { interval: 40 });
  const paths = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `/api/v1/${name}`);
  await Promise.all(paths.map((path) => send({ ...list, path })));
  expect(server.requests).toHaveLength(7);
  // From the start on, as a busy machine may notice one request late and the next one at once.
  for (const [index, { at }] of server.requests.entries())
    expect(at - started).toBeGreaterThan(index * 40 - 10);
  expect(server.requests.slice(0, 4).map(({ path }) => path)).toEqual(paths.slice(0, 4));
});

test('a rate limit lets what is interrupted out of the queue', async () => {
  const server = await serving(writing(emptyList));
  const controller = new AbortController();
  const { send } = clientOf(server.url, { interval: 60_000, signal: controller.signal });
  await send(list);
  const waiting = [send(list), send(lead)].map(ending);
  controller.abort();
  expect(await Promise.all(waiting)).toEqual(['interrupted', 'interrupted']);
  expect(server.requests).toHaveLength(1);
});

test('an interruption ends a request under way, but waits for a lead that is being added', async () => {
  let add = (): void => undefined;
  const server = await serving(({ method }, socket) => {
    if (method === 'POST') add = () => void socket.write(created);
  });
  const controller = new AbortController();
  const { send, ledger, idle } = clientOf(server.url, { signal: controller.signal });
  const adding = send(lead);
  const listing = ending(send(list));
  await expect.poll(() => server.requests.length).toBe(2);
  controller.abort();
  expect(await listing).toBe('interrupted');
  expect(ledger.open()).toEqual([]);
  add();
  await idle();
  expect(ledger.open()).toEqual(['L1']);
  expect((await adding).outcome).toBe('success');
  expect(await ending(send(lead))).toBe('interrupted');
});

test('a lead may be left by every attempt that a gateway answered', async () => {
  const server = await serving(({ nth }, socket) =>
    socket.write(nth < 3 ? textReply('<h1>Unavailable</h1>', 503, ['Retry-After: 0']) : created),
  );
  const { send, ledger } = clientOf(server.url);
  await send(lead);
  expect({ open: ledger.open(), lost: ledger.lost() }).toEqual({ open: ['L1'], lost: 2 });
});

const permissions = { ...everythingPermitted, sendTo: 'me@ours.test', maxSends: 3 };

test('mail counts with every repeat towards --max-sends, but where it came too fast', async () => {
  const busy = textReply('', 429, ['Retry-After: 0']);
  const unavailable = textReply('', 503, ['Retry-After: 0']);
  const server = await serving(({ nth }, socket) => socket.write(nth === 1 ? busy : unavailable));
  const client = clientOf(server.url, { permissions });
  await expect(client.send(mail)).rejects.toThrow(NotPermitted);
  expect(server.requests).toHaveLength(4);
  expect(client.mailsRequested()).toBe(3);
});
