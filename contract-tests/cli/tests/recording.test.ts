// What a command collects: a recording (`--record`) with `check` on it, and a seed (`--seed`) with the mock that reads it.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { startMock } from '../../../mock/index.ts';
import { type Command, runInProcess } from '../../../mock/testing/in-process.ts';
import { useDirectory } from '../../../mock/testing/temporary.ts';
import { inBody } from '../../proof/server/mutation.ts';
import type { Report } from '../../reports/report.ts';
import { call, key, serve, startProxySession, withKey } from '../../testing/command.ts';
import { listing } from '../../testing/exchanges.ts';
import { createRecorder } from '../../traffic/record.ts';
import { runCheckCommand } from '../check.ts';
import { runContractCommand } from '../contract.ts';
import { runObserveCommand } from '../observe.ts';

const fileOf = useDirectory();
let [recording, seed] = ['', ''];
beforeEach(() => {
  [recording, seed] = [fileOf('run.har'), fileOf('seed.json')];
});
const reports = () => ['--report', 'json', '--report-dir', fileOf()];

const reported = (code: number) => {
  const { checks, mails_requested: mails } = JSON.parse(
    readFileSync(fileOf('report.json'), 'utf8'),
  ) as Report;
  return { code, mails, broken: checks.filter(({ status }) => status === 'fail').map(({ id }) => id) };
};

/** The exit code of a command with a report, the number of mails, and the documented facts that it found broken. */
const judge = async (command: Command, args: readonly string[], environment = {}) => {
  const { code, text } = await runInProcess(command, [...args, ...reports()], environment);
  expect([0, 1, 3], text).toContain(code);
  return reported(code);
};

const wrongError = inBody('listTemplates', (body) => ({ ...body, error: 7 }));

test('a recorded run of contract is judged like the run, the defects of its bytes too', async () => {
  const mark = Buffer.from([0xef, 0xbb, 0xbf]);
  const { url } = await serve({
    ...wrongError,
    rewrite: (raw) => ({ ...raw, payload: Buffer.concat([mark, raw.payload]) }),
  });
  const only =
    'templates.list.error,templates.list.auth.missing-key,replies.encoding,email.send.survives-bad-input';
  const flags = ['--url', url, '--send-to', 'qa@example.com', '--record', recording, '--only', only];
  const live = await judge(runContractCommand, flags, withKey);
  expect(live).toEqual({ code: 1, mails: 1, broken: expect.arrayContaining(['replies.encoding']) });
  expect(await judge(runCheckCommand, [recording])).toEqual(live);
  // What several recordings of one session have counts once.
  const said = [[recording], [recording, recording]].map((files) => runInProcess(runCheckCommand, files));
  const judged = (await Promise.all(said)).map(({ text }) => /\d+ exchanges checked/.exec(text)?.[0] ?? '');
  expect(judged[1]).toBe(judged[0]);
  const recorded = readFileSync(recording, 'utf8');
  expect(recorded).toContain('Bearer $EMAIL_LEADS_API_KEY');
  expect(recorded).not.toContain(key.slice(8, -2));
});

test('a recorded run has the requests that got no response, which may have taken effect', async () => {
  const { url } = await serve({
    handle: (call, next) => {
      const reply = next(call);
      if (call.operation === 'updateLead' && call.nth === 4) throw new Error('the connection breaks');
      return reply;
    },
  });
  const flags = ['--url', url, '--allow-writes', '--record', recording, '--only', 'leads.update.echoes-note'];
  const live = await judge(runContractCommand, flags, withKey);
  expect(live).toEqual({ code: 0, mails: 0, broken: [] });
  expect(await judge(runCheckCommand, [recording])).toEqual(live);
  const { log } = JSON.parse(readFileSync(recording, 'utf8'));
  const statuses = log.entries.map(({ response }: { response: { status: number } }) => response.status);
  expect(statuses.filter((status: number) => status === 0)).toHaveLength(1);
});

