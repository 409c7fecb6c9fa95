// What a profile is for: the document that its answers make, what differs between two, and what is pinned; and the whole story on a
// server that is not the mock, as people type it.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sample } from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Command, runInProcess } from '../../../mock/testing/in-process.ts';
import { isWhole } from '../../../mock/testing/scale.ts';
import { temporaryDirectory, temporaryFile } from '../../../mock/testing/temporary.ts';
import { arbitraryAnswers } from '../../proof/round-trip.ts';
import type { BehaviourOverrides } from '../../proof/server/server.ts';
import { embeddedTarget } from '../../session/target.ts';
import { serve, withKey } from '../../testing/command.ts';
import { profileOf } from '../../testing/profile.ts';
import { runContractCommand } from '../contract.ts';
import { runObserveCommand } from '../observe.ts';
import { runPinCommand, runSpecCommand, specText } from '../profile.ts';

const profileWith = (answers: object): string => temporaryFile(JSON.stringify(profileOf({}, answers)));

/** What a successful command prints. */
const printed = async (command: Command, ...argv: string[]): Promise<string> => {
  const { code, stdout } = await runInProcess(command, argv);
  expect(code, stdout).toBe(0);
  return stdout;
};

const answers = { 'failure.validation-status': 422, 'lead.list': 'present' } as const;

test('spec has concrete statuses, each answer beside its question, and is what the mock serves', async () => {
  const profile = profileWith(answers);
  const document = JSON.parse(await printed(runSpecCommand, '--profile', profile, '--format', 'json'));
  expect(Object.keys(document.paths['/api/v1/leads'].post.responses)).toContain('422');
  expect(document.paths['/api/v1/leads'].get.operationId).toBe('listLeads');
  const [question] = document.components.responses.Failure['x-open-questions'];
  expect(question).toMatchObject({ id: 'failure.validation-status', assumed: 400, answer: 422 });
  expect(parse(await printed(runSpecCommand, '--profile', profile))).toEqual(document);
  const target = await embeddedTarget(answers);
  const served = (await (await fetch(`${target.url}/openapi.json`)).json()) as object;
  await target.close();
  expect({ ...served, servers: [] }).toEqual({ ...document, servers: [] });
});

test('spec --diff names each difference in the order of the document, as text and as JSON', async () => {
  const [one, other] = [profileWith(answers), profileWith({ 'lead.name': 'optional' })];
  const diff = ['--profile', one, '--diff', other];
  expect(await printed(runSpecCommand, ...diff)).toContain(
    'listing leads: present → absent (assumed)  (lead.list, §4.8)',
  );
  const listed = JSON.parse(await printed(runSpecCommand, ...diff, '--json'));
  const order = ['lead.name', 'lead.list', 'failure.validation-status'];
  expect(listed.map(({ question }: { question: string }) => question)).toEqual(order);
  expect(listed[0]).toEqual({
    question: 'lead.name',
    section: '2.3',
    subject: expect.any(String),
    from: { answer: 'required', assumed: true },
    to: { answer: 'optional', assumed: false },
  });
  expect(await printed(runSpecCommand, '--profile', one, '--diff', one, '--json')).toBe('[]\n');
});

test('pin --json has what was pinned, as the profile has it', async () => {
  const file = profileWith({ 'lead.name': 'optional', 'lead.list': 'present' });
  // The second is stated, and cannot be observed.
  const wanted = ['lead.name', 'template-send.escaping=html', '--reason', 'why', '--json'];
  const { pinned, file: written } = JSON.parse(await printed(runPinCommand, file, ...wanted));
  const { answers } = JSON.parse(readFileSync(file, 'utf8'));
  expect(written).toBe(file);
  const { 'lead.name': name, 'template-send.escaping': escaping } = answers;
  expect(pinned).toEqual({ 'lead.name': name, 'template-send.escaping': escaping });
  expect(escaping).toMatchObject({ answer: 'html', state: 'pinned', reason: 'why' });
  const all = [file, '--all', '--reason', 'all'];
  const { pinned: others } = JSON.parse(await printed(runPinCommand, ...all, '--json'));
  expect(Object.keys(others)).toEqual(['lead.list']);
  expect(await printed(runPinCommand, ...all)).toContain('nothing to pin');
});

