import { describe, expect, test } from 'vitest';
import { listQuestions } from '../../../mock/contract/questions.ts';
import { checks } from '../../checks/index.ts';
import { runInProcess } from '../../testing/command.ts';
import { runContractCommand } from '../contract.ts';
import { explain, runExplainCommand } from '../explain.ts';

/** What `explain --json` prints, parsed. */
const json = async (id: string) => {
  const { code, text } = await runInProcess(runExplainCommand, [id, '--json']);
  expect(code, text).toBe(0);
  return JSON.parse(text);
};

const partsOf = (id: string): string[] =>
  (explain(id) ?? []).flatMap((line) => /^ {2}(\w+): /.exec(line)?.[1] ?? []);

test('every question is explained, in the same order, and as JSON', async () => {
  const parts = ['document', 'impact', 'answers', 'probe', 'mock', 'change', 'pin', 'page'];
  for (const { id, observable } of listQuestions()) {
    expect(partsOf(id), id).toEqual(parts);
    const { questions } = await json(id);
    expect(questions).toMatchObject([{ id, probe: observable ? expect.any(String) : null }]);
  }
});

test('every check is explained', () => {
  for (const check of checks) {
    expect(partsOf(check.id)).toEqual(['level', 'costs', 'needs', 'run', 'waive']);
  }
});

test('a question says how it is asked and what that needs', async () => {
  const text = explain('lead.duplicate')?.join('\n');
  expect(text).toContain('§2.3');
  expect(text).toContain('POST the same three fields twice');
  expect(text).toContain('requires --allow-writes');
  expect(text).toContain('--answer lead.duplicate=');
  expect(await json('lead.duplicate')).toEqual({
    checks: [],
    questions: [
      {
        ...listQuestions().find(({ id }) => id === 'lead.duplicate'),
        probe: expect.stringContaining('POST the same three fields twice'),
        needs: ['--allow-writes'],
      },
    ],
  });
});

test.each([
  ['email.send.letters', /--send-to\)$/m],
  ['email.template.repeatable', /--send-to and --allow-unaddressed\)$/m],
  ['template-send.extra-variable', /requires --send-to and --allow-unaddressed$/m],
  ['leads.add.stores-note', /costs: +\d+ requests, \d+ leads; decided by leads\.in-turn$/m],
  ['key-scope', /not observable from outside/],
])('says what %s needs', (id, needs) => {
  expect(explain(id)?.join('\n')).toMatch(needs);
});

test('a check as JSON is that of contract --list --json', async () => {
  const id = 'email.send.letters';
  const { text } = await runInProcess(runContractCommand, ['--list', '--json', '--only', id]);
  expect(await json(id)).toEqual({ questions: [], checks: JSON.parse(text) });
});

test.each(['leads.add', 'leads'])('a group of checks lists them: %s', (group) => {
  const ids = checks.map(({ id }) => id).filter((id) => id.startsWith(`${group}.`));
  const [head, ...rows] = explain(group) ?? [];
  expect(head).toBe(`${group}: ${ids.length} checks`);
  expect(rows.map((row) => row.trim().split(' ', 1)[0])).toEqual(ids);
  for (const row of rows) expect(row).toMatch(/§\d\S*\s+(documented|derived): \S/);
});

test('a group of questions lists them, beside the checks of the same name', async () => {
  const text = explain('templates')?.join('\n');
  expect(text).toMatch(/^templates: \d+ open questions$/m);
  expect(text).toMatch(/^ {2}templates\.order +§4\.2 +\S/m);
  expect(text).toMatch(/^templates: \d+ checks$/m);
  expect(explain('auth')?.[0]).toBe('auth: 3 open questions');
  const { questions, checks } = await json('templates');
  expect(questions.length).toBeGreaterThan(1);
  expect(checks.length).toBeGreaterThan(1);
});

describe('an unknown id', () => {
  test.each([
    ['lead.nmae', 'did you mean lead.name?'],
    ['leads.add.mesage', 'did you mean leads.add.message?'],
    ['lead.dup', 'did you mean lead.duplicate?'],
    ['lead.updat', 'did you mean lead.update-name?'],
    [
      'addLead',
      'email-leads contract --list lists the checks, contract-tests/open-questions.md the questions',
    ],
  ])('%s gets a hint: %s', async (id, hint) => {
    expect(await runInProcess(runExplainCommand, [id])).toMatchObject({
      code: 2,
      text: `email-leads: there is no question or check "${id}"; ${hint}`,
    });
  });
});
