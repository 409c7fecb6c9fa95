import { expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import { checkNamed } from '../../testing/run-on.ts';
import { selectChecks, selectFailed } from '../selection.ts';
import { emptyResult, summarise } from '../summary.ts';

test('a pattern selects and skips', () => {
  const ids = selectChecks(checks, ['leads.*.keeps-*'], ['leads.*.*-texts', 'leads.*.*-letters']);
  expect(ids.map(({ id }) => id)).toEqual([
    'leads.add.keeps-words-as-text',
    'leads.update.keeps-words-as-text',
    'leads.update.keeps-other-fields',
  ]);
  expect(() => selectChecks(checks, ['*.auth'], [])).toThrow('"*.auth"');
  expect(() => selectChecks(checks, [], ['leads.*.kept-*'])).toThrow('"leads.*.kept-*"');
  expect(() => selectChecks(checks, ['leads.add'], ['leads'])).toThrow(/no check to run/);
});

type Results = Parameters<typeof selectFailed>[1];
const repeated = (results: Results): string[] => selectFailed(checks, results).map(({ id }) => id);
const foundBy = (...ids: string[]) => ({
  finding: { exchanges: ids.map((scenario) => ({ request: { scenario } })) },
});

test('--only-failed repeats what failed and what is undecided, with the scenarios that got the responses', () => {
  const results: Results = [
    { id: 'leads.add.message', status: 'inconclusive' },
    { id: 'leads.add.echoes-fields', status: 'fail', waived: 'known' },
    { id: 'leads.delete.success', status: 'pass' },
    { id: 'replies.encoding', status: 'fail', ...foundBy('leads.lifecycle', 'leads.idle') },
  ];
  expect(repeated(results).sort()).toEqual(['leads.add.message', 'leads.update.lasts', 'replies.encoding']);
});

test.each([
  ['a broken documented fact', 'leads.add.message', 'fail', 1, 1],
  ['a broken derived fact', 'leads.add.keeps-texts', 'warn', 0, 1],
  ['a check that failed in the suite', 'leads.add.message', 'error', 3, 3],
  ['nothing that could be run', 'leads.add.message', 'skipped', 3, 3],
  ['what passes only after a retry', 'leads.add.message', 'unstable', 0, 0],
  ['everything in order', 'leads.add.message', 'pass', 0, 0],
] as const)('a run with %s ends with its exit code', (_what, id, status, code, strictCode) => {
  const run = { ...emptyResult, verdicts: [{ check: checkNamed(id), status }] };
  expect([false, true].map((isStrict) => summarise(run, isStrict).exitCode)).toEqual([code, strictCode]);
});
