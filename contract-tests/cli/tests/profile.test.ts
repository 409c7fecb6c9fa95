// What a profile is for: the document that its answers make, what differs between two, and what is pinned.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sample } from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isWhole } from '../../../mock/testing/scale.ts';
import { arbitraryAnswers } from '../../proof/round-trip.ts';
import { embeddedTarget } from '../../session/target.ts';
import { type Command, runInProcess, temporaryFile } from '../../testing/command.ts';
import { profileOf } from '../../testing/profile.ts';
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
  expect(listed.map(({ question }: { question: string }) => question)).toEqual([
    ...['lead.name', 'lead.list', 'failure.validation-status'],
  ]);
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
  expect(await printed(runPinCommand, ...all)).toContain(
    'nothing to pin: the profile has no observed answer',
  );
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
