// `proxy` and `check` as their users run them.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bin, type Child, runNode, startCommand } from '../../../mock/testing/cli-process.ts';
import { onSuccess } from '../../proof/server/mutation.ts';
import { createService } from '../../proof/server/server.ts';
import type { Mutation } from '../../proof/server/types.ts';
import { emptyProfile, serialise } from '../../questions/profile.ts';
import { selfSigned } from '../../testing/self-signed.ts';
import { runCheckCommand } from '../check.ts';
import { runProxyCommand } from '../proxy.ts';

const key = 'sk_live_4f9c1e7ab2d8463095be';
let directory: string;
const closers: (() => unknown)[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'traffic-'));
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  rmSync(directory, { recursive: true, force: true });
});

const serve = async (mutation: Mutation = {}): Promise<string> => {
  const service = await createService({ key }, mutation).start();
  closers.push(service.close);
  return service.url;
};

const run = (command: 'proxy' | 'check', args: readonly string[]): Child => {
  const child = runNode([bin, command, ...args], { PATH: process.env.PATH ?? '' });
  closers.push(() => child.process.kill('SIGKILL'));
  return child;
};

const proxy = (upstream: string, ...args: string[]): Child =>
  run('proxy', ['--upstream', upstream, '--port', '0', '--report-dir', directory, ...args]);

/** A command that refuses its arguments, run in this process: its exit code and what it said. */
const refuse = async (command: (argv: readonly string[]) => Promise<number>, args: readonly string[]) => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    const code = await command(args);
    return { code, stderr: said.mock.calls.flat().join('\n') };
  } finally {
    said.mockRestore();
  }
};

/** An end-to-end test in one line: adds a lead, changes it and deletes it. */
const app = `
const base = process.env.EMAIL_LEADS_URL + '/api/v1/leads';
const headers = { authorization: 'Bearer ${key}', 'content-type': 'application/json' };
const send = async (method, path, body) => {
  const response = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  return response.json();
};
const { data } = await send('POST', '', { name: 'Lena Fischer', source: 'web', note: 'Met at the fair' });
await send('PUT', '/' + data.lead_id, { note: 'Called back' });
await send('DELETE', '/' + data.lead_id);`;

const runApp = ['--', process.execPath, '--input-type=module', '-e', app];

const wrongNote = onSuccess('updateLead', (reply) => ({
  ...reply,
  body: { ...reply.body, data: { ...(reply.body.data as object), note: 'another note' } },
}));

