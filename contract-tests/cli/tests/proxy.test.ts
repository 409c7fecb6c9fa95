// `proxy` and `check` as their users run them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../../mock/index.ts';
import { runInProcess } from '../../../mock/testing/in-process.ts';
import { serve as serveHttp, temporaryDirectory, temporaryFile } from '../../../mock/testing/temporary.ts';
import { inData } from '../../proof/server/mutation.ts';
import type { ExchangePage } from '../../proxy/journal.ts';
import { serialise } from '../../questions/profile.ts';
import { call, key, serve, startProxySession } from '../../testing/command.ts';
import { profileOf } from '../../testing/profile.ts';
import { ask } from '../../testing/proxy.ts';
import { runCheckCommand } from '../check.ts';
import { runProxyCommand } from '../proxy.ts';

const directory = temporaryDirectory();

const start = (upstream: string, ...flags: string[]) =>
  startProxySession(upstream, ['--report-dir', directory, ...flags]);

/** With a command after `--`, with which the session ends. */
const runWith = (upstream: string, flags: readonly string[], ...script: readonly string[]) => {
  const command = ['--', process.execPath, '--input-type=module', '-e', ...script];
  const address = ['--upstream', upstream, '--port', '0', '--report-dir', directory];
  return runInProcess(runProxyCommand, [...address, ...flags, ...command]);
};

/** An end-to-end test: adds a lead, changes it and deletes it. */
const useApp = async (url: string, apiKey = key): Promise<void> => {
  const lead = { name: 'Lena Fischer', source: 'web', note: 'Met at the fair' };
  const { data } = await call(url, 'POST', '/leads', lead, apiKey);
  await call(url, 'PUT', `/leads/${data.lead_id}`, { note: 'Called back' }, apiKey);
  await call(url, 'DELETE', `/leads/${data.lead_id}`, undefined, apiKey);
};

const wrongNote = inData('updateLead', (data) => ({ ...data, note: 'another note' }));

const listTemplates = `await fetch(process.env.EMAIL_LEADS_URL + '/api/v1/email/templates', {
  headers: { authorization: 'Bearer ${key}' } });`;

test('proxy with a command ends with it, and is green where all conforms', async () => {
  const { url } = await serve();
  const { code, stdout, stderr } = await runWith(url, ['--require', 'listTemplates'], listTemplates);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/Requests live: http:\/\/127\.0\.0\.1:\d+\/__proxy\/ui\//);
  expect(stdout).toMatch(/1 exchange checked, 0 of them broken/);
  expect(stdout).toMatch(/Verdict: conforms/);
  // With the code of a command that fails.
  expect((await runWith(url, [], `process.exit(7);`)).code).toBe(7);
});

test('proxy is not green where nothing was seen, or not what is required', async () => {
  const { url } = await serve();
  const idle = await start(url);
  await idle.end();
  expect([await idle.ended, idle.stdout()]).toEqual([3, expect.stringContaining('no request under /api/v1')]);
  const { url: proxied, end, ended, stdout } = await start(url, '--require', 'sendEmail');
  await useApp(proxied);
  await end();
  expect(await ended).toBe(3);
  expect(stdout()).toContain('no successful and documented exchange of sendEmail');
});

test('proxy ends with 4 where a pinned answer has changed', async () => {
  const profile = join(directory, 'staging.json');
  const { url } = await serve();
  const text = serialise(profileOf({ 'success.error-field': 'empty' }, {}, url));
  writeFileSync(profile, text);
  const proxy = await start(url, '--profile', profile);
  await useApp(proxy.url);
  await proxy.end();
  expect(await proxy.ended).toBe(4);
  expect(proxy.stdout()).toContain('Verdict: drift: 1 of 1 pinned answer changed: success.error-field');
  expect(readFileSync(profile, 'utf8')).toBe(text);
});

