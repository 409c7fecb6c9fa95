// Whatever the length of the key, and whatever goes wrong: the commands end as usual, and no output contains a part of the key.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runHealth } from '../../mock/cli/health.ts';
import { runMock } from '../../mock/cli/mock.ts';
import { bin, runNode } from '../../mock/testing/cli-process.ts';
import { runCheckCommand } from '../cli/check.ts';
import { runContractCommand } from '../cli/contract.ts';
import { runExplainCommand } from '../cli/explain.ts';
import { runObserveCommand } from '../cli/observe.ts';
import { runPinCommand } from '../cli/profile.ts';
import { runProxyCommand } from '../cli/proxy.ts';
import { type Command, runInProcess, startProxySession, temporaryDirectory } from '../testing/command.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});

/** A key like a JSON Web Token, always the same for a length. */
const keyOf = (length: number): string =>
  Array.from({ length: Math.ceil(length / 43) }, (_, at) =>
    createHash('sha256').update(`${length} ${at}`).digest('base64url'),
  )
    .join('')
    .slice(0, length);

/** A command as a process of its own. */
const runProcess = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
  const child = runNode(args, { PATH: process.env.PATH ?? '', ...env });
  onTestFinished(() => void child.process.kill('SIGKILL'));
  return { code: await child.ended, text: child.stdout() + child.stderr() };
};

const shownLength = 12;

/** The parts of a key in everything that a command printed and wrote. */
const shownParts = (key: string, printed: string): string[] => {
  const folded = key.toLowerCase();
  const parts = new Set(
    Array.from({ length: key.length - shownLength + 1 }, (_, at) => folded.slice(at, at + shownLength)),
  );
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  return [printed, ...files].flatMap((text) => {
    const output = text.toLowerCase();
    const found: string[] = [];
    for (let at = 0; at + shownLength <= output.length; at += 1) {
      const part = output.slice(at, at + shownLength);
      if (parts.has(part)) found.push(part);
    }
    return found;
  });
};