test('a recording has a limit, and says what it leaves out', () => {
  const recorder = createRecorder();
  const rawText = 'x'.repeat(2 ** 20 + 1);
  recorder.add({ ...listing, responseBody: { ...listing.responseBody, rawText } as never });
  for (let count = 0; count < 20_000; count += 1) recorder.add(listing);
  expect(recorder.describe('run.har', String)).toEqual(['Written: run.har, without the last 1 exchanges']);
  const text = recorder.text({ url: 'http://a.test', redact: (part) => part });
  expect(text).not.toContain('xxx');
});

const templatesAt = async (url: string, apiKey = key): Promise<unknown> =>
  (await call(url, 'GET', '/email/templates', undefined, apiKey)).data;

/** The templates of a mock that was started with the seed. */
const load = async (): Promise<unknown> => {
  await using mock = await startMock({ seed });
  return await templatesAt(mock.url, 'test_key');
};

test('of the seed of observe the mock lists the templates that it can hold', async () => {
  const { url } = await serve(
    inBody('listTemplates', (body) => {
      const [first, ...others] = body.data as { id: string }[];
      const odd = [{ body: 7 }, { id: 'empty', name: '' }, { id: true }, { id: 'x'.repeat(1001) }];
      return { ...body, data: [...others, ...odd.map((changes) => ({ ...first, ...changes }))] };
    }),
  );
  const flags = ['--only', 'templates', '--seed', seed];
  const { code, text } = await runInProcess(runObserveCommand, ['--url', url, ...flags], withKey);
  expect(code, text).toBe(0);
  expect(text).toContain(`Written: ${seed}`);
  const named = 'tpl_welcome, empty, a template without a usable id';
  expect(text).toContain(`left out, because a seed needs an id, a name and a body: ${named}`);
  const listed = (await templatesAt(url)) as object[];
  expect(await load()).toEqual(listed.slice(0, -4));
  expect(readFileSync(seed, 'utf8')).not.toContain(key);
});

test('proxy writes a seed beside a recording, without cookies and keys, and check writes the same', async () => {
  const { url } = await serve({
    ...wrongError,
    rewrite: (raw) => ({ ...raw, headers: { ...raw.headers, 'set-cookie': 'sid=of-the-server' } }),
  });
  const proxy = await startProxySession(url, ['--record', recording, '--seed', seed, ...reports()]);
  const headers = { authorization: `Bearer ${key}`, cookie: 'sid=of-the-client', 'x-api-key': 'other-key' };
  await fetch(`${proxy.url}/api/v1/email/templates`, { headers });
  await proxy.end();
  const live = reported(await proxy.ended);
  expect(live.broken).toContain('templates.list.error');
  expect(await load()).toEqual(await templatesAt(url));
  const written = readFileSync(recording, 'utf8') + readFileSync(seed, 'utf8');
  expect(written).toContain('"set-cookie"');
  for (const secret of ['of-the-server', 'of-the-client', 'other-key', key])
    expect(written).not.toContain(secret);
  rmSync(seed);
  expect(await judge(runCheckCommand, [recording, '--seed', seed])).toEqual(live);
  expect(await load()).toEqual(await templatesAt(url));
});

test('a seed is not written without a list of templates, with exit code 2', async () => {
  writeFileSync(recording, JSON.stringify({ log: { version: '1.2', entries: [] } }));
  const flags = ['--seed', seed, '--report', 'console'];
  const { code, text } = await runInProcess(runCheckCommand, [recording, ...flags]);
  expect(text).toMatch(/--seed .* was not written: no list of templates/);
  expect(code).toBe(2);
  expect(existsSync(seed)).toBe(false);
});

test('--seed does not overwrite the seed that a variable names for the mock', async () => {
  writeFileSync(seed, '{"leads":[{"name":"Lena"}]}');
  const flags = ['--url', (await serve()).url, '--only', 'templates'];
  const { code } = await runInProcess(runObserveCommand, flags, { ...withKey, EMAIL_LEADS_SEED: seed });
  expect(code).toBe(0);
  expect(readFileSync(seed, 'utf8')).toBe('{"leads":[{"name":"Lena"}]}');
});