test.each([
  ['GET', '/api/v1/email/templates'],
  ['POST', '/api/v1/leads'],
])('proxy says once that a %s got no response, and does not send it again', async (method, path) => {
  let arrived = 0;
  const upstream = await serveHttp((req) => {
    arrived += 1;
    req.socket.resetAndDestroy();
  });
  const { url, end, stdout } = await start(upstream);
  const response = await fetch(url + path, { method });
  expect(response.status).toBe(502);
  const error = 'the upstream gave no response: ECONNRESET';
  const message = expect.stringContaining('may have taken effect; the proxy does not send it again.');
  expect(await response.json()).toMatchObject({ error, message });
  await end();
  expect(arrived).toBe(1);
  const reason = 'without a response (ECONNRESET)';
  expect(stdout().match(/^! .*/gm)).toEqual([expect.stringContaining(` ${method} ${path}: `)]);
  expect(stdout().split(reason)).toHaveLength(3);
  expect(stdout()).toContain(`not checked: 1 ${reason}`);
});

test('proxy judges every exchange of many clients at once, gives its report on request, and ends with it', async () => {
  const { url, end, ended, stdout } = await start((await serve()).url);
  await Promise.all(Array.from({ length: 60 }, () => call(url, 'GET', '/email/templates')));
  const traffic = { judged: 60, broken: 0, skip_reasons: {} };
  const report = { requests: 60, traffic, verdict: { exit_code: 0 } };
  expect(await (await fetch(`${url}/__admin/report`)).json()).toMatchObject(report);
  expect(await end()).toMatchObject(report);
  expect(await ended).toBe(0);
  expect(stdout()).toContain('traffic: 60 exchanges checked, 0 of them broken');
});

test('--enforce holds back what breaks the contract', async () => {
  const { url, end, stdout } = await start((await serve(wrongNote)).url, '--enforce');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const send = (method: string, path: string, body: object) =>
    fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  const { data } = await call(url, 'POST', '/leads', { name: 'Lena', source: 'web', note: 'x' });
  const changed = await send('PUT', `/leads/${data.lead_id}`, { note: 'Called back' });
  const broken = expect.stringContaining('leads.update.echoes-note');
  expect([changed.status, await changed.text()]).toEqual([502, broken]);
  const stray = await send('POST', '/contacts', {});
  expect([stray.status, await stray.text()]).toEqual([400, expect.stringContaining('no such path')]);
  const { requests } = (await (await fetch(`${url}/__proxy/requests?limit=1`)).json()) as ExchangePage;
  expect(requests).toMatchObject([{ status: 400, verdict: 'skipped', held_back: true, injected: null }]);
  const counts = { skip_reasons: { 'refused by --enforce': 1 }, requests: [{ kind: 'unknown route' }] };
  expect(await end()).toMatchObject({ requests: 3, traffic: { judged: 2, broken: 1, ...counts } });
  expect(stdout()).toMatch(/^\? refused [\d:]{8} POST \/api\/v1\/contacts → 400: .*no such path/m);
});

test('--enforce also holds back other spellings of a path, and bodies that cannot be checked', async () => {
  const received: string[] = [];
  const upstream = await serveHttp((req, res) => {
    received.push(req.url ?? '');
    res.end('{}');
  });
  const proxy = await start(`${upstream}/base`, '--enforce');
  const send = async (path: string, headers: object = {}, body = '{"note":"x"}'): Promise<string> => {
    const sent = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
    const reply = await ask(proxy.url, { path, method: 'PUT', headers: sent }, body);
    return `${reply.status} ${reply.body}`;
  };
  const spellings = [
    ...['/%61pi/v1/leads/1', '/%2561pi/v1/leads/1', '/api%2fv1/leads/1', '//api/v1/leads/1'],
    ...['/api/./v1/leads/1', '/x/../api/v1/leads/1', '/x/%2e%2E/api/v1/leads/1', '/x/..;/api/v1/leads/1'],
    ...['/api;a=1/v1/leads/1', '/\\api\\v1/leads/1', '/../base/api/v1/leads/1', '/api/v1/leads/..%2fleads'],
    ...['http://127.0.0.1/%61pi/v1/leads/1', '/api/v1/leads/..', '/api/v1//leads/1', '/API/v1/leads/1'],
  ];
  for (const path of spellings) expect(await send(path), path).toMatch(/^400 .*path/);
  const lead = '/api/v1/leads/1';
  expect(await send(lead, { 'content-encoding': 'snappy' })).toMatch(/^415 .*Content-Encoding \\"snappy\\"/);
  expect(await send('/%61pi/v1/leads', {}, ' '.repeat(2 ** 21))).toMatch(/^400 .*path/);
  expect(received).toEqual([]);
  for (const path of ['/other/api/v1/leads', '/api/v2/leads', '/api/v11', '/a;b//c%2fd/../e?/api/v1'])
    expect(await send(path, { 'content-encoding': 'snappy' })).toBe('200 {}');
  expect(received).toHaveLength(4);
  await proxy.end();
});

