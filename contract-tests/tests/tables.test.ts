// The suite lints its tables: a check nobody can name, read or trace to the document is a defect, and so is an open statement of
// the document without its question.
import { expect, test } from 'vitest';
import { listQuestions } from '../../mock/contract/questions.ts';
import { checks } from '../checks/index.ts';
import { operations } from '../exchange/operations.ts';
import { probes } from '../questions/probes/index.ts';

test('check ids are stable slugs, each once, titles short claims in the present tense, of sections that exist', () => {
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
  const others = ['1', '2.1', '2.2', '2.3', '4', '4.4', '5', '7', '9'];
  const sections = new Set([...others, ...operations.map(({ section }) => section)]);
  for (const { id, title, section } of checks) {
    expect(id).toMatch(/^[a-z]+(\.[a-z]+(-[a-z]+)*)+$/);
    expect(title).toMatch(/^(?!.*\b(should|must|will)\b).{1,100}$/i);
    expect(sections, id).toContain(section);
  }
});

// The sections that say "not shown", as often as they say it of different things.
const notShown = {
  ...{ '2.3': 3, '3': 1, '4.1': 1, '4.2': 1, '4.3': 2, '4.4': 1, '4.6': 1, '4.8': 2 },
  ...{ '5': 1, '6': 1, '7': 3, '8': 2, '9': 1 },
};

/** What each question says of the document: the section, and the statement or the gap. */
const statements = listQuestions().map(({ id, section, document }) => {
  const [, statedIn = '', text = ''] = /^§([0-9.]+): (.+\.)$/.exec(document) ?? [];
  return { id, section, document, statedIn, isNotShown: text.includes('explicitly not shown') };
});

test('every open statement of the document has its questions', () => {
  const distinct = new Map(statements.map((statement) => [statement.document, statement]));
  const counts: Record<string, number> = {};
  for (const { statedIn, isNotShown } of distinct.values())
    if (isNotShown) counts[statedIn] = (counts[statedIn] ?? 0) + 1;
  expect(counts).toEqual(notShown);
});

test('every question has a short subject of its own, its impact and what the document says, in the section that leaves it open or one that repeats it', () => {
  for (const { id, subject, impact, document } of listQuestions()) {
    expect(subject, id).toMatch(/^[^.]{1,44}$/);
    expect(impact, id).toMatch(/^[A-Z].+\.$/);
    expect(document, id).toMatch(/^§[0-9.]+: [A-Z].+\.$/);
  }
  expect(new Set(listQuestions().map(({ subject }) => subject)).size).toBe(listQuestions().length);
  // §8 repeats that limits are not shown; §5 concerns what §7 leaves open for all.
  const repeatedIn = (id: string) => (/-limit$/.test(id) ? '8' : /^auth\./.test(id) ? '5' : undefined);
  for (const { id, section, statedIn } of statements) expect(section, id).toBe(repeatedIn(id) ?? statedIn);
});

test('every observable question has one probe, in the order of what they do', () => {
  const observable = listQuestions().filter((question) => question.observable);
  expect(probes.map(({ question }) => question).sort()).toEqual(observable.map(({ id }) => id).sort());
  const order = ['read', 'writes', 'mail', 'unaddressed'];
  const ranks = probes.map(({ needs }) => order.indexOf(needs));
  expect(ranks).toEqual([...ranks].sort());
});
