// The suite lints itself: a check nobody can name, read or trace to the document is a defect.
import { expect, test } from 'vitest';
import { contract, listOperations } from '../../mock/contract/document.ts';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import { checks } from '../checks/index.ts';
import { replyChecks } from '../facts/replies/response-fields.ts';
import { documentedFields } from '../facts/replies/response-schema.ts';
import { selectChecks } from '../runner/selection.ts';
import { operations } from '../session/operations.ts';

test('check ids are stable slugs, each once', () => {
  const ids = checks.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z]+(\.[a-z]+(-[a-z]+)*)+$/);
});

test('titles are short claims in the present tense', () => {
  for (const { id, title } of checks) {
    expect(title.length, id).toBeLessThanOrEqual(100);
    expect(title, id).not.toMatch(/\b(should|must|will)\b/i);
  }
});

test('every section cited is one the document has', () => {
  const sections = new Set([
    ...['1', '2.1', '2.2', '2.3', '4', '4.4', '5', '7', '9'],
    ...operations.map(({ section }) => section),
  ]);
  for (const { id, section } of checks) expect(sections, id).toContain(section);
});

test('every operation has checks of its own, documented ones among them', () => {
  const operations = new Set(listOperations(contract).map(({ id }) => id));
  for (const operation of operations) {
    const own = checks.filter((check) => check.operation === operation && !('scope' in check));
    expect(own.filter(({ level }) => level === 'documented').length, operation).toBeGreaterThan(3);
  }
});

test('every field of every documented success reply is claimed by exactly one check', () => {
  for (const { operation, pointer } of successFields()) {
    const claiming = replyChecks.filter(
      (check) => check.operation === operation && 'pointer' in check && check.pointer === pointer,
    );
    const claimed =
      pointer === '/success'
        ? replyChecks.filter(({ id, operation: of }) => of === operation && id.endsWith('.success'))
        : claiming;
    expect(
      claimed.map(({ id }) => id),
      `${operation} ${pointer}`,
    ).toHaveLength(1);
  }
});

test('a filter takes ids and their beginnings', () => {
  expect(selectChecks(checks, ['leads.add.message'], []).map(({ id }) => id)).toEqual(['leads.add.message']);
  expect(
    selectChecks(checks, ['leads.add'], ['leads.add.auth']).every(({ id }) =>
      /^leads\.add\.(?!auth)/.test(id),
    ),
  ).toBe(true);
});

test.each([[['nothing']], [['leads.ad']], [['leads.add.messages']]])(
  'a filter that matches nothing is an error: %s',
  (only) => {
    expect(() => selectChecks(checks, only, [])).toThrow(/no check/);
  },
);

test('a selection that leaves nothing is an error', () => {
  expect(() => selectChecks(checks, ['leads.add'], ['leads'])).toThrow(/no check to run/);
});

const successFields = (): { operation: OperationId; pointer: string }[] =>
  operations.flatMap(({ id: operation }) =>
    documentedFields(operation).map((pointer) => ({ operation, pointer })),
  );
