// How much a command prints, and how.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bin } from '../../../mock/testing/cli-process.ts';
import type { Mutation } from '../../proof/server/types.ts';
import { key, runInProcess, serve, temporaryDirectory, withKey } from '../../testing/command.ts';
import { runContractCommand } from '../contract.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});

const contract = (flags: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runInProcess(runContractCommand, ['--report-dir', directory, ...flags], { ...withKey, ...env });

/** Its list of templates has a broken type. */
const broken: Mutation = {
  handle: (call, next) => {
    const reply = next(call);
    const isBroken = call.operation === 'listTemplates' && reply.status === 200;
    return isBroken ? { ...reply, body: { ...reply.body, message: 7 } } : reply;
  },
};

describe('--quiet', () => {
  test('prints the verdict and nothing else where there is no finding', async () => {
    const { url } = await serve();
    const { code, stdout, stderr } = await contract(['--url', url, '--only', 'templates', '--quiet']);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Verdict: conforms.*\n$/),
      stderr: '',
    });
  });

  test('prints findings as always', async () => {
    const { url } = await serve(broken);
    const flags = ['--url', url, '--only', 'templates.list', '--report', 'console,json'];
    const usual = await contract(flags);
    const quiet = await contract([...flags, '--quiet']);
    expect([usual.code, quiet.code]).toEqual([1, 1]);
    expect(quiet.stdout).toMatch(
      /^FAIL templates\.list\.\S+ {2}§4\.2, documented\n[\s\S]*\n\nVerdict: does not conform: .*\n$/,
    );
    expect(usual.stdout).toContain('✗ List templates');
    expect(quiet.stdout).not.toMatch(/✗|Written|ran \d/);
  });
});

describe('--verbose', () => {
  test('prints a line for every exchange to standard error, and the same report', async () => {
    const { url } = await serve();
    const { stdout, stderr } = await contract([
      '--url',
      url,
      '--allow-writes',
      '--only',
      'leads.add.auth',
      '--verbose',
    ]);
    const [, requests] = /^(\d+) requests, of which/m.exec(stdout) ?? [];
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(Number(requests));
    for (const line of lines)
      expect(line).toMatch(
        /^ *\d+\.\d{3} [\w.-]+: (GET|POST|PUT|DELETE) \/api\/v1\/.*\(\d+ ms, \d+ bytes?\)$/,
      );
    expect(stderr).toMatch(/POST \/api\/v1\/leads without a key: 401 /);
  });

  test('prints neither the key that a deployment repeats nor its control characters', async () => {
    const server = createServer(({ headers }, response) =>
      response
        .writeHead(403, { 'content-type': 'application/json' })
        .end(JSON.stringify({ success: false, error: `\u001b[2J no ${headers.authorization}` })),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await contract(['--url', url, '--verbose']);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /preflight: GET \/api\/v1\/email\/templates: 403 \\u001b\[2J no Bearer \$EMAIL_LEADS_API_KEY \(/,
    );
    expect(stderr).not.toContain(key);
  });
});

test('colours come with FORCE_COLOR and go with --no-color; a file has none', async () => {
  const flags = ['--only', 'templates.list.success'];
  const file = await contract(flags);
  const forced = await contract(flags, { FORCE_COLOR: '1' });
  const without = await contract([...flags, '--no-color'], { FORCE_COLOR: '1' });
  expect(forced.stdout).toContain('\u001b[1m\u001b[32mVerdict: conforms');
  expect([file.stdout, without.stdout].join()).not.toContain('\u001b');
});

const script = '/usr/bin/script';

describe.runIf(process.platform === 'linux' && existsSync(script))('on a real terminal', () => {
  const onTerminal = async (flags: string, env: Readonly<Record<string, string>> = {}) => {
    const { url } = await serve({}, { latencyMs: 40 });
    const command = `stty cols 100; exec ${process.execPath} ${bin} contract --report-dir ${directory} --url ${url} ${flags}`;
    const { stdout } = await promisify(execFile)(script, ['-qec', command, '/dev/null'], {
      env: { PATH: '/usr/bin:/bin', SHELL: '/bin/sh', TERM: 'xterm', EMAIL_LEADS_API_KEY: key, ...env },
    });
    return stdout;
  };
  /** What remains of it: a carriage return begins a line again. */
  const shown = (text: string): string =>
    text
      .replaceAll('\r\n', '\n')
      .split('\n')
      .map((line) => line.split('\r').at(-1)?.replace('\u001b[K', ''))
      .join('\n');

  test('the progress of a run leaves nothing behind, and the times stand before the verdict', async () => {
    const text = await onTerminal('--only templates.list', { NO_COLOR: '1' });
    expect(text).toMatch(/\r\d+\/\d+ checks decided · \d+ requests · 0 mails · \d+ s · /);
    expect(shown(text)).not.toMatch(/decided ·/);
    expect(shown(text)).toMatch(/\ntook \d+\.\d s; slowest scenarios: .*\nVerdict: conforms.*\n$/);
  });
});
