import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jsonText } from '../../../mock/contract/printable.ts';
import { checks } from '../../checks/index.ts';
import { type Command, runInProcess, temporaryDirectory } from '../../testing/command.ts';
import { runContractCommand } from '../contract.ts';
import { runPinCommand, runSpecCommand } from '../profile.ts';

/** What a successful command prints, parsed. */
const printed = async (command: Command, ...argv: string[]) => {
  const { code, text } = await runInProcess(command, argv);
  expect(code, text).toBe(0);
  return JSON.parse(text);
};

const profileWith = (answers: object): string => {
  const file = join(temporaryDirectory(), 'profile.json');
  const entries = Object.entries(answers).map(([id, answer]) => [
    id,
    { answer, state: 'observed', observed_at: '2026-03-02T10:15:30.000Z', suite_version: '1', evidence: 'e' },
  ]);
  const content = {
    deployment: 'https://a.test',
    questions_digest: '0',
    answers: Object.fromEntries(entries),
  };
  writeFileSync(file, JSON.stringify(content));
  return file;
};

test('contract --list --json: an object for each check, with what it costs', async () => {
  const list = await printed(runContractCommand, '--list', '--json', '--thorough');
  expect(list.map(({ id }: { id: string }) => id)).toEqual(checks.map(({ id }) => id));
  expect(await printed(runContractCommand, '--list', '--json', '--only', 'email.send.letters')).toEqual([
    {
      id: 'email.send.letters',
      section: '4.1',
      level: 'derived',
      needs: 'mail',
      operation: 'sendEmail',
      title: expect.any(String),
      thorough: false,
      cost: { requests: expect.any(Number), leads: 0, mails: expect.any(Number), wrong_keys: 0 },
      decided_by: ['email.send.texts', 'email.send.letters'],
    },
  ]);
});

test('spec --diff --json: an object for each difference', async () => {
  const [one, other] = [profileWith({ 'lead.list': 'present' }), profileWith({ 'lead.name': 'optional' })];
  expect(await printed(runSpecCommand, '--profile', one, '--diff', other, '--json')).toEqual([
    {
      question: 'lead.name',
      section: '2.3',
      subject: expect.any(String),
      from: { answer: 'required', assumed: true },
      to: { answer: 'optional', assumed: false },
    },
    {
      question: 'lead.list',
      section: '4.8',
      subject: expect.any(String),
      from: { answer: 'present', assumed: false },
      to: { answer: 'absent', assumed: true },
    },
  ]);
  expect(await printed(runSpecCommand, '--profile', one, '--diff', one, '--json')).toEqual([]);
});

test('pin --json: what was pinned, as the profile has it', async () => {
  const file = profileWith({ 'lead.name': 'optional', 'lead.list': 'present' });
  const wanted = ['lead.name', 'send.to=required', '--reason', 'why', '--json'];
  const { pinned, file: written } = await printed(runPinCommand, file, ...wanted);
  const { answers } = JSON.parse(readFileSync(file, 'utf8'));
  expect(written).toBe(file);
  expect(pinned).toEqual({ 'lead.name': answers['lead.name'], 'send.to': answers['send.to'] });
  expect(pinned['send.to']).toMatchObject({ answer: 'required', state: 'pinned', reason: 'why' });
  const rest = await printed(runPinCommand, file, '--all', '--reason', 'all', '--json');
  expect(Object.keys(rest.pinned)).toEqual(['lead.list']);
  expect(await printed(runPinCommand, file, '--all', '--reason', 'all', '--json')).toEqual({
    file,
    pinned: {},
  });
});

test.each<[Command, string[], RegExp]>([
  [runContractCommand, ['--json'], /--json belongs to --list: .*--report json$/],
  [runSpecCommand, ['--json'], /--json belongs to --diff: .*--format json$/],
  [runPinCommand, ['none.json', '--all', '--json'], /none\.json does not exist$/],
])('wrong usage is a line and exit code 2: %j', async (run, argv, message) => {
  const { code, text } = await runInProcess(run, argv);
  expect(code).toBe(2);
  expect(text).toMatch(message);
});

test('JSON has no character that a terminal or a CI server obeys, and means the same', () => {
  const value = { text: '\u001b[2J\u202e\u{e0001}##vso[task]::error\n', deep: ['##teamcity[', '…'] };
  const text = jsonText(value);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]|##\w+\[/u);
  expect(JSON.parse(text)).toEqual(value);
});
