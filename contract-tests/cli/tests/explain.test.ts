import { expect, test } from 'vitest';
import { jsonText } from '../../../mock/contract/printable.ts';
import { listQuestions } from '../../../mock/contract/questions.ts';
import { type Command, runInProcess } from '../../../mock/testing/in-process.ts';
import { checks } from '../../checks/index.ts';
import { runContractCommand } from '../contract.ts';
import { explain, runExplainCommand } from '../explain.ts';

/** What a command prints, parsed. */
const json = async (command: Command, ...argv: string[]) => {
  const { code, text } = await runInProcess(command, [...argv, '--json']);
  expect(code, text).toBe(0);
  return JSON.parse(text);
};

const partsOf = (id: string) => (explain(id) ?? []).flatMap((line) => /^ {2}(\w+): /.exec(line)?.[1] ?? []);

test('every question and every check is explained, in the same order', () => {
  const parts = ['document', 'impact', 'answers', 'probe', 'mock', 'change', 'pin', 'page'];
  for (const { id } of listQuestions()) expect(partsOf(id), id).toEqual(parts);
  for (const { id } of checks) expect(partsOf(id), id).toEqual(['level', 'costs', 'needs', 'run', 'waive']);
});

test.each([
  ['email.send.letters', /--send-to\)$/m],
  ['email.template.repeatable', /--send-to and --allow-unaddressed\)$/m],
  ['template-send.extra-variable', /requires --send-to and --allow-unaddressed$/m],
  ['lead.duplicate', /probe: +POST the same three fields twice.*; requires --allow-writes$/m],
  ['lead.duplicate', /--answer lead\.duplicate=/],
  ['leads.add.stores-note', /costs: +\d+ requests, \d+ leads; decided by leads\.same-texts$/m],
  ['states', /change: +none: the mock imitates no other answer$/m],
  ['failures.error', /costs: +1 request, 1 wrong key; decided by failures\.no-key\n +needs: +read only$/m],
  ['key-scope', /not observable from outside/],
])('says what %s costs and needs', (id, part) => {
  expect(explain(id)?.join('\n')).toMatch(part);
});

test('a check as JSON is that of contract --list --json, which lists all of them; a question has its probe', async () => {
  const id = 'email.send.letters';
  const listed = await json(runContractCommand, '--list', '--thorough');
  expect(listed.map((check: { id: string }) => check.id)).toEqual(checks.map((check) => check.id));
  const check = {
    id,
    section: '4.1',
    level: 'derived',
    needs: 'mail',
    operation: 'sendEmail',
    title: expect.any(String),
    thorough: false,
    cost: { requests: expect.any(Number), leads: 0, mails: expect.any(Number), wrong_keys: 0 },
    decided_by: ['email.send.letters'],
  };
  expect(await json(runContractCommand, '--list', '--only', id)).toEqual([check]);
  expect(await json(runExplainCommand, id)).toEqual({ questions: [], checks: [check] });
  const question = listQuestions().find((one) => one.id === 'lead.duplicate');
  const probe = expect.stringContaining('POST the same three fields twice');
  const questions = [{ ...question, probe, needs: ['--allow-writes'] }];
  expect(await json(runExplainCommand, 'lead.duplicate')).toEqual({ checks: [], questions });
});

test('a group lists its questions and its checks', async () => {
  const [head, ...rows] = explain('leads.add') ?? [];
  const ids = checks.map(({ id }) => id).filter((id) => id.startsWith('leads.add.'));
  expect(head).toBe(`leads.add: ${ids.length} checks`);
  expect(rows.map((row) => row.trim().split(' ', 1)[0])).toEqual(ids);
  for (const row of rows) expect(row).toMatch(/§\d\S*\s+(documented|derived): \S/);
  const both = explain('templates')?.join('\n');
  expect(both).toMatch(/^templates: \d+ open questions, \d+ checks\n +templates\.\S+ +§4\.\d +open question/);
  const { questions, checks: listed } = await json(runExplainCommand, 'templates');
  expect([questions.length > 1, listed.length > 1]).toEqual([true, true]);
});

test('JSON has no character that a terminal or a CI server obeys, and means the same', () => {
  const value = { text: '\u001b[2J\u202e\u{e0001}##vso[task]::error\n', deep: ['##teamcity[', '…'] };
  const text = jsonText(value);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]|##\w+\[/u);
  expect(JSON.parse(text)).toEqual(value);
});
