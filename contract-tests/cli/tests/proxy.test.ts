// `proxy` and `check` as their users run them.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, createServer, type RequestListener, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../../mock/index.ts';
import { bin, runNode } from '../../../mock/testing/cli-process.ts';
import { onSuccess } from '../../proof/server/mutation.ts';
import { emptyProfile, serialise } from '../../questions/profile.ts';
import {
  call,
  key,
  runInProcess,
  serve,
  startProxySession,
  temporaryDirectory,
} from '../../testing/command.ts';
import { selfSigned } from '../../testing/self-signed.ts';
import { runCheckCommand } from '../check.ts';
import { runProxyCommand } from '../proxy.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});

const start = (upstream: string, ...flags: string[]) =>
  startProxySession(upstream, ['--report-dir', directory, ...flags]);

/** With a command after `--`, with which the session ends. */
const runWith = (upstream: string, flags: readonly string[], ...script: readonly string[]) => {
  const command = ['--', process.execPath, '--input-type=module', '-e', ...script];
  const address = ['--upstream', upstream, '--port', '0', '--report-dir', directory];
  return runInProcess(runProxyCommand, [...address, ...flags, ...command]);
};

/** Another upstream than the service. */
const serveHttp = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** An end-to-end test: adds a lead, changes it and deletes it. */
const useApp = async (url: string, apiKey = key): Promise<void> => {
  const lead = { name: 'Lena Fischer', source: 'web', note: 'Met at the fair' };
  const { data } = await call(url, 'POST', '/leads', lead, apiKey);
  await call(url, 'PUT', `/leads/${data.lead_id}`, { note: 'Called back' }, apiKey);
  await call(url, 'DELETE', `/leads/${data.lead_id}`, undefined, apiKey);
};

const wrongNote = onSuccess('updateLead', (reply) => ({
  ...reply,
  body: { ...reply.body, data: { ...(reply.body.data as object), note: 'another note' } },
}));

