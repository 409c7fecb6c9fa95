import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { bin, runNode } from '../../../mock/testing/cli-process.ts';
import { runInProcess } from '../../../mock/testing/in-process.ts';
import { useDirectory } from '../../../mock/testing/temporary.ts';
import { openLedgerFile, readLedgerFile } from '../../client/ledger.ts';
import type { Mutation } from '../../proof/server/types.ts';
import { key, serve, withKey } from '../../testing/command.ts';
import { profileOf } from '../../testing/profile.ts';
import { runContractCommand } from '../contract.ts';

const fileOf = useDirectory();
afterEach(() => void vi.restoreAllMocks());

const started = (fault: Mutation = {}, latencyMs = 4) => serve(fault, { latencyMs });

/** `email-leads contract …` as its own process. */
const contract = (flags: readonly string[], preloaded: readonly string[] = []) =>
  runNode([...preloaded, bin, 'contract', ...flags, '--report-dir', fileOf('out')], withKey);

/** The command in this process: its exit code and what it said. */
const saying = (flags: string[], env = {}) => runInProcess(runContractCommand, flags, env);

const ledgers = (): string[] =>
  existsSync(fileOf('out')) ? readdirSync(fileOf('out')).map((name) => fileOf('out', name)) : [];

test('the embedded mock needs no key, permits everything, and gets no more mails than --max-sends permits', async () => {
  const said = await saying(['--skip', 'leads,templates']);
  expect(said.code, said.text).toBe(0);
  expect(said.text).toMatch(
    /ran (\d+) of \1 checks: \1 decided, 0 undecided; 0 skipped; \d+ more only with --thorough$/m,
  );
  const { code, text } = await saying(['--only', 'email.send', '--max-sends', '0']);
  expect(text).toContain('because the limit of mails is reached (--max-sends 0): raise it');
  expect(text).toMatch(/\d+ requests, of which 0 requested mail/);
  expect(code).toBe(3);
});

test('what a run may cost is said before it, which variable has no effect, and what one flag permits is one group', async () => {
  const { url } = await started();
  const only = ['--only', 'templates.list.success,leads.update,leads.add'];
  const flags = ['--url', url, '--send-to', 'me@example.com', ...only];
  const { text } = await saying(flags, { ...withKey, EMAIL_LEADS_ALLOW_WRITES: '1' });
  for (const part of [
    /^This run sends at most \d+ requests, adds and deletes at most 0 leads, and tries at most \d+ wrong keys\. .*\nThis run requests no mail\.$/m,
    /^warning: EMAIL_LEADS_ALLOW_WRITES has no effect: permissions are given on the command line only$/m,
    /^ran 1 of \d+ checks: 1 decided, 0 undecided; (\d+) skipped: \1 because --allow-writes is missing; \d+ more only with --thorough$/m,
  ])
    expect(text).toMatch(part);
});

/** The ids that `--list` prints. */
const listed = async (only: string, ...flags: string[]): Promise<string[]> => {
  const { code, text } = await saying(['--list', '--only', only, ...flags]);
  expect(code, text).toBe(0);
  return text.split('\n').map((line) => line.split(' ', 1)[0] ?? '');
};

test('what costs much runs in a thorough run, or when it is named', async () => {
  expect(await listed('email.send')).not.toContain('email.send.auth.no-key');
  expect(await listed('email.send', '--thorough')).toContain('email.send.auth.no-key');
  const both = ['email.send.any-json-form', 'email.template.any-json-form'];
  expect(await listed('email.*.any-json-form')).toEqual(both);
  expect(await listed(both.join(', '))).toEqual(both);
  const named = await saying(['--only', 'templates.list.auth.null-key,leads.add.keeps-texts']);
  expect(named.text).toMatch(/^ran 2 of 2 checks: 2 decided, 0 undecided; 0 skipped$/m);
  // Each with its cost, and the scenarios that decide it.
  const { text } = await saying(['--list', '--only', 'email.send.letters,replies.encoding']);
  expect(text).toMatch(/\(3 requests, 2 mails; decided by email\.send\.letters\)$/m);
  expect(text).toMatch(/\(no requests of its own; decided by every response\)$/m);
});

test('the counts of a run include what the questions of a profile asked for', async () => {
  const profile = fileOf('profile.json');
  writeFileSync(profile, JSON.stringify(profileOf({ 'send.subject': 'optional' }, {}, 'the embedded mock')));
  const out = fileOf('out');
  const flags = ['--only', 'templates.list.success', '--profile', profile, '--report-dir', out];
  const { code, text } = await saying([...flags, '--report', 'console,json,junit']);
  expect(code, text).toBe(4);
  expect(text).toContain('answers: 0 of 1 pinned match, 1 drifted, 0 could not be decided; 0 observed only');
  const report = JSON.parse(readFileSync(fileOf('out', 'report.json'), 'utf8'));
  // The check sends no mail, the question does.
  expect(report.mails_requested).toBeGreaterThan(0);
  expect(text).toContain(`${report.requests} requests, of which ${report.mails_requested} requested mail`);
  expect(readFileSync(fileOf('out', 'junit.xml'), 'utf8')).toContain(
    '<failure message="drift: now required, pinned as optional"',
  );
});