describe('proxy', () => {
  test('with a command ends with it, and is green where all conforms', async () => {
    const child = proxy(await serve(), '--require', 'addLead,updateLead', ...runApp);
    expect(await child.ended, child.stderr()).toBe(0);
    expect(child.stdout()).toMatch(/Requests live: http:\/\/127\.0\.0\.1:\d+\/__proxy\/ui\//);
    expect(child.stdout()).toMatch(/3 exchanges checked, 0 of them broken/);
    expect(child.stdout()).toMatch(/Verdict: conforms/);
  });

  test('is red where a response breaks a documented fact, and names it at once', async () => {
    const child = proxy(await serve(wrongNote), '--report', 'console,json', ...runApp);
    expect(await child.ended).toBe(1);
    expect(child.stdout()).toMatch(
      /✗ .* PUT \/api\/v1\/leads\/\S+ → 200: leads\.update\.echoes-note \(§4\.6/,
    );
    const report = readFileSync(join(directory, 'report.json'), 'utf8');
    expect(JSON.parse(report)).toMatchObject({
      verdict: { exit_code: 1 },
      traffic: { judged: 3, broken: 1 },
    });
    expect(report + child.stdout() + child.stderr()).not.toContain(key);
  });

  test('is not green where nothing was seen, or not what is required', async () => {
    const url = await serve();
    const quiet = proxy(url, '--', process.execPath, '-e', '0');
    expect(await quiet.ended).toBe(3);
    expect(quiet.stdout()).toContain('could not test: no request under /api/v1 was seen');
    const other = proxy(url, '--require', 'sendEmail', ...runApp);
    expect(await other.ended).toBe(3);
    expect(other.stdout()).toContain('no successful and documented exchange of sendEmail was seen');
  });

  test('ends with the code of a command that fails', async () => {
    const child = proxy(await serve(), ...runApp.slice(0, -1), `${app}\nprocess.exit(7);`);
    expect(await child.ended).toBe(7);
  });

  test('names the drift of a pinned answer at once, and ends with 4', async () => {
    const profile = join(directory, 'staging.json');
    const url = await serve();
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
    const child = proxy(url, '--profile', profile, ...runApp);
    expect(await child.ended, child.stderr()).toBe(4);
    expect(child.stdout()).toMatch(
      /≠ .* POST \/api\/v1\/leads → 200: drift: success\.error-field is pinned as empty, this response shows absent/,
    );
    expect(child.stdout()).toContain('Verdict: drift: 1 of 1 pinned answer changed: success.error-field');
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
    closers.push(() => upstream.close());
    const authority = join(directory, 'authority.pem');
    writeFileSync(authority, cert);
    const { port } = upstream.address() as AddressInfo;
    const child = runNode([bin, 'proxy', '--upstream', `https://localhost:${port}`, '--port', '0'], {
      PATH: process.env.PATH ?? '',
      NODE_EXTRA_CA_CERTS: authority,
    });
    closers.push(() => child.process.kill('SIGKILL'));
    const url = await child.printed(/(http:\/\/127\.0\.0\.1:\d+) forwards to https/);
    const response = await fetch(`${url}/files/a?b=c`, { method: 'POST', body: bytes });
    expect(response.headers.get('host')).toBe(`localhost:${port}`);
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.concat([bytes, bytes]))).toBe(true);
  });

  test('says once that a request got no response, and sends it once', async () => {
    const arrived: string[] = [];
    const upstream = createServer((req, res) => {
      arrived.push(`${req.method}`);
      if (arrived.length === 1) res.end('{}');
      else req.socket.resetAndDestroy();
    });
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    closers.push(() => upstream.close().closeAllConnections());
    const twice = `
import { Agent, request } from 'node:http';
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const send = () => new Promise((resolve, reject) => request(process.env.EMAIL_LEADS_URL + '/api/v1/leads', { method: 'POST', agent },
  (res) => res.resume().on('end', resolve)).on('error', reject).end());
await send();
await send();
agent.destroy();`;
    const { port } = upstream.address() as AddressInfo;
    const command = ['--', process.execPath, '--input-type=module', '-e', twice];
    const child = proxy(`http://127.0.0.1:${port}`, ...command);
    await child.ended;
    const reason = 'without a response (ECONNRESET), for which the proxy responded';
    expect(child.stdout().match(/^! .*/gm), child.stderr()).toEqual([
      expect.stringMatching(/^! [\d:]{8} POST \/api\/v1\/leads: /),
    ]);
    expect(child.stdout().split(reason)).toHaveLength(3);
    expect(child.stdout()).toContain(`not checked: 1 ${reason}`);
    expect(arrived).toEqual(['POST', 'POST']);
  });

  test('gives the report on request, and ends with it', async () => {
    const child = proxy(await serve());
    const url = await child.printed(/(http:\/\/127\.0\.0\.1:\d+) forwards to/);
    const authorization = `Bearer ${key}`;
    await (await fetch(`${url}/api/v1/email/templates`, { headers: { authorization } })).text();
    const sofar = await (await fetch(`${url}/__admin/report`)).json();
    expect(sofar).toMatchObject({ requests: 1, verdict: { exit_code: 0 } });
    const page = await fetch(`${url}/__admin/report`, {
      method: 'POST',
      headers: { origin: 'https://evil.example.com' },
    });
    expect(page.status).toBe(403);
    await page.text();
    const report = await fetch(`${url}/__admin/report`, { method: 'POST' });
    expect(report.status).toBe(200);
    expect(await report.json()).toMatchObject({ verdict: { exit_code: 0 } });
    expect(await child.ended).toBe(0);
    expect(child.stdout()).toContain('traffic: 1 exchange checked, 0 of them broken');
  });

  test('judges every exchange of a hundred clients at once', async () => {
    const child = proxy(await serve());
    const url = await child.printed(/(http:\/\/127\.0\.0\.1:\d+) forwards to/);
    const headers = { authorization: `Bearer ${key}` };
    const clients = Array.from({ length: 100 }, async () => {
      for (let count = 0; count < 5; count += 1)
        await (await fetch(`${url}/api/v1/email/templates`, { headers })).text();
    });
    await Promise.all(clients);
    const report = await (await fetch(`${url}/__admin/report`, { method: 'POST' })).json();
    expect(report).toMatchObject({ requests: 500, traffic: { judged: 500, broken: 0, skip_reasons: {} } });
    expect(await child.ended).toBe(0);
  });

  test('--enforce holds back what breaks the contract', async () => {
    const child = proxy(await serve(wrongNote), '--enforce');
    const url = await child.printed(/(http:\/\/127\.0\.0\.1:\d+) forwards to/);
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
  });

  test('--enforce also holds back other spellings of a path, and bodies that cannot be checked', async () => {
    const received: string[] = [];
    const upstream = createServer((req, res) => {
      received.push(req.url ?? '');
      res.end('{}');
    }).listen(0, '127.0.0.1');
    closers.push(() => upstream.close().closeAllConnections());
    await once(upstream, 'listening');
    const { port } = upstream.address() as AddressInfo;
    const child = proxy(`http://127.0.0.1:${port}/base`, '--enforce');
    const url = new URL(await child.printed(/(http:\/\/127\.0\.0\.1:\d+) forwards to/));
    const send = (path: string, headers: object = {}, body = '{}'): Promise<string> =>
      new Promise((resolve, reject) => {
        const sent = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
        // Node.js sends the path as it is; fetch would normalise it.
        request({ port: url.port, path, method: 'PUT', headers: sent }, (res) =>
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
    const { code, stderr } = await refuse(runProxyCommand, args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('says why it cannot listen, as the mock does', async () => {
    const { port } = new URL(await serve());
    const listenOn = (...flags: string[]) =>
      refuse(runProxyCommand, ['--upstream', 'http://localhost:1', '--port', port, ...flags]);
    expect(await listenOn()).toEqual({
      code: 2,
      stderr: `email-leads: the proxy cannot start: port ${port} on 127.0.0.1 is taken; choose another one with --port (0 for any)`,
    });
    const other = await listenOn('--host', '203.0.113.1');
    expect(other.stderr).toContain('203.0.113.1 is not an address of this machine');
  });
});

describe('check', () => {
  test('judges the journal of the mock', async () => {
    const mock = await startCommand();
    closers.push(() => mock.process.kill('SIGKILL'));
    const child = runNode(['--input-type=module', '-e', app.replaceAll(key, 'test_key')], {
      EMAIL_LEADS_URL: mock.url,
    });
    expect(await child.ended, child.stderr()).toBe(0);
    const har = join(directory, 'mock.har');
    writeFileSync(har, await (await fetch(`${mock.url}/__admin/requests.har?key=test_key`)).text());
    const checked = run('check', [har, '--require', 'deleteLead']);
    expect(await checked.ended, checked.stdout() + checked.stderr()).toBe(0);
    expect(checked.stdout()).toContain('3 exchanges checked, 0 of them broken');
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

  const recording = (content: unknown): string => {
    const file = join(directory, 'a.har');
    writeFileSync(file, JSON.stringify(content));
    return file;
  };

  test('reports a body that is missing, and guesses none', async () => {
    const child = run('check', [recording({ log: { version: '1.2', entries: [entry({})] } })]);
    expect(await child.ended).toBe(3);
    expect(child.stdout()).toContain(': 1 recorded exchange with https://api.example.com\n');
    expect(child.stdout()).toContain('not checked: 1 whose body is not in the recording');
    expect(child.stdout()).toContain('\n1 request, of which 0 requested mail');
    expect(child.stdout()).toContain(
      'could not test: no response of a documented operation could be checked',
    );
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
    const child = run('check', [
      recording({ log: { version: '1.2', entries: [withHeaders(headers, { request })] } }),
    ]);
    expect(await child.ended).toBe(0);
    expect(child.stdout()).toMatch(/Verdict: conforms, with \d+ of \d+ checks skipped\n/);
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
    const { code, stderr } = await refuse(runCheckCommand, [recording(content)]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
