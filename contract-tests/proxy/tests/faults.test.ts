// Fault rules on the way to an upstream: what is sent on, what the client gets, the control plane, and a whole session.
import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { runInProcess } from '../../../mock/testing/in-process.ts';
import { exchange } from '../../../mock/testing/mock-server.ts';
import { serve, temporaryDirectory } from '../../../mock/testing/temporary.ts';
import { runCheckCommand } from '../../cli/check.ts';
import { inData } from '../../proof/server/mutation.ts';
import { key, serve as serveDeployment, startProxySession } from '../../testing/command.ts';
import { ask, startProxyInTest } from '../../testing/proxy.ts';
import type { ExchangePage } from '../journal.ts';

/** A proxy before an upstream that answers every request with this status. */
const start = async (rules: readonly object[], status = 200) => {
  const received: string[] = [];
  const upstream = await serve(async (req, res) => {
    received.push(`${req.method} ${req.url} ${await text(req)}`);
    res.writeHead(status, { 'content-type': 'application/json' }).end('{"success":true}');
  });
  const proxy = await startProxyInTest(upstream);
  expect((await admin(proxy.url, 'PUT', { rules })).status).toBe(200);
  return { ...proxy, received };
};

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

const admin = (url: string, method: string, body?: object) =>
  exchange(`${url}/__admin/faults`, method, body && { body });

/** One request on a connection of its own: the response, or the error of the client. */
const send = (url: string, method: string, path: string, body?: object, agent: Agent | false = false) =>
  ask(url + path, { method, agent, headers }, body && JSON.stringify(body)).then(
    (reply) => `${reply.status} ${reply.headers['retry-after'] ?? '-'} ${reply.body}`,
    (error: NodeJS.ErrnoException) => `${error.code}`,
  );

const leads = '/api/v1/leads';
const templates = '/api/v1/email/templates';

test('a fault rule of the proxy answers in place of the upstream, which does not get the request', async () => {
  const { url, received, observed } = await start([
    { operation: 'addLead', status: 503, retry_after: 2, times: 1 },
    { operation: 'addLead', status: 429, body: { success: false, error: 'busy' }, times: 1 },
  ]);
  const own = { success: false, error: 'Service unavailable', message: 'Try again later.' };
  expect(await send(url, 'POST', leads, { name: 'Ada' })).toBe(`503 2 ${JSON.stringify(own)}`);
  expect(await send(url, 'POST', leads, { name: 'Ada' })).toBe('429 - {"success":false,"error":"busy"}');
  expect(received).toEqual([]);
  expect(await send(url, 'POST', leads, { name: 'Ada' })).toBe('200 - {"success":true}');
  expect(received).toEqual([`POST ${leads} {"name":"Ada"}`]);
  expect(observed.map(({ status, injected }) => [status, injected])).toEqual([
    [503, { effect: 'answered', what: 'fault rule 1: 503' }],
    [429, { effect: 'answered', what: 'fault rule 2: 429' }],
    [200, undefined],
  ]);
});

test.each([
  ['CONNECTION_RESET_BY_PEER', 'ECONNRESET'],
  ['RANDOM_DATA_THEN_CLOSE', 'HPE_INVALID_CONSTANT'],
])('a fault rule of the proxy breaks the connection: %s', async (fault, error) => {
  const { url, received, observed } = await start([{ fault, times: 1 }]);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  expect(await send(url, 'POST', leads, { name: 'Ada' }, agent)).toBe(error);
  expect(received).toEqual([]);
  expect(observed).toMatchObject([{ status: 0, injected: { effect: 'answered' } }]);
  expect(await send(url, 'POST', leads, { name: 'Ada' }, agent)).toMatch(/^200/);
});

test('a fault rule of the proxy leaves a response alone where there is nothing to lose', async () => {
  const { url, received, observed } = await start([{ status: 504, take_effect: true }], 400);
  expect(await send(url, 'POST', leads, { name: 'Ada' })).toBe('400 - {"success":true}');
  expect(received).toHaveLength(1);
  expect(observed).toMatchObject([{ status: 400, injected: undefined }]);
});

test('a fault rule of the proxy delays a request, and does not send it after the client has left', async () => {
  const { url, received, observed } = await start([{ delay_ms: 60, nth: 1 }, { delay_ms: 60_000 }]);
  const started = performance.now();
  expect(await send(url, 'GET', templates)).toMatch(/^200/);
  expect(performance.now() - started).toBeGreaterThan(55);
  await expect(fetch(url + templates, { signal: AbortSignal.timeout(30) })).rejects.toThrow('aborted');
  await expect.poll(() => observed.length).toBe(2);
  expect(received).toHaveLength(1);
  const responseBody = { missing: expect.stringContaining('left') };
  expect(observed).toMatchObject([
    { status: 200, injected: { effect: 'delayed', what: 'fault rule 1: delayed' } },
    { status: 0, injected: { effect: 'delayed' }, responseBody },
  ]);
});

