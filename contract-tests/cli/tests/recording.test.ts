// `--record`, and `check` on what it wrote.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bin, runNode } from '../../../mock/testing/cli-process.ts';
import { inBody, onSuccess } from '../../proof/server/mutation.ts';
import { createService } from '../../proof/server/server.ts';
import type { Mutation } from '../../proof/server/types.ts';
import type { Report } from '../../reports/report.ts';
import { createRecorder, type RecordedExchange } from '../../traffic/record.ts';

const key = 'sk_live_4f9c1e7ab2d8463095be';
let directory: string;
const closers: (() => unknown)[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'recording-'));
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

/** A command with a report of its own: its exit code, and the documented facts that it found broken. */
const run = async (name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const out = join(directory, name);
  const reports = ['--report', 'json', '--report-dir', out];
  const [command = '', rest] = [args[0], args.slice(1)];
  const child = runNode([bin, command, ...reports, ...rest], { PATH: process.env.PATH ?? '', ...env });
  closers.push(() => child.process.kill('SIGKILL'));
  const code = await child.ended;
  const file = join(out, 'report.json');
  expect(existsSync(file), child.stderr()).toBe(true);
  const { checks } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  return { code, broken: checks.filter(({ status }) => status === 'fail').map(({ id }) => id) };
};

const recorded = (): string => readFileSync(join(directory, 'run.har'), 'utf8');

const wrongError = inBody('listTemplates', (body) => ({ ...body, error: 7 }));
const keepsName: Mutation = onSuccess('addLead', (reply) => ({ ...reply, status: 201 }));

test.each<[string, Mutation, string[]]>([
  ['a conforming service', {}, []],
  ['a field of another type', wrongError, ['templates.list.error']],
  ['another status', keepsName, ['leads.add.success']],
])('a recorded run of contract is judged like the run: %s', async (_name, mutation, expected) => {
  const url = await serve(mutation);
  const file = join(directory, 'run.har');
  const flags = ['--url', url, '--allow-writes', '--record', file, '--only', 'templates,leads.add'];
  const live = await run('live', ['contract', ...flags], { EMAIL_LEADS_API_KEY: key });
  const again = await run('again', ['check', file]);
  expect(live.broken).toEqual(expect.arrayContaining(expected));
  expect(again.code).toBe(live.code);
  for (const id of expected) expect(again.broken).toContain(id);
  expect(recorded()).toContain('Bearer $EMAIL_LEADS_API_KEY');
  expect(recorded()).not.toContain(key.slice(8, -2));
});

test('observe and proxy record too', async () => {
  const url = await serve(wrongError);
  const file = join(directory, 'run.har');
  const child = runNode([bin, 'observe', '--url', url, '--only', 'templates', '--record', file], {
    EMAIL_LEADS_API_KEY: key,
  });
  await child.ended;
  expect((await run('observed', ['check', file])).broken).toContain('templates.list.error');
  const app = `await fetch(process.env.EMAIL_LEADS_URL + '/api/v1/email/templates', { headers: { authorization: 'Bearer ${key}' } })`;
  const command = ['--', process.execPath, '--input-type=module', '-e', app];
  const live = await run('proxy', ['proxy', '--upstream', url, '--port', '0', '--record', file, ...command]);
  const again = await run('again', ['check', file]);
  expect(again).toEqual(live);
  expect(live.broken).toContain('templates.list.error');
  expect(recorded()).not.toContain(key);
});

test('a file that cannot be written ends the command before its first request', async () => {
  const child = runNode([bin, 'contract', '--record', join(bin, 'run.har')]);
  expect(await child.ended).toBe(2);
  expect(child.stderr()).toMatch(/--record .* cannot be written/);
});

test('a recording has a limit, and says what it leaves out', () => {
  const recorder = createRecorder();
  const exchange: RecordedExchange = {
    ...{ method: 'GET', target: '/api/v1/email/templates', status: 200, requestHeaders: [] },
    ...{ responseHeaders: [], sent: '', received: 'x'.repeat(2 ** 20 + 1), startedAt: 0, durationMs: 1 },
  };
  for (let count = 0; count < 20_001; count += 1) recorder.add(exchange);
  expect(recorder.dropped()).toBe(1);
  const text = recorder.text({ url: 'http://a.test', version: '1', redact: (part) => part });
  expect(text).not.toContain('xxx');
});
