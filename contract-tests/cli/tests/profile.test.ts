import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { differencesOf, differenceText } from '../../questions/profile.ts';
import { embeddedTarget } from '../../session/target.ts';
import { specText } from '../profile.ts';

const answers = {
  'failure.validation-status': 422,
  'lead.id-format': 'uuid',
  'lead.list': 'present',
} as const;

const document = JSON.parse(specText(answers, 'json'));

test('the document has concrete statuses, and each answer beside its question', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths['/api/v1/leads'].post.responses)).toContain('422');
  expect(document.paths['/api/v1/leads'].get.operationId).toBe('listLeads');
  const [question] = document.components.responses.Failure['x-open-questions'];
  expect(question).toMatchObject({ id: 'failure.validation-status', assumed: 400, answer: 422 });
});

test('YAML and JSON are the same document, which the mock serves under the same answers', async () => {
  expect(parse(specText(answers, 'yaml'))).toEqual(document);
  const target = await embeddedTarget(answers);
  const served = (await (await fetch(`${target.url}/openapi.json`)).json()) as object;
  await target.close();
  expect({ ...served, servers: [] }).toEqual({ ...document, servers: [] });
});

test('a difference is a sentence each, in the order of the document', () => {
  const differences = differencesOf({ 'lead.name': 'optional' }, { ...answers, 'lead.name': 'optional' });
  expect(differences.map(differenceText)).toEqual([
    'format of lead ids: prefixed (assumed) → uuid  (lead.id-format, §2.3)',
    'listing leads: absent (assumed) → present  (lead.list, §4.8)',
    'validation failures: 400 (assumed) → 422  (failure.validation-status, §7)',
  ]);
  expect(differencesOf(answers, answers)).toEqual([]);
});
