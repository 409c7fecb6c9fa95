import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify, stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { bin } from '../../../mock/testing/cli-process.ts';
import { type Command, runInProcess } from '../../../mock/testing/in-process.ts';
import { temporaryDirectory } from '../../../mock/testing/temporary.ts';
import { startFront } from '../../proof/outages/front.ts';
import type { Action, Outage } from '../../proof/outages/outage.ts';
import { inBody } from '../../proof/server/mutation.ts';
import { createService } from '../../proof/server/server.ts';
import { key, serve, withKey } from '../../testing/command.ts';
import { runContractCommand } from '../contract.ts';
import { runObserveCommand } from '../observe.ts';

// How much a command prints, and how.

const directory = temporaryDirectory();

const contract = (flags: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runInProcess(runContractCommand, ['--report-dir', directory, ...flags], { ...withKey, ...env });

test.each([
  ['the verdict and nothing else where there is no finding', '', 0, /^Verdict: conforms.*\n$/],
  [
    'findings too',
    7,
    1,
    /^FAIL templates\.list\.\S+ {2}§4\.2, .*\n[\s\S]*\n\nVerdict: does not conform: .*\n$/,
  ],
])('--quiet prints %s', async (_what, message, exitCode, printed) => {
  const { url } = await serve(inBody('listTemplates', (body) => ({ ...body, message })));
  const flags = ['--url', url, '--only', 'templates', '--report', 'console,json', '--quiet'];
  const { code, stdout, stderr } = await contract(flags);
  expect({ code, stderr }).toEqual({ code: exitCode, stderr: '' });
  expect(stdout).toMatch(printed);
  expect(stdout).not.toMatch(/✗|Written|ran \d/);
});

test('--verbose prints a line for every exchange to standard error, and the same report', async () => {
  const { url } = await serve();
  const flags = ['--url', url, '--allow-writes', '--only', 'leads.add.auth.missing-key', '--verbose'];
  const { stdout, stderr } = await contract(flags);
  const [, requests] = /^(\d+) requests, of which/m.exec(stdout) ?? [];
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toHaveLength(Number(requests));
  for (const line of lines)
    expect(line).toMatch(/^ *\d+\.\d{3} [\w.-]+: (GET|POST|PUT|DELETE) \/api\/v1\/.*\(\d+ ms, \d+ bytes?\)$/);
  expect(stderr).toMatch(/POST \/api\/v1\/leads without a key: 401 /);
});

const script = '/usr/bin/script';

const hasScript = process.platform === 'linux' && existsSync(script);
test.runIf(hasScript)('on a real terminal the progress of a run leaves nothing behind', async () => {
  const { url } = await serve({}, { latencyMs: 40 });
  const flags = `--report-dir ${directory} --url ${url} --only templates.list.auth.missing-key`;
  const command = `stty cols 100; exec ${process.execPath} ${bin} contract ${flags}`;
  const env = { PATH: '/usr/bin:/bin', SHELL: '/bin/sh', TERM: 'xterm', NO_COLOR: '1', ...withKey };
  const { stdout } = await promisify(execFile)(script, ['-qec', command, '/dev/null'], { env });
  expect(stdout).toMatch(/\d+\/\d+ checks? decided · \d+ requests? · 0 mails · \d+ s · [a-z]+\.\S+/);
  // What remains of it: a carriage return begins a line again.
  const lines = stdout.replaceAll('\r\n', '\n').split('\n');
  const shown = lines.map((line) => stripVTControlCharacters(line.split('\r').at(-1) ?? '')).join('\n');
  expect(shown).not.toMatch(/decided ·/);
  expect(shown).toMatch(/\nVerdict: conforms.*\n$/);
});

// What somebody reads who waits for a run: why nothing happens, for how long, and how long it was in all.

const answer = (status: number, headers: Readonly<Record<string, string>> = {}): Action => ({
  do: 'answer',
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ success: false, error: 'not now' }),
});

/** The requests with these numbers are not answered by the service. */
const between = (from: number, to: number, action: Action): Outage => ({
  id: 'between',
  title: '',
  timed: true,
  act: ({ nth }) => (nth >= from && nth <= to ? action : { do: 'forward' }),
});

/** What a command said about a deployment with an outage in front of it, and its exit code. */
const said = async (command: Command, outage: Outage, ...flags: readonly string[]) => {
  const { url, close } = await startFront(createService({ key }), outage, 1);
  onTestFinished(close);
  return await runInProcess(command, ['--url', url, '--report-dir', temporaryDirectory(), ...flags], withKey);
};

const templates = ['--only', 'templates'];
// Two requests: one for each path form of the list.
const starting = between(1, 2, answer(503));

test('observe waits for a deployment that is being started with --wait, and says so once, until its time is over', async () => {
  const { code, stderr } = await said(runObserveCommand, starting, '--wait', '30s', ...templates);
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(
    /^waiting 30\.0 s: gateway: .* it running\? \(30\.0 s of at most 30\.0 s in all\)\n$/,
  );
  const over = await said(runObserveCommand, between(1, 1000, answer(503)), '--wait', '600ms');
  expect([over.code, over.stderr]).toEqual([3, expect.stringContaining('could not test: gateway')]);
});

test('contract says why it waits, and how long it was in all', async () => {
  const pause = between(4, 4, answer(429, { 'retry-after': '1' }));
  const { code, stdout, stderr } = await said(runContractCommand, pause, ...templates);
  expect(code, stdout).toBe(0);
  expect(stderr).toMatch(
    /waiting 1\.0 s: the deployment responded to GET \S+ with 429 and asks for a pause \(1\.0 s of at most 1 min 30 s in all\)/,
  );
  expect(stdout).toContain('waited 1.0 s in all');
});

test('a deployment that is being started could not be tested without --wait', async () => {
  const { code, stdout } = await said(runContractCommand, starting);
  expect(code).toBe(3);
  expect(stdout).toMatch(/\nVerdict: could not test: gateway: .*503 not now.*is the service .* running\?\n$/);
});

test('no request waits longer than --max-wait', async () => {
  const started = performance.now();
  const flags = ['--timeout', '60s', '--max-wait', '1s', '--allow-writes', ...templates];
  const { code, stdout } = await said(runContractCommand, between(3, 10_000, { do: 'hang' }), ...flags);
  expect(code).toBe(3);
  expect(stdout).toMatch(/no complete response within 1 s/);
  expect(performance.now() - started).toBeLessThan(50_000);
});
