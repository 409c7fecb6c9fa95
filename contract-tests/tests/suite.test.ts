// The suite lints itself: a check nobody can name, read or trace to the document is a defect.
import { expect, test } from 'vitest';
import { contract, listOperations } from '../../mock/contract/document.ts';
import { checks } from '../checks/index.ts';
import { operations } from '../exchange/operations.ts';
import { replyChecks } from '../facts/replies/response-fields.ts';
import { documentedFields } from '../facts/replies/response-schema.ts';

test('check ids are stable slugs, each once', () => {
  const ids = checks.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z]+(\.[a-z]+(-[a-z]+)*)+$/);
});

test('titles are short claims in the present tense', () => {
  for (const { title } of checks) expect(title).toMatch(/^(?!.*\b(should|must|will)\b).{1,100}$/i);
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
  for (const { id: operation } of operations)
    for (const pointer of documentedFields(operation)) {
      const claiming = replyChecks.filter((check) =>
        pointer === '/success'
          ? check.id.endsWith('.success')
          : 'pointer' in check && check.pointer === pointer,
      );
      const own = claiming.filter((check) => check.operation === operation);
      expect(
        own.map(({ id }) => id),
        `${operation} ${pointer}`,
      ).toHaveLength(1);
    }
});
