import { describe, expect, test } from 'vitest';
import { listQuestions } from '../../mock/contract/questions.ts';
import { checks } from '../checks/index.ts';
import { explain, nearestId } from './explain.ts';

const partsOf = (id: string): string[] =>
  (explain(id) ?? []).flatMap((line) => /^ {2}(\w+): /.exec(line)?.[1] ?? []);

test('every question is explained, in the same order', () => {
  for (const { id } of listQuestions())
    expect(partsOf(id), id).toEqual(['document', 'impact', 'answers', 'probe', 'mock', 'change', 'pin']);
});

test('every check is explained', () => {
  for (const { id } of checks) expect(partsOf(id), id).toEqual(['level', 'looks', 'needs', 'run', 'waive']);
});

test('a question says how it is asked and what that needs', () => {
  const text = explain('lead.duplicate')?.join('\n');
  expect(text).toContain('§2.3');
  expect(text).toContain('POST the same three fields twice');
  expect(text).toContain('requires --allow-writes');
  expect(text).toContain('--answer lead.duplicate=');
});

test('a question that is not observable says so', () => {
  expect(explain('key-scope')?.join('\n')).toContain('not observable from outside');
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
  const subjects = listQuestions().map(({ subject }) => subject);
  expect(new Set(subjects).size).toBe(subjects.length);
  for (const subject of subjects) expect(subject.length, subject).toBeLessThan(45);
});
