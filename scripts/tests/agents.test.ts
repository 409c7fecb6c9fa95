// AGENTS.md as a coding agent uses it: its commands in their order, in the folder of an app.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bin } from '../../mock/testing/cli-process.ts';
import { temporaryDirectory } from '../../mock/testing/temporary-directory.ts';
import { commandsOf, readPage } from '../testing/pages.ts';

const folder = temporaryDirectory();
const written = (name: string): string => readFileSync(join(folder, name), 'utf8');
writeFileSync(join(folder, 'npx'), `#!/bin/sh\nshift; exec "${process.execPath}" "${bin}" "$@"\n`, {
  mode: 0o755,
});

/** What each command prints, in the order of the page. */
const expected: readonly (readonly [begin: string, output: RegExp])[] = [
  ['npx email-leads health', /ready/],
  ['curl -s -X POST http://127.0.0.1:4010/api/v1/email/send', /"success":true/],
  ['curl -s "http://127.0.0.1:4010/__admin/outbox/wait', /"total":1,/],
  ['curl -s http://127.0.0.1:4010/__admin/outbox/latest', /"codes":\["123456"\]/],
  ['curl -s http://127.0.0.1:4010/__admin/leads', /"total":0/],
  ['curl -s "http://127.0.0.1:4010/__admin/requests?status=4xx"', /"total":0/],
  ['curl -s "http://127.0.0.1:4010/__admin/requests?unmatched=true"', /"total":0/],
  ['curl -s -X PUT http://127.0.0.1:4010/__admin/faults', /"status":503/],
  ['curl -s -X POST http://127.0.0.1:4010/api/v1/leads', /"success":false/],
  ['curl -s -X DELETE http://127.0.0.1:4010/__admin/faults', /"rules":\[\]/],
  ['curl -s -X POST http://127.0.0.1:4010/__admin/reset', /"status":"reset"/],
  ['npx email-leads contract', /Verdict: conforms/],
  ['EMAIL_LEADS_API_KEY=test_key npx email-leads contract', /0 undecided/],
  ['kill ', /^$/],
];

test('its commands work, one after the other, and leave no process', async () => {
  const run = async (command: string, env = {}) => {
    const path = [folder, process.env.PATH].join(delimiter);
    const options = { cwd: folder, env: { PATH: path, EMAIL_LEADS_PORT: '0', ...env } };
    return (await promisify(execFile)('sh', ['-c', command], options)).stdout;
  };
  const [start = '', keep = '', ...commands] = commandsOf('AGENTS.md');
  expect(start).toMatch(/^npx email-leads mock > email-leads\.log 2>&1 &$/);
  expect(commands.map((command, at) => command.startsWith(expected[at]?.[0] ?? '?') || command)).toEqual(
    expected.map(() => true),
  );
  await run(`${start}\n${keep}`);
  const pid = Number(written('email-leads.pid'));
  try {
    await expect.poll(() => written('email-leads.log')).toMatch(/Base URL {3}http/);
    const [, url = ''] = /Base URL {3}(\S+)/.exec(written('email-leads.log')) ?? [];
    for (const [at, command] of commands.entries()) {
      // Other tests run all checks.
      const env = command.includes(' health') ? { EMAIL_LEADS_URL: url } : { EMAIL_LEADS_ONLY: 'templates' };
      const output = await run(command.replaceAll('http://127.0.0.1:4010', url), env);
      expect(output, command).toMatch(expected[at]?.[1] ?? /^$/);
    }
    await expect.poll(() => isRunning(pid)).toBe(false);
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  }
});

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('it is one page', () => {
  const lines = readPage('AGENTS.md').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(90);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(200);
});