test('check judges the journal of the mock', async () => {
  const mock = await startMock();
  onTestFinished(mock.close);
  await useApp(mock.url, 'test_key');
  const har = join(directory, 'mock.har');
  writeFileSync(har, await (await fetch(`${mock.url}/__admin/requests.har?key=test_key`)).text());
  const { code, text } = await runInProcess(runCheckCommand, [har, '--require', 'deleteLead']);
  expect(code, text).toBe(0);
  expect(text).toContain('3 exchanges checked, 0 of them broken');
});

const request = { method: 'GET', url: 'https://api.example.com/api/v1/email/templates', headers: [] };
const response = { status: 200, headers: [] as unknown, content: { size: 12 } as object };
const entry = (changes: object = {}) => ({
  log: {
    version: '1.2',
    entries: [{ startedDateTime: '2026-03-02T10:15:30.000Z', time: 3, request, response, ...changes }],
  },
});
const content = { text: '{"success":true,"error":"","data":[],"message":""}' };
const withHeaders = (headers: unknown, changes = {}) =>
  entry({ response: { ...response, headers, content }, ...changes });

const check = (har: unknown) => runInProcess(runCheckCommand, [temporaryFile(JSON.stringify(har))]);

test('check reports a body that is missing, and guesses none', async () => {
  const { code, stdout } = await check(entry());
  expect(code).toBe(3);
  expect(stdout).toContain(': 1 recorded exchange with https://api.example.com\n');
  expect(stdout).toContain('not checked: 1 whose body is not in the recording');
  expect(stdout).toContain('\n1 request, of which 0 requested mail');
  expect(stdout).toContain('could not test: no response of a documented operation could be checked');
});

test('check reads odd headers as they were meant', async () => {
  const headers = [
    ...['content-type', 'Content-Type'].map((name) => ({ name, value: 'application/json' })),
    { name: 'content-length', value: 12 },
    ...['__proto__', 'constructor'].map((name) => ({ name, value: 'x' })),
    { name: 'x', value: 'x'.repeat(9_000_000) },
  ];
  const authorization = { name: 'authorization', value: 'Bearer sk_live_4f9c1e7ab2d8' };
  const changes = { request: { ...request, headers: [authorization, authorization] } };
  const { code, stdout } = await check(withHeaders(headers, changes));
  expect(code).toBe(0);
  expect(stdout).toMatch(/Verdict: conforms, with \d+ of \d+ checks skipped\n/);
});

/** As `String` cannot convert it. */
const unprintable = { toString: 1, valueOf: 1 };

test.each<[object, RegExp]>([
  [{}, /"log" is missing: this is not a HAR recording/],
  [{ log: { version: '2.0', entries: [] } }, /HAR 2\.0 is not supported, only 1\.2/],
  [{ log: {} }, /"log\.entries" is missing/],
  [entry({ request: { method: 'GET', url: 'x' } }), /entry 1: "request\.url" is not an address/],
  [entry({ startedDateTime: 'soon' }), /entry 1: "startedDateTime" is not a time/],
  [entry({ startedDateTime: unprintable }), /"startedDateTime" is not a time/],
  [withHeaders([{ name: 'Content-Type', value: unprintable }]), /not a text: Content-Type$/],
  [withHeaders([{ name: 'Content-Type', value: null }]), /not a text: Content-Type$/],
  [withHeaders([{ value: 'application/json' }]), /"response\.headers" has a header whose name or value/],
  [withHeaders({ 'content-type': 'x' }), /"response\.headers" is not a list/],
])('check: %j is no recording', async (recording, message) => {
  const said = await check(recording);
  expect(said.code).toBe(2);
  expect(said.text).toMatch(message);
});