describe('proxy', () => {
  const listTemplates = `await fetch(process.env.EMAIL_LEADS_URL + '/api/v1/email/templates', {
    headers: { authorization: 'Bearer ${key}' } });`;

  test('with a command ends with it, and is green where all conforms', async () => {
    const { url } = await serve();
    const { code, stdout, stderr } = await runWith(url, ['--require', 'listTemplates'], listTemplates);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/Requests live: http:\/\/127\.0\.0\.1:\d+\/__proxy\/ui\//);
    expect(stdout).toMatch(/1 exchange checked, 0 of them broken/);
    expect(stdout).toMatch(/Verdict: conforms/);
  });

  test('ends with the code of a command that fails', async () => {
    const { url } = await serve();
    expect((await runWith(url, [], `${listTemplates}\nprocess.exit(7);`)).code).toBe(7);
  });

  test('is red where a response breaks a documented fact, and names it at once', async () => {
    const { url, end, ended, text } = await start((await serve(wrongNote)).url, '--report', 'console,json');
    await useApp(url);
    expect(text()).toMatch(/✗ .* PUT \/api\/v1\/leads\/\S+ → 200: leads\.update\.echoes-note \(§4\.6/);
    await end();
    expect(await ended).toBe(1);
    const report = readFileSync(join(directory, 'report.json'), 'utf8');
    expect(JSON.parse(report)).toMatchObject({
      verdict: { exit_code: 1 },
      traffic: { judged: 3, broken: 1 },
    });
    expect(report + text()).not.toContain(key);
  });

  test('is not green where nothing was seen, or not what is required', async () => {
    const { url } = await serve();
    const quiet = await start(url);
    await quiet.end();
    expect(await quiet.ended).toBe(3);
    expect(quiet.stdout()).toContain('could not test: no request under /api/v1 was seen');
    const other = await start(url, '--require', 'sendEmail');
    await useApp(other.url);
    await other.end();
    expect(await other.ended).toBe(3);
    expect(other.stdout()).toContain('no successful and documented exchange of sendEmail was seen');
  });

  test('names the drift of a pinned answer at once, and ends with 4', async () => {
    const profile = join(directory, 'staging.json');
    const { url } = await serve();
    const text = serialise({
      ...emptyProfile(url),
      answers: {
        'success.error-field': {
          answer: 'empty',
          state: 'pinned',
          observed_at: '2026-01-01T00:00:00.000Z',
          suite_version: '0.1.0',
          evidence: 'POST /api/v1/leads: 200',
          reason: 'the app relies on it',
        },
      },
    });
    writeFileSync(profile, text);
    const proxy = await start(url, '--profile', profile);
    await useApp(proxy.url);
    expect(proxy.stdout()).toMatch(
      /≠ .* POST \/api\/v1\/leads → 200: drift: success\.error-field is pinned as empty, this response shows absent/,
    );
    await proxy.end();
    expect(await proxy.ended).toBe(4);
    expect(proxy.stdout()).toContain('Verdict: drift: 1 of 1 pinned answer changed: success.error-field');
    expect(readFileSync(profile, 'utf8')).toBe(text);
  });

  test('forwards to https byte for byte, once it knows the authority to trust', async () => {
    const { key: privateKey, cert } = selfSigned();
    const bytes = randomBytes(300_000);
    const upstream = createSecureServer({ key: privateKey, cert }, async (req, res) => {
      const sent = Buffer.concat(await req.toArray());
      res.writeHead(200, { 'content-type': 'application/octet-stream', host: req.headers.host });
      res.end(Buffer.concat([sent, bytes]));
    });
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    onTestFinished(() => void upstream.close().closeAllConnections());
    const authority = join(directory, 'authority.pem');
    writeFileSync(authority, cert);
    const { port } = upstream.address() as AddressInfo;
    const child = runNode([bin, 'proxy', '--upstream', `https://localhost:${port}`, '--port', '0'], {
      PATH: process.env.PATH ?? '',
      NODE_EXTRA_CA_CERTS: authority,
    });
    onTestFinished(() => void child.process.kill('SIGKILL'));
    const url = await child.printed(/(http:\/\/127\.0\.0\.1:\d+) forwards to https/);
    const response = await fetch(`${url}/files/a?b=c`, { method: 'POST', body: bytes });
    expect(response.headers.get('host')).toBe(`localhost:${port}`);
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.concat([bytes, bytes]))).toBe(true);
  });

  test('says once that a request got no response, and sends it once', async () => {
    const arrived: string[] = [];
    const upstream = await serveHttp((req, res) => {
      arrived.push(`${req.method}`);
      if (arrived.length === 1) res.end('{}');
      else req.socket.resetAndDestroy();
    });
    const { url, end, stdout } = await start(upstream);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const _ of [1, 2]) {
      const [response] = await once(
        request(`${url}/api/v1/leads`, { method: 'POST', agent }).end(),
        'response',
      );
      await text(response);
    }
    agent.destroy();
    await end();
    const reason = 'without a response (ECONNRESET), for which the proxy responded';
    expect(stdout().match(/^! .*/gm)).toEqual([expect.stringMatching(/^! [\d:]{8} POST \/api\/v1\/leads: /)]);
    expect(stdout().split(reason)).toHaveLength(3);
    expect(stdout()).toContain(`not checked: 1 ${reason}`);
    expect(arrived).toEqual(['POST', 'POST']);
  });

  test('gives the report on request, and ends with it', async () => {
    const { url, end, ended, stdout } = await start((await serve()).url);
    await call(url, 'GET', '/email/templates');
    const sofar = await (await fetch(`${url}/__admin/report`)).json();
    expect(sofar).toMatchObject({ requests: 1, verdict: { exit_code: 0 } });
    const page = await fetch(`${url}/__admin/report`, {
      method: 'POST',
      headers: { origin: 'https://evil.example.com' },
    });
    expect(page.status).toBe(403);
    await page.text();
    expect(await end()).toMatchObject({ verdict: { exit_code: 0 } });
    expect(await ended).toBe(0);
    expect(stdout()).toContain('traffic: 1 exchange checked, 0 of them broken');
  });

  test('judges every exchange of a hundred clients at once', async () => {
    const { url, end, ended } = await start((await serve()).url);
    const clients = Array.from({ length: 100 }, async () => {
      for (let count = 0; count < 2; count += 1) await call(url, 'GET', '/email/templates');
    });
    await Promise.all(clients);
    expect(await end()).toMatchObject({
      requests: 200,
      traffic: { judged: 200, broken: 0, skip_reasons: {} },
    });
    expect(await ended).toBe(0);
  });

  test('--enforce holds back what breaks the contract', async () => {
    const { url, end } = await start((await serve(wrongNote)).url, '--enforce');
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const send = (method: string, path: string, body: object) =>
      fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
    const added = await send('POST', '/leads', { name: 'Lena', source: 'web', note: 'x' });
    const { data } = (await added.json()) as { data: { lead_id: string } };
    const changed = await send('PUT', `/leads/${data.lead_id}`, { note: 'Called back' });
    expect([changed.status, await changed.text()]).toEqual([
      502,
      expect.stringContaining('leads.update.echoes-note'),
    ]);
    const stray = await send('POST', '/contacts', {});
    expect([stray.status, await stray.text()]).toEqual([400, expect.stringContaining('no such path')]);
    await end();
  });

  test('--enforce also holds back other spellings of a path, and bodies that cannot be checked', async () => {
    const received: string[] = [];
    const upstream = await serveHttp((req, res) => {
      received.push(req.url ?? '');
      res.end('{}');
    });
    const proxy = await start(`${upstream}/base`, '--enforce');
    const { port } = new URL(proxy.url);
    const send = (path: string, headers: object = {}, body = '{}'): Promise<string> =>
      new Promise((resolve, reject) => {
        const sent = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
        // Node.js sends the path as it is; fetch would normalise it.
        request({ port, path, method: 'PUT', headers: sent }, (res) =>
          text(res).then((response) => resolve(`${res.statusCode} ${response}`), reject),
        )
          .on('error', reject)
          .end(body);
      });
    for (const path of [
      '/%61pi/v1/leads/1',
      '/%2561pi/v1/leads/1',
      '/api%2fv1/leads/1',
      '//api/v1/leads/1',
      '/API/v1/leads/1',
      '/Api/V1/leads/1',
      '/api/./v1/leads/1',
      '/x/../api/v1/leads/1',
      '/x/%2e%2E/api/v1/leads/1',
      '/x/..;/api/v1/leads/1',
      '/x//../api/v1/leads/1',
      '/api;a=1/v1/leads/1',
      '/\\api\\v1/leads/1',
      '/../base/api/v1/leads/1',
      'http://127.0.0.1/%61pi/v1/leads/1',
      '/api/v1/leads/..',
      '/api/v1/leads/..%2fleads',
      '/api/v1//leads/1',
    ])
      expect([path, await send(path, {}, '{"note":"x"}')]).toEqual([
        path,
        expect.stringMatching(/^400 .*path/),
      ]);
    const lead = '/api/v1/leads/1';
    expect(await send(lead, { 'content-encoding': 'snappy' })).toMatch(
      /^415 .*Content-Encoding \\"snappy\\"/,
    );
    expect(await send('/%61pi/v1/leads', {}, ' '.repeat(2 ** 21))).toMatch(/^400 .*path/);
    expect(received).toEqual([]);
    for (const path of ['/other/api/v1/leads', '/api/v2/leads', '/api/v11', '/a;b//c%2fd/../e?/api/v1'])
      expect(await send(path, { 'content-encoding': 'snappy' })).toBe('200 {}');
    expect(received).toHaveLength(4);
    await proxy.end();
  });

  test.each([
    [['--upstream', 'ftp://x'], /--upstream "ftp:\/\/x" is not an http or https address/],
    [[], /--upstream is missing/],
    [['--url', 'http://localhost:1'], /unknown option '--url'; .* is set with --upstream$/],
    [
      ['--upstream', 'http://localhost:4031', '--port', '4031'],
      /--upstream http:\/\/localhost:4031 is the address of the proxy itself: give the deployment, or /,
    ],
    [
      ['--upstream', 'http://[::1]:4031', '--port', '4031', '--host', '::'],
      /is the address of the proxy itself/,
    ],
    [['--upstream', 'http://localhost:1', '--require', 'sendMail'], /must name operations: /],
    [
      ['--upstream', 'http://localhost:1', 'npm', 'run', 'e2e', '--silent'],
      /unknown option '--silent'; if it is a flag of npm, put -- before npm: proxy --upstream URL -- npm …$/,
    ],
    [
      ['--upstream', 'http://localhost:1', '--enforc', '--', 'npm', 'test'],
      /unknown option '--enforc' \(Did you mean --enforce\?\)$/,
    ],
    [
      ['--upstream', 'http://localhost:1', '--port', '0', '--', 'no-such-program'],
      /the command no-such-program cannot be started: there is no such program in PATH$/,
    ],
    [
      ['--upstream', 'http://localhost:1', '--waivers', '/no/such/file'],
      /: --waivers \/no\/such\/file does not exist$/,
    ],
  ])('%j is wrong usage', async (args, message) => {
    const { code, text } = await runInProcess(runProxyCommand, args);
    expect(code).toBe(2);
    expect(text).toMatch(message);
  });

  test('says why it cannot listen, as the mock does', async () => {
    const { port } = new URL((await serve()).url);
    const listenOn = (...flags: string[]) =>
      runInProcess(runProxyCommand, ['--upstream', 'http://localhost:1', '--port', port, ...flags]);
    expect(await listenOn()).toMatchObject({
      code: 2,
      text: `email-leads: the proxy cannot start: port ${port} on 127.0.0.1 is taken; choose another one with --port (0 for any)`,
    });
    const other = await listenOn('--host', '203.0.113.1');
    expect(other.stderr).toContain('203.0.113.1 is not an address of this machine');
  });
});

