import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { bin, runNode } from '../../../mock/testing/cli-process.ts';
import { createService } from '../../proof/server/server.ts';
import type { Mutation } from '../../proof/server/types.ts';

const key = 'sk_live_4f9c1e7ab2d8463095be';
const directory = mkdtempSync(join(tmpdir(), 'levels-'));
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const started = async (fault: Mutation = {}, latencyMs = 0) => {
  const service = await createService({ key, latencyMs }, fault).start();
  closers.push(service.close);
  return service;
};

const contract = async (flags: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const child = runNode([bin, 'contract', '--report-dir', directory, ...flags], {
    EMAIL_LEADS_API_KEY: key,
    ...env,
  });
  const code = await child.ended;
  return { code, stdout: child.stdout(), stderr: child.stderr() };
};

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
    const { url } = await started();
    const { code, stdout, stderr } = await contract(['--url', url, '--only', 'templates', '--quiet']);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Verdict: conforms.*\n$/),
      stderr: '',
    });
  });

  test('prints findings as always', async () => {
    const { url } = await started(broken);
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
    const { url } = await started();
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
    closers.push(async () => server.close());
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
  const [file, forced, without] = await Promise.all([
    contract(flags),
    contract(flags, { FORCE_COLOR: '1' }),
    contract([...flags, '--no-color'], { FORCE_COLOR: '1' }),
  ]);
  expect(forced.stdout).toContain('\u001b[1m\u001b[32mVerdict: conforms');
  expect([file.stdout, without.stdout].join()).not.toContain('\u001b');
});

const script = '/usr/bin/script';

describe.runIf(process.platform === 'linux' && existsSync(script))('on a real terminal', () => {
  const onTerminal = async (flags: string, env: Readonly<Record<string, string>> = {}) => {
    const { url } = await started({}, 120);
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

  test('CI gets no progress, --quiet no times', async () => {
    const [inCi, quiet] = await Promise.all([onTerminal('', { CI: '1' }), onTerminal('--quiet')]);
    expect(inCi).not.toContain('decided ·');
    expect(quiet).toMatch(/^\S*Verdict: /);
  });
});
