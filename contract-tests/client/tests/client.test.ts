// What every request of a run obeys: pauses, a rate limit, an interruption, the permissions for mail.
import { expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import { costOf, mailNotice, plannedMails } from '../../cost/cost.ts';
import { type Call, isRateLimit } from '../../exchange/exchange.ts';
import { refuse, refuseWhere } from '../../proof/server/mutation.ts';
import { selectChecks } from '../../runner/selection.ts';
import { summarise } from '../../runner/summary.ts';
import { clientOf, created, endOf, addLead as lead, listTemplates as list } from '../../testing/exchanges.ts';
import { emptyList, textReply, useRawServers, writing } from '../../testing/raw-server.ts';
import { runOn } from '../../testing/run-on.ts';
import { NotPermitted } from '../errors.ts';
import { defaultMaxSends, everythingPermitted, forbids, type Permissions } from '../permissions.ts';
import { intervalOf } from '../throttle.ts';

const serving = useRawServers();
const mail: Call = { ...lead, operation: 'sendEmail', path: '/', body: '{"to":"me@ours.test"}' };

const busy = (status: number, ...headers: string[]): string => textReply('', status, headers);
const later = (seconds: number): string => `Tue, 01 Jan 2030 00:00:0${seconds} GMT`;

test.concurrent.each([
  ['429 with seconds', busy(429, 'Retry-After: 1'), 950],
  ['503 with a date by a wrong clock', busy(503, `Date: ${later(0)}`, `Retry-After: ${later(1)}`), 950],
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
  const waiting = [send(list), send(lead)].map(endOf);
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
  const listing = endOf(send(list));
  await expect.poll(() => server.requests.length).toBe(2);
  controller.abort();
  expect(await listing).toBe('interrupted');
  expect(ledger.open()).toEqual([]);
  add();
  await idle();
  expect(ledger.open()).toEqual(['L1']);
  expect((await adding).outcome).toBe('success');
  expect(await endOf(send(lead))).toBe('interrupted');
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
  expect(client.effort().mailsRequested).toBe(3);
});

// What is permitted.

const nothing: Permissions = { writes: false, sendTo: undefined, unaddressed: false, maxSends: 60 };
const mine: Permissions = { ...nothing, sendTo: 'me@ours.test' };
const unaddressed: Permissions = { ...mine, unaddressed: true };

const call = (operation: Call['operation'], method: Call['method'], body?: unknown): Call => {
  const text = typeof body === 'object' ? JSON.stringify(body) : (body as string | undefined);
  return { ...list, operation, method, path: '/', body: text };
};
const mailWith = (body: unknown): Call => call('sendEmail', 'POST', body);
const template = (to: string): Call => call('sendTemplateEmail', 'POST', { to });

test.each<[string, Call, Permissions, RegExp | undefined]>([
  ['reading under any name', call('sendEmail', 'GET'), nothing, undefined],
  ['writing under the name of a list', call('listTemplates', 'POST', {}), nothing, /--allow-writes/],
  ['deleting', call('deleteLead', 'DELETE'), nothing, /--allow-writes/],
  ['deleting, permitted', call('deleteLead', 'DELETE'), { ...nothing, writes: true }, undefined],
  ['mail with writes only', mailWith({ to: 'me@ours.test' }), { ...nothing, writes: true }, /--send-to/],
  ['mail to the address', mailWith({ to: 'me@ours.test' }), mine, undefined],
  ['mail to another', mailWith({ to: 'you@ours.test' }), mine, /you@ours\.test/],
  ['mail to other letter case', mailWith({ to: 'Me@ours.test' }), mine, /Me@ours\.test/],
  ['mail to nobody', mailWith({}), mine, /--allow-unaddressed/],
  ['mail to a list', mailWith({ to: ['me@ours.test'] }), mine, /--allow-unaddressed/],
  ['mail with a copy', mailWith({ to: 'me@ours.test', cc: 'a@b.c' }), mine, /--allow-unaddressed/],
  ['mail that is no JSON', mailWith('{"to":"me@ours.test"'), mine, /--allow-unaddressed/],
  ['mail to nobody, permitted', mailWith({}), unaddressed, undefined],
  ['mail beyond the cap', mailWith({ to: 'me@ours.test' }), { ...mine, maxSends: 0 }, /--max-sends/],
  ['a template mail', template('me@ours.test'), mine, /--allow-unaddressed$/],
  ['a template mail to another', template('you@ours.test'), unaddressed, /you@ours\.test/],
])('%s', (_name, asked, permissions, reason) => {
  const said = forbids(asked, permissions, 0)?.message;
  if (reason) expect(said).toMatch(reason);
  else expect(said).toBeUndefined();
});

const only = (...ids: string[]) => selectChecks(checks, ids, []);

test.concurrent('a run only reads without a permission', async () => {
  const { exchanges, service } = await runOn([], { permissions: nothing });
  expect(exchanges.length).toBeGreaterThan(5);
  expect(exchanges.filter(({ method, body }) => method !== 'GET' || body !== undefined)).toEqual([]);
  expect([service.leads(), service.mails()]).toEqual([0, []]);
});

test.concurrent('a run skips the checks of template mails, names the flag, and conforms all the same', async () => {
  const { service, ...run } = await runOn(['email'], { permissions: mine });
  const templateMails = run.verdicts.filter(({ check }) => check.id.startsWith('email.template.'));
  for (const { status, reason } of templateMails)
    expect([status, reason]).toEqual(['skipped', expect.stringMatching(/ --allow-unaddressed$/)]);
  expect(new Set(service.mails())).toEqual(new Set(['me@ours.test']));
  expect(summarise(run, true).exitCode).toBe(0);
});

test.concurrent('a run leaves undecided what it may not send again', async () => {
  const mutation = refuseWhere('sendEmail', refuse(422, 'not acceptable'), ({ text }) =>
    /[^\0-\x7f]/.test(text),
  );
  const permissions = { ...everythingPermitted, maxSends: 3 };
  const run = await runOn(['email.send.success', 'email.send.letters'], { mutation, permissions });
  const undecided = run.verdicts.filter(({ status }) => status === 'inconclusive');
  expect(undecided.map(({ reason }) => reason)).toContainEqual(expect.stringMatching(/--max-sends 3/));
  expect(run.mailsRequested).toBe(3);
  expect(summarise(run, false).exitCode).toBe(3);
});

test('the notice says how many mails at most, and whom they reach', () => {
  const permissions = { ...unaddressed, maxSends: 90 };
  const planned = plannedMails(only('email.send'), permissions);
  const notices = [permissions, { ...permissions, unaddressed: false, maxSends: 3 }].map((given) =>
    mailNotice(planned, given).replaceAll(String(planned), 'N'),
  );
  expect(notices).toEqual([
    expect.stringMatching(/at most N mails to me@ours\.test and to .* or at most 90 if it repeats/),
    expect.stringMatching(/at most 3 mails to me@ours\.test \(--max-sends\).* up to N are needed/),
  ]);
  expect(plannedMails(only('leads'), permissions)).toBe(0);
  expect(costOf(checks, { ...permissions, unaddressed: false }).requests).toBeLessThan(
    costOf(checks, permissions).requests,
  );
  expect(plannedMails(checks, permissions, true)).toBeLessThan(defaultMaxSends.thorough);
});