describe('check', () => {
  test('judges the journal of the mock', async () => {
    const mock = await startMock();
    onTestFinished(mock.close);
    await useApp(mock.url, 'test_key');
    const har = join(directory, 'mock.har');
    writeFileSync(har, await (await fetch(`${mock.url}/__admin/requests.har?key=test_key`)).text());
    const { code, text } = await runInProcess(runCheckCommand, [har, '--require', 'deleteLead']);
    expect(code, text).toBe(0);
    expect(text).toContain('3 exchanges checked, 0 of them broken');
  });

  const entry = (changes: object) => ({
    startedDateTime: '2026-03-02T10:15:30.000Z',
    time: 3,
    request: { method: 'GET', url: 'https://api.example.com/api/v1/email/templates', headers: [] },
    response: { status: 200, headers: [], content: { size: 12 } },
    ...changes,
  });

  const text = '{"success":true,"error":"","data":[],"message":""}';
  const withHeaders = (headers: unknown, request = {}) =>
    entry({ response: { status: 200, headers, content: { text } }, ...request });
  /** As `String` cannot convert it. */
  const unprintable = { toString: 1, valueOf: 1 };

  const check = (content: unknown) => {
    const file = join(directory, 'a.har');
    writeFileSync(file, JSON.stringify(content));
    return runInProcess(runCheckCommand, [file]);
  };

  test('reports a body that is missing, and guesses none', async () => {
    const { code, stdout } = await check({ log: { version: '1.2', entries: [entry({})] } });
    expect(code).toBe(3);
    expect(stdout).toContain(': 1 recorded exchange with https://api.example.com\n');
    expect(stdout).toContain('not checked: 1 whose body is not in the recording');
    expect(stdout).toContain('\n1 request, of which 0 requested mail');
    expect(stdout).toContain('could not test: no response of a documented operation could be checked');
  });

  test('reads odd headers as they were meant', async () => {
    const twice = (name: string, value: string) => [
      { name, value },
      { name: name.toUpperCase(), value },
    ];
    const request = {
      method: 'GET',
      url: 'https://api.example.com/api/v1/email/templates',
      headers: twice('authorization', 'Bearer sk_live_4f9c1e7ab2d8'),
    };
    const headers = [
      ...twice('content-type', 'application/json'),
      { name: 'content-length', value: 12 },
      ...['__proto__', 'constructor'].map((name) => ({ name, value: 'x' })),
      { name: 'x', value: 'x'.repeat(9_000_000) },
    ];
    const { code, stdout } = await check({
      log: { version: '1.2', entries: [withHeaders(headers, { request })] },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/Verdict: conforms, with \d+ of \d+ checks skipped\n/);
  });

  test.each([
    [{}, /"log" is missing: this is not a HAR recording/],
    [{ log: { version: '2.0', entries: [] } }, /HAR 2\.0 is not supported, only 1\.2/],
    [{ log: {} }, /"log\.entries" is missing/],
    [
      { log: { entries: [entry({ request: { method: 'GET', url: 'x' } })] } },
      /entry 1: "request\.url" is not an address/,
    ],
    [{ log: { entries: [entry({ startedDateTime: 'soon' })] } }, /entry 1: "startedDateTime" is not a time/],
    [{ log: { entries: [entry({ startedDateTime: unprintable })] } }, /"startedDateTime" is not a time/],
    ...[null, ['application/json'], { a: 1 }, unprintable, true, undefined].map((value): [object, RegExp] => [
      { log: { entries: [withHeaders([{ name: 'Content-Type', value }])] } },
      /entry 1: "response\.headers" has a header whose name or value is not a text: Content-Type$/,
    ]),
    [
      { log: { entries: [withHeaders([{ value: 'application/json' }])] } },
      /"response\.headers" has a header whose name or value is not a text/,
    ],
    [{ log: { entries: [withHeaders({ 'content-type': 'x' })] } }, /"response\.headers" is not a list/],
  ])('%j is no recording', async (content, message) => {
    const said = await check(content);
    expect(said.code).toBe(2);
    expect(said.text).toMatch(message);
  });
});
