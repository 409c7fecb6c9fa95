// How much a command prints, and how.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { bin } from '../../../mock/testing/cli-process.ts';
import { inBody } from '../../proof/server/mutation.ts';
import { runInProcess, serve, temporaryDirectory, withKey } from '../../testing/command.ts';
import { runContractCommand } from '../contract.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});

const contract = (flags: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runInProcess(runContractCommand, ['--report-dir', directory, ...flags], { ...withKey, ...env });

describe('--quiet', () => {
  test('prints the verdict and nothing else where there is no finding', async () => {
    const { url } = await serve();
    const { code, stdout, stderr } = await contract(['--url', url, '--only', 'templates', '--quiet']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Verdict: conforms.*\n$/);
  });

  test('prints findings as always', async () => {
    const { url } = await serve(inBody('listTemplates', (body) => ({ ...body, message: 7 })));
    const flags = ['--url', url, '--only', 'templates.list.message', '--report', 'console,json', '--quiet'];
    const { code, stdout } = await contract(flags);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^FAIL templates\.list\.\S+ {2}§4\.2, documented\n[\s\S]*\n\nVerdict: does not conform: .*\n$/,
    );
    expect(stdout).not.toMatch(/✗|Written|ran \d/);
  });
});

describe('--verbose', () => {
  test('prints a line for every exchange to standard error, and the same report', async () => {
    const { url } = await serve();
    const flags = ['--url', url, '--allow-writes', '--only', 'leads.add.auth.missing-key', '--verbose'];
    const { stdout, stderr } = await contract(flags);
    const [, requests] = /^(\d+) requests, of which/m.exec(stdout) ?? [];
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(Number(requests));
    for (const line of lines)
      expect(line).toMatch(
        /^ *\d+\.\d{3} [\w.-]+: (GET|POST|PUT|DELETE) \/api\/v1\/.*\(\d+ ms, \d+ bytes?\)$/,
      );
    expect(stderr).toMatch(/POST \/api\/v1\/leads without a key: 401 /);
  });
});

const script = '/usr/bin/script';

test.runIf(process.platform === 'linux' && existsSync(script))(
  'on a real terminal the progress of a run leaves nothing behind',
  async () => {
    const { url } = await serve({}, { latencyMs: 40 });
    const flags = `--report-dir ${directory} --url ${url} --only templates.list.auth.missing-key`;
    const command = `stty cols 100; exec ${process.execPath} ${bin} contract ${flags}`;
    const env = { PATH: '/usr/bin:/bin', SHELL: '/bin/sh', TERM: 'xterm', NO_COLOR: '1', ...withKey };
    const { stdout } = await promisify(execFile)(script, ['-qec', command, '/dev/null'], { env });
    expect(stdout).toMatch(/\r\d+\/\d+ checks? decided · \d+ requests? · 0 mails · \d+ s · /);
    // What remains of it: a carriage return begins a line again.
    const lines = stdout.replaceAll('\r\n', '\n').split('\n');
    const shown = lines.map((line) => line.split('\r').at(-1)?.replace('\u001b[K', '')).join('\n');
    expect(shown).not.toMatch(/decided ·/);
    expect(shown).toMatch(/\nVerdict: conforms.*\n$/);
  },
);
