import { describe, expect, test } from 'vitest';
import { listQuestions } from '../mock/questions.ts';
import { checks } from './checks/index.ts';
import { explain, nearestId } from './explain.ts';
import { questionTexts } from './question-texts.ts';

const partsOf = (id: string): string[] =>
  (explain(id) ?? []).flatMap((line) => /^ {2}(\w+): /.exec(line)?.[1] ?? []);

test('every question is explained, in the same order', () => {
  for (const { id } of listQuestions())
    expect(partsOf(id), id).toEqual(['document', 'matters', 'answers', 'probe', 'mock', 'change', 'decide']);
});

test('every check is explained', () => {
  for (const { id } of checks) expect(partsOf(id), id).toEqual(['level', 'looks', 'needs', 'run', 'waive']);
});

test('a question says how it is asked and what that needs', () => {
  const text = explain('lead.duplicate')?.join('\n');
  expect(text).toContain('§2.3');
  expect(text).toContain('POST the same three fields twice');
  expect(text).toContain('needs --allow-writes');
  expect(text).toContain('--answer lead.duplicate=');
});

test('what cannot be found out says so', () => {
  expect(explain('key-scope')?.join('\n')).toContain('cannot be found out from outside');
});

describe('an unknown id', () => {
  test.each([
    ['lead.nmae', 'lead.name'],
    ['leads.add.mesage', 'leads.add.message'],
  ])('%s is nearest to %s', (id, near) => {
    expect(explain(id)).toBeUndefined();
    expect(nearestId(id)).toBe(near);
  });
});

test('subjects are short and each once', () => {
  const subjects = Object.values(questionTexts).map(([subject]) => subject);
  expect(new Set(subjects).size).toBe(subjects.length);
  for (const subject of subjects) expect(subject.length, subject).toBeLessThan(45);
});
