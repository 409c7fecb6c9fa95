import { expect, test } from 'vitest';
import { calmReport, hostileReport } from '../../testing/hostile-report.ts';
import { type Element, readXml } from '../../testing/read-xml.ts';

import { junitReport } from '../junit.ts';
import type { Report } from '../report.ts';

const casesOf = (report: Report): { name: string; element: Element; inside: Element[] }[] => {
  const all = readXml(junitReport(report));
  return all.flatMap((element, index) => {
    if (element.name !== 'testcase') return [];
    const next = all.findIndex((other, at) => at > index && !other.path.includes('testcase'));
    const inside = all.slice(index + 1, next === -1 ? undefined : next);
    return [{ name: element.attributes.name ?? '', element, inside }];
  });
};

/** What is in a test case: its outcome. */
const insideOf = (report: Report, id: string): readonly Element[] =>
  casesOf(report).find(({ name }) => name.startsWith(`${id}: `))?.inside ?? [];
const outcomeIn = (report: Report, id: string): string =>
  insideOf(report, id)
    .map(({ name }) => name)
    .join();

test.each([
  ['leads.add.name', 'failure'],
  ['leads.update.name', 'failure'],
  ['leads.add.keeps-texts', 'system-out'],
  ['leads.add.note', 'skipped'],
  ['leads.add.created-at', 'system-out'],
  ['leads.delete.success', 'error'],
  ['replies.encoding', 'error'],
  ['email.send.success', 'skipped'],
  ['leads.add.message', ''],
  ['somewhere.else', ''],
])('%s holds "%s"', (id, outcome) => {
  expect(outcomeIn(hostileReport, id)).toBe(outcome);
});

test('a warning is a failure when strict', () => {
  expect(outcomeIn({ ...hostileReport, strict: true }, 'leads.add.keeps-texts')).toBe('failure');
});

test('the figures are those of the test cases', () => {
  const all = readXml(junitReport(hostileReport));
  const count = (name: string, among = all): string =>
    String(among.filter((one) => one.name === name).length);
  const figures = (elements: Element[]) => ({
    tests: count('testcase', elements),
    failures: count('failure', elements),
    errors: count('error', elements),
  });
  expect(all[0]?.attributes).toMatchObject(figures(all));
  expect(all[0]?.attributes.time).toBe('61.234');
  const suites = all.flatMap(({ name }, index) => (name === 'testsuite' ? [index] : []));
  for (const [position, start] of suites.entries()) {
    const own = all.slice(start, suites[position + 1]);
    expect(own[0]?.attributes).toMatchObject({ ...figures(own), skipped: count('skipped', own) });
  }
});

test('a failure says what was expected, what came, where and how to see it again; so does a warning', () => {
  const [failure] = insideOf(hostileReport, 'leads.add.name');
  const [warning] = insideOf(hostileReport, 'leads.add.keeps-texts');
  expect(failure?.attributes.type).toBe('documented');
  expect(failure?.text).toContain('(§4.5, documented)');
  expect(warning?.text).toMatch(/^WARN leads\.add\.keeps-texts: /);
  for (const text of [failure?.text, warning?.text])
    for (const part of ['expected: <script>', 'actual: ', 'response: ', 'curl -i -X POST', '\\u0000'])
      expect(text).toContain(part);
});

test('a skip gives its reason to readers of the attribute and to readers of the text', () => {
  const [skipped] = insideOf(hostileReport, 'email.send.success');
  for (const shown of [skipped?.attributes.message, skipped?.text]) expect(shown).toContain('alert(1)');
});

test('every test case has a name of its own', () => {
  const names = casesOf(hostileReport).map(
    ({ element }) => `${element.attributes.classname} ${element.attributes.name}`,
  );
  expect(new Set(names).size).toBe(hostileReport.checks.length + hostileReport.answers.length + 1);
});

test('drift is a failure', () => {
  expect(insideOf(hostileReport, 'lead.duplicate')).toMatchObject([
    { name: 'failure', attributes: { type: 'drift', message: 'drift: pinned accepted, now merged' } },
  ]);
});

test('a pinned answer that nobody knows of is an error, one that was not pinned is none', () => {
  const answer = { ...hostileReport.answers[0], status: 'inconclusive', reason: 'no answer' } as const;
  const report = { ...calmReport, answers: [answer, { ...answer, state: 'observed' }] } as Report;
  const errors = readXml(junitReport(report)).filter(({ name }) => name === 'error');
  expect(errors.map(({ attributes }) => attributes.message)).toEqual(['undecided: no answer']);
});

test('what clients got wrong is in the notes of the run', () => {
  const notes = readXml(junitReport(hostileReport)).find(({ name }) => name === 'system-out');
  expect(notes?.text).toMatch(
    /^request: POST .*\n.*unknown field, §4\.5, open question lead\.unknown-field; 2×/m,
  );
});

test('coverage and statuses are properties', () => {
  const properties = readXml(junitReport(hostileReport)).filter(({ name }) => name === 'property');
  const values = Object.fromEntries(properties.map(({ attributes }) => [attributes.name, attributes.value]));
  expect(values).toMatchObject({ run_id: '0a1b2c3d', 'coverage.documented': '6 of 8', 'status.500': '1' });
});

test.each([
  [0, 'conforms', 0],
  [1, '1 waiver is no longer needed: leads.add.name', 1],
  [3, 'could not test: addLead', 1],
  [130, 'interrupted', 1],
] as const)(
  'with exit code %i and no broken check (%s) there are %i errors',
  (exit_code, headline, errors) => {
    const all = readXml(junitReport({ ...calmReport, verdict: { exit_code, headline } }));
    expect(all.filter(({ name }) => name === 'error')).toHaveLength(errors);
    expect(all[0]?.attributes.errors).toBe(String(errors));
  },
);
