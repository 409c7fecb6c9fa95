import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { startMock } from '../index.ts';
import { startCommand } from '../testing/cli-process.ts';
import { runInProcess } from '../testing/in-process.ts';
import { exchange } from '../testing/mock-server.ts';
import { rawExchange } from '../testing/raw-http.ts';
import { serve, temporaryDirectory, temporaryFile } from '../testing/temporary.ts';
import { banner, runMock } from './mock.ts';

const templates = '/api/v1/email/templates';
const addLead = (url: string, name: string) => exchange(`${url}/api/v1/leads`, 'POST', { body: { name } });

test('prints what a person needs, and a curl that works as it stands, though the log has lost its reader', async () => {
  const { url, stdout, stderr, process: child } = await startCommand();
  for (const line of [`Base URL   ${url}`, 'API key    test_key', `Outbox     ${url}/ `])
    expect(stdout()).toContain(line);
  child.stdout.destroy();
  const curl = /curl [\s\S]*\}'/.exec(stdout())?.[0] ?? '';
  const { stdout: reply } = await promisify(execFile)('sh', ['-c', `${curl} --silent --show-error`]);
  expect(JSON.parse(reply)).toMatchObject({ success: true, data: { name: 'Lena Fischer' } });
  for (const _ of [1, 2]) expect((await exchange(url + templates, 'GET')).status).toBe(200);
  expect(stderr()).toBe('');
});

test('takes every flag from its environment twin; answers as assumed, over that as the profile says, over that as the flags say', async () => {
  const written = { observed_at: '2026-03-02T10:15:30.000Z', suite_version: '0.1.0', evidence: 'x' };
  const entry = { answer: 410, state: 'observed', ...written };
  const answers = { 'failure.unknown-route-status': entry, 'failure.wrong-method-status': entry };
  const known = { deployment: 'https://staging.example.com', questions_digest: 'any', answers };
  const profile = temporaryFile(JSON.stringify(known));
  const { url, stdout } = await startCommand(['--log', 'silent'], {
    EMAIL_LEADS_PORT: '1',
    EMAIL_LEADS_PROFILE: profile,
    EMAIL_LEADS_ACCEPT_KEY: 'sk_live_1\ntest_a\n',
    EMAIL_LEADS_ANSWER: 'failure.unknown-route-status=403\nfailure.malformed-json-status=422',
    EMAIL_LEADS_OUTBOX_LIMIT: '1',
    EMAIL_LEADS_DELAY: '1',
    EMAIL_LEADS_ALLOWED_HOST: 'mock.test',
    EMAIL_LEADS_ALLOWED_ORIGIN: 'http://localhost:5173',
    EMAIL_LEADS_LOG: 'loud',
  });
  const call = (method: string, path: string, key: string, headers = {}) =>
    exchange(url + path, method, { key, headers, body: {} });
  for (const key of ['sk_live_1', 'test_a']) expect((await call('GET', templates, key)).status).toBe(200);
  for (const key of ['test_b', 'test_a~']) expect((await call('GET', templates, key)).status).toBe(401);
  const caller = { host: 'mock.test', origin: 'http://localhost:5173' };
  expect(await call('GET', '/__admin/answers', 'test_a', caller)).toMatchObject({
    status: 200,
    body: {
      'failure.unknown-lead-status': 404,
      'failure.wrong-method-status': 410,
      'failure.unknown-route-status': 403,
      'failure.malformed-json-status': 422,
    },
  });
  expect(stdout()).not.toContain('sk_live');
});

test.each<[boolean, string[], string]>([
  [true, [], 'reaches the mock, but not its outbox (see --allowed-host).'],
  [true, ['localhost'], 'reaches the mock and reads its outbox.'],
  [false, ['localhost'], 'reaches the mock.'],
])('says whom a wide address lets in, with the outbox %j and the hosts %j', (admin, allowedHost, reach) => {
  const text = banner('http://127.0.0.1:4010', { host: '0.0.0.0', acceptKey: [], admin, allowedHost });
  expect(text).toContain(`Listening on 0.0.0.0: everyone who reaches this machine ${reach}\n`);
});

test('ignores the key of a real deployment, leaves the admin API out, and logs as JSON with nothing else', async () => {
  const env = { EMAIL_LEADS_API_KEY: 'sk_live_1', EMAIL_LEADS_NO_ADMIN: 'true' };
  const { url, stdout, printed } = await startCommand(['--log', 'json'], env);
  const absent = { status: 404, text: expect.not.stringContaining('outbox') };
  expect(await exchange(`${url}/__admin/health`, 'GET')).toMatchObject(absent);
  expect((await exchange(url + templates, 'GET', { key: 'sk_live_1' })).status).toBe(401);
  await exchange(url + templates, 'GET');
  await printed(/"status":200/);
  const lines = stdout().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'listening', url },
    { status: 404, why: expect.stringContaining('/__admin/health') },
    { status: 401, why: expect.stringContaining('header/Authorization') },
    { method: 'GET', url: templates, status: 200 },
  ]);
  expect(stdout()).not.toContain('sk_live_1');
});