test('an error of the suite itself is exit 3, and says nothing of the deployment', async () => {
  const service = await started();
  vi.spyOn(process, 'on').mockImplementationOnce(() => {
    throw new TypeError(`a defect that knows ${key}`);
  });
  const { code, text } = await saying(['--url', service.url], withKey);
  expect(code).toBe(3);
  expect(text).toMatch(/could not test: the suite itself failed, please report it: TypeError: a defect/);
  expect(text).not.toContain(key);
});

test('an error that nobody catches is exit 3, and the remaining leads are printed and on the ledger, for --clean', async () => {
  const service = await started({}, 20);
  const crash = fileOf('crash.mjs');
  // As soon as the ledger says that there is something to leave.
  writeFileSync(
    crash,
    `import { existsSync, readdirSync, readFileSync } from 'node:fs';
    const out = ${JSON.stringify(fileOf('out'))};
    const added = (name) => name.startsWith('ledger') && readFileSync(out + '/' + name, 'utf8').includes('"open":["');
    setInterval(() => {
      if (existsSync(out) && readdirSync(out).some(added)) throw new TypeError('a defect of ' + process.env.EMAIL_LEADS_API_KEY);
    }, 5);`,
  );
  const child = contract(['--url', service.url, '--allow-writes'], ['--import', crash]);
  expect(await child.ended).toBe(3);
  expect(child.stderr()).toContain('the suite itself failed, please report it: TypeError: a defect');
  expect(child.stderr() + child.stdout()).not.toContain(key);
  const [ledger = ''] = ledgers();
  expect(child.stderr()).toContain(`email-leads contract --clean ${ledger}`);
  expect(readFileSync(ledger, 'utf8')).not.toContain(key);
  const { open, unnamed } = readLedgerFile(ledger);
  expect(open.length + unnamed).toBeGreaterThanOrEqual(service.leads());

  const cleaned = await saying(['--clean', ledger], withKey);
  expect(cleaned.text).toMatch(/^gone from http:\S+: (\d+) of \1 leads? of run [0-9a-f]{8}$/m);
  expect(cleaned.code).toBe(0);
  // The id of a lead that was being added at that moment is unknown: the run can only report it.
  expect(service.leads()).toBeLessThanOrEqual(unnamed);
  const unknown = `${unnamed} more may be left whose ids no response contained`;
  expect(cleaned.text.includes(unknown)).toBe(unnamed > 0);
  expect(existsSync(ledger)).toBe(false);
});

test('a signal ends the run, which leaves nothing behind', async () => {
  const service = await started();
  const child = contract(['--url', service.url, '--allow-writes']);
  await expect.poll(() => service.leads(), { interval: 10 }).toBeGreaterThanOrEqual(5);
  child.process.kill('SIGHUP');
  await expect.poll(child.stderr).toContain('stopping: deleting what the run created');
  // A closed terminal and its shell both send it: the second one may come when the process is about to exit.
  await child.printed(/Verdict: interrupted/);
  child.process.kill('SIGHUP');
  expect(await child.ended).toBe(130);
  expect(service.leads()).toBe(0);
  expect(ledgers()).toEqual([]);
});

test('a second signal ends it at once, and what is left is printed', async () => {
  let isPending = false;
  const service = await started({
    handle: async (call, next, { sleep }) => {
      // The first lead is added by discovery: without it no more leads would be added.
      if (call.operation === 'deleteLead' && call.nth > 1) {
        isPending = true;
        await sleep(30_000);
      }
      return next(call);
    },
  });
  const child = contract(['--url', service.url, '--allow-writes']);
  await expect.poll(() => isPending).toBe(true);
  child.process.kill('SIGTERM');
  await expect.poll(child.stderr).toContain('stopping');
  child.process.kill('SIGINT');
  expect(await child.ended).toBe(130);
  const [ledger = ''] = ledgers();
  const { open, unnamed } = readLedgerFile(ledger);
  expect(open.length + unnamed).toBeGreaterThanOrEqual(service.leads());
  expect(child.stderr()).toMatch(new RegExp(`${open.length} leads? of this run (is|are) left`));
  expect(child.stderr().match(/-X DELETE/g)).toHaveLength(open.length);
  expect(child.stderr()).toContain(`--clean ${ledger}`);
});

test('--clean keeps the ledger where it cannot clean, even if it names no lead, and on it what was not deleted', async () => {
  const { url } = await started({
    handle: (call, next) => (call.id === 'kept' ? { status: 409, body: { error: 'in use' } } : next(call)),
  });
  const { path, note } = openLedgerFile(fileOf(), { url, runId: 'abcd1234' }, String);
  const before = readFileSync(path, 'utf8');
  for (const [flags, env, code, said] of [
    [['--url', `${url}/x`], withKey, 2, '--url is another deployment'],
    [[], {}, 2, 'EMAIL_LEADS_API_KEY is not set'],
    [[], { EMAIL_LEADS_API_KEY: 'wrong' }, 3, 'could not clean: key refused'],
  ] as const) {
    const { code: ended, text } = await saying(['--clean', path, ...flags], env);
    expect([ended, text]).toEqual([code, expect.stringContaining(said)]);
  }
  expect(readFileSync(path, 'utf8')).toBe(before);
  for (const id of ['gone', 'kept']) note(id);
  const { code, text } = await saying(['--clean', path], withKey);
  expect(code).toBe(3);
  for (const part of ['1 of 2 leads', `-X DELETE '${url}/api/v1/leads/kept'`]) expect(text).toContain(part);
  expect(readLedgerFile(path).open).toEqual(['kept']);
});