test('a fault rule of the proxy selects by the contents of the body, and never what is no operation', async () => {
  const rules = [
    { when: { name: 'Slow Joe' }, status: 503 },
    { status: 418, operation: 'listTemplates' },
  ];
  const { url, received } = await start(rules);
  expect(await send(url, 'POST', leads, { name: 'Ada' })).toMatch(/^200/);
  expect(await send(url, 'POST', leads, { name: 'Slow Joe', note: 'x' })).toMatch(/^503/);
  expect(await send(url, 'GET', '/health')).toMatch(/^200/);
  expect(await send(url, 'GET', templates)).toMatch(/^418/);
  expect(await send(url, 'HEAD', templates)).toMatch(/^418/);
  expect(received).toHaveLength(2);
});

test('its control plane is that of a mock: it counts, and clears the rules', async () => {
  const { url } = await start([{ status: 503, times: 2 }]);
  await send(url, 'POST', leads, {});
  const rules = [{ status: 503, times: 2, seen: 1, matched: 1, left: 1 }];
  expect(await admin(url, 'GET')).toMatchObject({ status: 200, body: { rules } });
  expect((await admin(url, 'DELETE')).status).toBe(200);
  expect((await admin(url, 'GET')).body).toEqual({ rules: [] });
});

test('a lost response shows that a client adds a lead twice, and is no finding; what the server does wrong beside it still is', async () => {
  const service = await serveDeployment(inData('updateLead', (data) => ({ ...data, note: 'another note' })));
  const directory = temporaryDirectory();
  const [har, faults] = [join(directory, 'run.har'), join(directory, 'faults.json')];
  const rules = [
    { operation: 'addLead', fault: 'CONNECTION_RESET_BY_PEER', take_effect: true, times: 1 },
    { operation: 'addLead', status: 500, body: '<h1>oops</h1>', nth: 3 },
    { operation: 'updateLead', status: 504, take_effect: true },
  ];
  writeFileSync(faults, JSON.stringify({ rules }));
  const flags = ['--faults', faults, '--record', har, '--report-dir', directory];
  const { url, end, ended, stdout } = await startProxySession(service.url, flags);
  const lead = { name: 'Lena Fischer', source: 'web', note: 'Met at the fair' };
  const add = () => send(url, 'POST', leads, lead);
  expect(await add()).toBe('ECONNRESET');
  const added = JSON.parse((await add()).slice('200 - '.length));
  expect(service.leads()).toBe(2);
  const updated = await send(url, 'PUT', `${leads}/${added.data.lead_id}`, { note: 'Called back' });
  expect(updated).toMatch(/^504 - .*Gateway timeout/);
  expect(await add()).toBe('500 - <h1>oops</h1>');
  const lost = 'fault rule 1: CONNECTION_RESET_BY_PEER in place of the response';
  const { requests } = (await (await fetch(`${url}/__proxy/requests`)).json()) as ExchangePage;
  const shown = requests.map((one) => [one.status, one.verdict, one.findings[0]?.check, one.injected]);
  expect(shown).toEqual([
    [500, 'skipped', undefined, 'fault rule 2: 500'],
    [200, 'fail', 'leads.update.echoes-note', expect.stringContaining('fault rule 3: 504')],
    [200, 'pass', undefined, null],
    [200, 'pass', undefined, lost],
  ]);
  const skipped = 'answered by a fault rule of the proxy';
  expect(await end()).toMatchObject({
    traffic: { judged: 3, broken: 1, injected: { [lost]: 1 }, skip_reasons: { [skipped]: 1 } },
  });
  expect(await ended).toBe(1);
  expect(stdout()).toMatch(
    /^✗ [\d:]{8} PUT \/api\/v1\/leads\/\S+ → 200: leads\.update\.echoes-note \(§4\.6/m,
  );
  expect(stdout()).toMatch(/^~ [\d:]{8} POST \/api\/v1\/leads → 200: fault rule 1: CONNECTION_RESET/m);
  const check = await runInProcess(runCheckCommand, [har, '--report-dir', directory]);
  expect(check.code).toBe(1);
  for (const said of ['3 exchanges checked, 1 of them broken', `by ${lost}`, `not checked: 1 ${skipped}`])
    expect(check.stdout).toContain(said);
});