test.runIf(isWhole)('under any answers spec passes the recommended lint without a warning', () => {
  const files = sample(arbitraryAnswers, { numRuns: 6, seed: 4 }).map((given) =>
    temporaryFile(specText(given, 'yaml'), 'spec.yaml'),
  );
  const redocly = join('node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const lint = [redocly, 'lint', ...files, '--extends=recommended', '--format=json'];
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout, status } = spawnSync(process.execPath, lint, { encoding: 'utf8', env });
  expect(stdout.match(/"totals": \{\s+"errors": 0,\s+"warnings": 0,/g)).toHaveLength(files.length);
  expect(status).toBe(0);
});

const [contract, observe, pin] = [runContractCommand, runObserveCommand, runPinCommand];
const run = (command: Command, ...argv: string[]) => runInProcess(command, argv, withKey);

/** A deployment, and the flags that name it. */
const deploy = async (choices: BehaviourOverrides) => {
  const service = await serve({}, choices);
  const directory = temporaryDirectory();
  const permissions = ['--allow-writes', '--send-to', 'me@example.com'];
  return { ...service, flags: ['--url', service.url, '--report-dir', directory, ...permissions] };
};

test('observe, review, pin, gate, drift, decide anew', async () => {
  const file = join(temporaryDirectory(), 'staging.json');
  const { flags: target, leads } = await deploy({ leadRequires: ['name', 'source'] });
  const only = ['--only', 'lead.source', '--only', 'auth', '--only', 'template-send.to'];
  const first = await run(observe, ...target, '--output', file, ...only);
  // Asked for by name, and not permitted.
  const unasked = /^not everything could be asked: template-send\.to was skipped, because .*\n$/;
  expect(first).toMatchObject({ code: 3, stderr: expect.stringMatching(unasked) });
  expect(first.stdout).toMatch(/lead\.source +2\.3 +required +optional +POST \S+ \{name, note\}: 400/);
  expect(first.stdout).toMatch(/template-send\.to .*skipped .*--allow-unaddressed/);
  expect(first.stdout).toContain('4 new, 0 changed');
  expect(leads()).toBe(0);

  const observeAgain = async () => (await run(observe, ...target, '--output', file, ...only)).stdout;
  const edited = { $schema: './s.json', ...JSON.parse(readFileSync(file, 'utf8')) };
  edited.answers['lead.source'].answer = 'optional';
  writeFileSync(file, JSON.stringify(edited));
  expect(await observeAgain()).toContain('changed: lead.source, optional → required');
  const text = readFileSync(file, 'utf8');
  expect(await observeAgain()).toContain('is already up to date');
  expect(readFileSync(file, 'utf8')).toBe(text);

  expect((await run(pin, file, 'lead.source')).stderr).toContain('--reason is required');
  expect((await run(pin, file, 'lead.sauce')).stderr).toContain('did you mean lead.source?');
  expect((await run(pin, file, 'send.to', '--reason', 'x')).stderr).toContain('has no answer in the file');
  const agreed = await run(pin, file, 'lead.source', 'auth.missing-status', '--reason', 'agreed');
  expect(agreed.code).toBe(0);
  const { answers } = JSON.parse(readFileSync(file, 'utf8'));
  expect(answers['lead.source']).toMatchObject({ answer: 'required', state: 'pinned' });
  const gated = ['--profile', file, '--only', 'leads.add.success'];
  const matching = { code: 0, stdout: expect.stringContaining('2 of 2 pinned answers matching') };
  expect(await run(contract, ...target, ...gated)).toMatchObject(matching);

  const { flags: changed } = await deploy({ leadRequires: ['name'] });
  const pinned = readFileSync(file, 'utf8');
  const drifted = { code: 4, stdout: expect.stringContaining('DRIFT lead.source') };
  expect(await run(contract, ...changed, ...gated)).toMatchObject(drifted);
  expect(readFileSync(file, 'utf8')).toBe(pinned);

  const kept = { code: 2, stderr: expect.stringContaining('write to another file') };
  expect(await run(observe, ...changed, '--output', file, ...only)).toMatchObject(kept);
  await run(pin, file, 'lead.source=optional', '--reason', 'agreed anew');
  expect(await run(contract, ...changed, ...gated)).toMatchObject({ code: 0 });
  expect(await observeAgain()).toContain('drift: lead.source is pinned as optional, is now required');
  expect(readFileSync(file, 'utf8')).toContain('"$schema": "./s.json"');
});

test('a group of which some could be asked is 0', async () => {
  const { url } = await deploy({});
  const observed = await run(observe, '--url', url, '--only', 'failure');
  expect(observed).toMatchObject({ code: 0, stderr: '' });
  expect(observed.stdout).toContain('11 questions: 2 answered, 9 skipped');
  const { stdout: quiet } = await run(observe, '--url', url, '--only', 'failure', '--quiet');
  expect(quiet).toBe('11 questions: 2 answered, 9 skipped\n');
  const skipped = await run(observe, '--url', url, '--only', 'failure', '--only', 'send');
  expect(skipped.code).toBe(3);
  expect(skipped.stderr).toMatch(/^not everything could be asked: send was skipped, because .*--send-to\n$/);
});