/** A server that gives back the key of each request, in several forms. */
const startEcho = async (): Promise<string> => {
  const server = createServer({ maxHeaderSize: 1024 * 1024 }, async (req, res) => {
    await text(req);
    const sent = req.headers.authorization ?? '';
    const id = `${sent.split(' ').at(-1)}-1`;
    const base64 = Buffer.from(sent).toString('base64');
    const message = [sent, encodeURIComponent(sent), JSON.stringify(sent), base64].join(' ');
    const list = { success: true, error: '', message, data: [{ id, name: id, [id]: sent }] };
    const other = { success: req.method === 'POST', error: sent, message: `${sent.slice(0, 300)}…` };
    const body = req.method === 'GET' ? list : { ...other, data: { lead_id: id, [id]: id } };
    res.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'r' });
    res.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const reports = (): string[] => [
  ...['--report', 'console,json,junit,html,markdown,github', '--report-dir', directory],
];

describe('a key of any length', () => {
  test('of 20000 characters: contract ends as usual', async () => {
    const key = keyOf(20_000);
    const url = await startEcho();
    // One operation with a path, a body and an id is enough for every report.
    const flags = ['--url', url, '--allow-writes', '--only', 'leads.update.success', ...reports()];
    const said = await runInProcess(runContractCommand, flags, { EMAIL_LEADS_API_KEY: key });
    expect([1, 3]).toContain(said.code);
    expect(said.text).not.toContain('the suite itself failed');
    expect(said.stdout).toContain('$EMAIL_LEADS_API_KEY');
    expect(shownParts(key, said.text)).toEqual([]);
  });

  test('of 120000 characters in the traffic of the proxy', async () => {
    const key = keyOf(120_000);
    const upstream = await startEcho();
    const { url, end, ended, text } = await startProxySession(upstream, reports());
    const send = async (path: string, method = 'GET', authorization = `Bearer ${key}`): Promise<number> => {
      const sent = request(url + path, { method, headers: { authorization } });
      const [response] = await once(sent.end(), 'response');
      response.resume();
      await once(response, 'end');
      return response.statusCode;
    };
    expect(await send('/api/v1/email/templates')).toBe(200);
    // Any other header that Node.js accepts.
    for (const header of ['Bearer', `Basic ${key}`, 'Bearer é\tü ~', key, 'Bearer .*(['])
      expect(await send('/api/v1/email/templates', 'GET', header)).toBe(200);
    expect(await send(`/api/v1/${keyOf(5000)}`, 'GET', `Bearer ${keyOf(5000)}`)).toBe(200);
    await end();
    expect([1, 3]).toContain(await ended);
    for (const sent of [key, keyOf(5000)]) expect(shownParts(sent, text())).toEqual([]);
  });
});

const key = keyOf(60);

describe('no error message contains the key', () => {
  const upstream = ['--upstream', 'http://127.0.0.1:1'];

  test.each<[string, Command, string[], Record<string, string>?]>([
    ['an address', runContractCommand, ['--url', key]],
    ['a rate', runContractCommand, ['--rate-limit', key]],
    ['the name of a file', runContractCommand, ['--waivers', key]],
    ['the id of a check', runContractCommand, ['--only', key]],
    ['a switch in the environment', runContractCommand, [], { EMAIL_LEADS_STRICT: key }],
    ['a directory for reports', runContractCommand, ['--report', 'json', '--report-dir', `/dev/null/${key}`]],
    ['a recording', runCheckCommand, [key]],
    ['a host to listen on', runProxyCommand, [...upstream, '--host', key]],
    ['a command to run', runProxyCommand, [...upstream, '--port', '0', '--', key]],
    ['the id of a question', runExplainCommand, [key]],
    ['a profile', runPinCommand, [key, '--all', '--reason', 'x']],
    ['the address of a mock', runHealth, ['--url', key]],
    ['a seed', runMock, ['--seed', key]],
  ])('%s', async (_name, command, args, env = {}) => {
    const { code, stderr, text } = await runInProcess(command, args, { EMAIL_LEADS_API_KEY: key, ...env });
    expect(code).toBe(2);
    expect(stderr).toContain('$EMAIL_LEADS_API_KEY');
    expect(shownParts(key, text)).toEqual([]);
  });

  test('an unknown command', async () => {
    const { code, text } = await runProcess([bin, key], { EMAIL_LEADS_API_KEY: key });
    expect(code).toBe(2);
    expect(text).toContain('$EMAIL_LEADS_API_KEY');
    expect(shownParts(key, text)).toEqual([]);
  });

  test.each<[string[], Record<string, string>]>([
    [['--seed', key, '--accept-key', key], {}],
    [[`--port=${key}`, `--accept-key=${key}`], {}],
    [['--answer', key], { EMAIL_LEADS_ACCEPT_KEY: `test_a\n${key}` }],
  ])('that the mock accepts: %#', async (args, env) => {
    const { code, text } = await runInProcess(runMock, args, env);
    expect(code).toBe(2);
    expect(shownParts(key, text)).toEqual([]);
  });

  // Every command reads the key in one way.
  test.each<[string, Command, string[]]>([
    [`${key}\n`, runContractCommand, ['--url', `http://${key}`]],
    [`Bearer ${key}`, runObserveCommand, ['--url', `http://${key}`]],
    [`${key}ü`, runProxyCommand, ['--upstream', `http://${key}`]],
    [`${key} x`, runCheckCommand, [join(import.meta.dirname, '../../package.json')]],
  ])('that no header can carry: %j', async (invalid, command, args) => {
    const { code, text } = await runInProcess(command, args, { EMAIL_LEADS_API_KEY: invalid });
    expect(code).toBe(2);
    expect(shownParts(key, text)).toEqual([]);
  });

  // Thrown outside of every promise, as soon as the command handles such errors.
  const fault = `data:text/javascript,${encodeURIComponent(`
    const timer = setInterval(() => {
      if (process.listenerCount('uncaughtException') === 0) return;
      clearInterval(timer);
      throw new Error('of ' + process.env.EMAIL_LEADS_API_KEY);
    }, 1);`)}`;

  test.each([
    [3, ['proxy', '--upstream', 'http://127.0.0.1:1', '--port', '0']],
    [1, ['mock', '--port', '0']],
  ])('of an uncaught error, exit code %d: %j', async (code, args) => {
    const said = await runProcess(['--import', fault, bin, ...args], { EMAIL_LEADS_API_KEY: key });
    expect(said.code).toBe(code);
    expect(said.text).toContain('of $EMAIL_LEADS_API_KEY');
    expect(shownParts(key, said.text)).toEqual([]);
  });
});
