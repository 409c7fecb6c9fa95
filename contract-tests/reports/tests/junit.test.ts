import { expect, test } from 'vitest';
import { calmReport, hostileReport } from '../../testing/hostile-report.ts';
import { type Element, readXml } from '../../testing/read-xml.ts';
import { junitReport } from '../junit.ts';
import type { Report } from '../report.ts';

/** What is in each test case of a report: its outcome, by the id of its check or question. */
const casesOf = (report: Report): Map<string, Element[]> => {
  const cases = new Map<string, Element[]>();
  let inside: Element[] = [];
  for (const element of readXml(junitReport(report)))
    if (element.name === 'testcase') {
      inside = [];
      cases.set((element.attributes.name ?? '').split(': ', 1)[0] ?? '', inside);
    } else if (element.path.includes('testcase')) inside.push(element);
  return cases;
};
const cases = casesOf(hostileReport);
const namesIn = (elements: readonly Element[] = []): string => elements.map(({ name }) => name).join();

test.each([
  ['leads.add.name', 'failure'],
  ['leads.add.keeps-texts', 'system-out'],
  ['leads.add.note', 'skipped'],
  ['leads.add.created-at', 'system-out'],
  ['leads.delete.success', 'error'],
  ['replies.encoding', 'error'],
  ['email.send.success', 'skipped'],
  ['leads.add.message', ''],
  ['lead.duplicate', 'failure'],
])('%s holds "%s"', (id, outcome) => {
  expect(namesIn(cases.get(id))).toBe(outcome);
});

test('a warning is a failure when strict', () => {
  const strict = casesOf({ ...hostileReport, strict: true });
  expect(namesIn(strict.get('leads.add.keeps-texts'))).toBe('failure');
});

test('the figures are those of the test cases, each of which has a name of its own', () => {
  const all = readXml(junitReport(hostileReport));
  const count = (name: string, among: readonly Element[]): string =>
    String(among.filter((one) => one.name === name).length);
  const figures = (among: readonly Element[]) => ({
    tests: count('testcase', among),
    failures: count('failure', among),
    errors: count('error', among),
  });
  expect(all[0]?.attributes).toMatchObject({ ...figures(all), time: '61.234' });
  const suites = all.flatMap(({ name }, index) => (name === 'testsuite' ? [index] : []));
  for (const [position, start] of suites.entries()) {
    const own = all.slice(start, suites[position + 1]);
    expect(own[0]?.attributes).toMatchObject({ ...figures(own), skipped: count('skipped', own) });
  }
  expect(cases.size).toBe(hostileReport.checks.length + hostileReport.answers.length + 1);
});

test('a failure says what was expected, what came, where and how to see it again; so does a warning', () => {
  const [failure] = cases.get('leads.add.name') ?? [];
  const [warning] = cases.get('leads.add.keeps-texts') ?? [];
  expect(failure).toMatchObject({
    attributes: { type: 'documented' },
    text: expect.stringContaining('(§4.5, documented)'),
  });
  expect(warning?.text).toMatch(/^WARN leads\.add\.keeps-texts: /);
  for (const text of [failure?.text, warning?.text])
    for (const part of ['expected: <script>', 'actual: ', 'response: ', 'curl -i -X POST', '\\u0000'])
      expect(text).toContain(part);
  const [skipped] = cases.get('email.send.success') ?? [];
  for (const shown of [skipped?.attributes.message, skipped?.text]) expect(shown).toContain('alert(1)');
});

test('a pinned answer that nobody knows of is an error, one that was not pinned is none', () => {
  const answer = { ...hostileReport.answers[0], status: 'inconclusive', reason: 'no answer' } as const;
  const report = { ...calmReport, answers: [answer, { ...answer, state: 'observed' }] } as Report;
  const errors = readXml(junitReport(report)).filter(({ name }) => name === 'error');
  expect(errors.map(({ attributes }) => attributes.message)).toEqual(['undecided: no answer']);
});

test('coverage and statuses are properties, and the notes of the run have what clients got wrong', () => {
  const all = readXml(junitReport(hostileReport));
  const properties = all.filter(({ name }) => name === 'property').map(({ attributes }) => attributes);
  const values = Object.fromEntries(properties.map(({ name, value }) => [name, value]));
  expect(values).toMatchObject({ run_id: '0a1b2c3d', 'coverage.documented': '6 of 8', 'status.500': '1' });
  expect(all.find(({ name }) => name === 'system-out')?.text).toMatch(
    /^request: POST .*\n.*unknown field, §4\.5, open question lead\.unknown-field; 2×/m,
  );
});

test.each([
  [0, 'conforms', 0],
  [1, '1 waiver is no longer needed: leads.add.name', 1],
  [3, 'could not test: addLead', 1],
  [130, 'interrupted', 1],
] as const)('exit code %i without a broken check (%s) has %i errors', (exit_code, headline, errors) => {
  const all = readXml(junitReport({ ...calmReport, verdict: { exit_code, headline } }));
  expect(all.filter(({ name }) => name === 'error')).toHaveLength(errors);
  expect(all[0]?.attributes.errors).toBe(String(errors));
});