test('keeps its state over being killed, set in the environment too; says what cannot be written', async () => {
  const own = temporaryDirectory();
  const state = join(own, 'state.json');
  const seed = temporaryFile('leads:\n  - name: Lena\n', 'seed.yaml');
  const env = { EMAIL_LEADS_SEED: seed, EMAIL_LEADS_STATE: state };
  const leads = async (url: string) => (await exchange(`${url}/__admin/leads`, 'GET')).body;
  const first = await startCommand([], env);
  await addLead(first.url, 'Tom');
  await expect.poll(() => readFileSync(state, 'utf8')).toContain('"Tom"');
  first.process.kill('SIGKILL');
  await first.ended;
  const { url, ...second } = await startCommand([], env);
  expect(await leads(url)).toMatchObject({ leads: [{ name: 'Lena' }, { name: 'Tom' }] });
  // The mock may write at this moment.
  rmSync(own, { recursive: true, maxRetries: 5 });
  await addLead(url, 'Tom');
  second.process.kill('SIGTERM');
  expect(await second.ended).toBe(2);
  expect(second.stderr()).toContain('state.json cannot be written: its folder does not exist\n');
});

test('a port that is taken is named, and by what', async () => {
  const other = new URL(await serve(() => undefined));
  await using mock = await startMock();
  const saidOf = async (port: number) => {
    const taken = `the mock cannot start: port ${port} on 127.0.0.1 is taken; choose another port (0 for any)`;
    const { code, text } = await runInProcess(runMock, ['--port', String(port)]);
    return [code, text.replace(`email-leads: ${taken}`, '')];
  };
  expect(await saidOf(Number(other.port))).toEqual([2, '']);
  // Half a second may be too short for the mock to answer on a busy machine.
  const isMock = expect.stringMatching(/^\. A mock of email-leads/);
  await expect.poll(() => saidOf(mock.port)).toEqual([2, isMock]);
});

test('the log is a line for each request and for what is none, without keys, whole or cut', async () => {
  const { url, printed, stdout, stderr } = await startCommand(['--accept-key', 'sk_live_1']);
  await exchange(url + templates, 'GET', { key: 'sk_live_1' });
  await exchange(`${url}/api/v1/sk_live_1`, 'GET');
  await exchange(`${url}/${'x'.repeat(493)}sk_live_1`, 'GET');
  await exchange(`${url}/api/v1/%zz`, 'GET');
  await rawExchange(Number(new URL(url).port), 'HELLO\r\n\r\n');
  await printed(/GET {4}\/api\/v1\/%zz → 400/);
  await printed(/- {6}\(not HTTP\) → 400/);
  await printed(/xRED\.\.\. → 404/);
  await printed(/\/api\/v1\/REDACTED → 404/);
  await printed(/GET {4}\/api\/v1\/email\/templates → 200 [\d.]+ ms/);
  expect(stdout() + stderr()).not.toContain('sk_live');
});

/** A mock that is asked to wait with its reply, and the request. */
const waiting = async (delay: number) => {
  const child = await startCommand();
  const headers = { prefer: `delay=${delay}` };
  const reply = exchange(child.url + templates, 'GET', { headers }).catch((error: Error) => error);
  await exchange(`${child.url}/__admin/requests/wait`, 'GET');
  return { child, reply };
};

// The process would never end if it waited for its connections, or for a delay of a minute.
test('a signal ends it with 0, with a request under way and idle keep-alive connections too', async () => {
  const { child, reply } = await waiting(60_000);
  const dispatcher = new Agent({ connections: 5, keepAliveTimeout: 60_000 });
  const call = () => request(`${child.url}/__admin/health`, { dispatcher }).then(({ body }) => body.dump());
  await Promise.all(Array.from({ length: 5 }, call));
  child.process.kill('SIGTERM');
  expect(await child.ended).toBe(0);
  expect(await reply).toBeInstanceOf(Error);
  expect(child.stdout()).toMatch(/→ 0 [\d.]+ ms .*the client closed the connection/);
  await dispatcher.destroy();
});

test('a signal lets a request finish that is nearly done, and a second one ends it with 130', async () => {
  const nearly = await waiting(150);
  nearly.child.process.kill('SIGTERM');
  expect(await nearly.child.ended).toBe(0);
  expect(await nearly.reply).toMatchObject({ status: 200 });
  const { child, reply } = await waiting(60_000);
  // Two different ones: the system may deliver two of a kind as one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) child.process.kill(signal);
  expect(await child.ended).toBe(130);
  await reply;
});
