import { DomUtils, parseDocument } from 'htmlparser2';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { clip, escapeInvisible } from '../../../mock/contract/shown-text.ts';
import { onOneLine } from '../../exchange/exchange.ts';
import { calmReport, hostileReport, hostileText } from '../../testing/hostile-report.ts';
import { githubReport } from '../github.ts';
import { htmlReport } from '../html.ts';
import { junitReport } from '../junit.ts';
import type { Report } from '../report.ts';
import { escapeMarkup } from '../text.ts';

test('what is invisible is written as an escape, what is not stays', () => {
  const visible = 'plain "text" <b>\n\té 漢字 👩‍👧 שלום';
  expect(escapeInvisible(visible)).toBe(visible);
  expect(escapeInvisible('\u0000\u001b[31m\r\u202e\u200b\ud800 \udfff\ufffe\u{e0041}')).toBe(
    '\\u0000\\u001b[31m\\u000d\\u202e\\u200b\\ud800 \\udfff\\ufffe\\u{e0041}',
  );
});

test('a text is cut between characters, and no character of it is markup', () => {
  expect([clip('ab😀cd', 3), clip('abc', 3)]).toEqual(['ab…', 'abc']);
  expect(escapeMarkup(hostileText)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
});

test('a body on one line keeps the blanks in its strings, and only these', () => {
  expect(onOneLine('{\n  "note": "two  blanks",\n\t"name": "a\\"  b"\n}')).toBe(
    '{ "note": "two  blanks", "name": "a\\"  b" }',
  );
  expect(onOneLine('<p>one\n  line</p>\n')).toBe('<p>one line</p>');
});

const commands = githubReport(hostileReport).trimEnd().split('\n');

test('the verdict comes first; what is waived or fine is not mentioned', () => {
  expect(commands.map((line) => /^::(\w+) title=(.*?)(?: \(.*?)?::/.exec(line)?.slice(1))).toEqual([
    ['error', 'email-leads contract'],
    ['error', 'fail leads.add.name'],
    ['error', 'fail leads.update.name'],
    ['warning', 'warn leads.add.keeps-texts'],
    ['error', 'drift lead.duplicate'],
    ['warning', 'unstable leads.add.created-at'],
    ['warning', 'inconclusive leads.delete.success'],
    ['error', 'error replies.encoding'],
  ]);
});

test('a line is one command that names its section, and its message comes out as it went in', () => {
  for (const line of commands) expect(line).toMatch(/^::(error|warning) title=[^:,]*::./);
  expect(commands[1]).toContain('(section 4.5 of the interface document%3A Add lead)::');
  // As GitHub's runner reads a line: the percent sign comes back last.
  const decoded = (commands[1] ?? '').replaceAll('%0A', '\n').replaceAll('%25', '%');
  expect(decoded).toContain('expected: <script>alert(1)</script>');
  expect(decoded).toContain('\n%0A%25');
});

/** Every element in the order of the file, which a strict reader of XML 1.0 must accept. */
const readXml = (xml: string) => {
  const strict = new SaxesParser();
  strict.on('error', (error) => {
    throw error;
  });
  strict.write(xml).close();
  return DomUtils.findAll(() => true, parseDocument(xml, { xmlMode: true }).children);
};
type Elements = ReturnType<typeof readXml>;
const textOf = (elements: Elements): string => elements.map(DomUtils.textContent).join('\n');

// The page is written so that an XML parser reads it too: one that takes nothing for granted.
const read = (html: string) => readXml(html.replace('<!doctype html>', ''));
const page = htmlReport(hostileReport);
const elements = read(page);

test('nothing a deployment said becomes an element or an attribute, and the page fetches and runs nothing', () => {
  const allowed =
    /^(html|head|meta|title|style|body|header|main|footer|section|article|h[123]|p|ul|li|dl|div|dt|dd|code|samp|pre|strong|span|br|time|table|caption|thead|tbody|tr|th|td|details|summary)$/;
  expect(elements.filter(({ name }) => !allowed.test(name))).toEqual([]);
  const attributes = new Set(elements.flatMap((element) => Object.keys(element.attribs)));
  expect([...attributes].filter((name) => /^on|^src$|^href$|^action$/.test(name))).toEqual([]);
  const policy = elements.find(({ attribs }) => attribs['http-equiv'] === 'Content-Security-Policy');
  expect(policy?.attribs.content).toBe("default-src 'none'; style-src 'unsafe-inline'");
  expect(page.length).toBeLessThan(155_000);
});

test('headings go down one level at a time below one h1, and every label leads to a unique id', () => {
  const levels = elements.flatMap(({ name }) => (/^h\d$/.test(name) ? [Number(name[1])] : []));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  levels.forEach((level, at) => void expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1));
  const ids = elements.flatMap(({ attribs }) => attribs.id ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  const labels = elements.flatMap(({ attribs }) => attribs['aria-labelledby'] ?? []);
  expect(ids).toEqual(expect.arrayContaining(labels));
});

test('it says what was tested, what came of it, and what is left', () => {
  const text = textOf(elements);
  for (const part of [
    ...['http://127.0.0.1:4010/base', '2026-03-02 10:15:30 UTC', 'for 1 min 1 s', '6 of 8'],
    ...['§4.1 the email is sent', 'addLead /error', 'Left behind (1)', 'Findings (4 causes)'],
    ...['Needs review (3)', 'Pinned answers (1 changed, 0 undecided)', 'All results (12)'],
    'ran 9 of 10 checks, 1 skipped: 1 because',
  ])
    expect(text).toContain(part);
});

test('a run with nothing to say has no empty sections', () => {
  const headings = read(htmlReport(calmReport)).filter(({ name }) => name === 'h2');
  expect(textOf(headings)).toBe('Coverage\nAll results (2)');
});

/** What is in each test case of a report: its outcome, by the id of its check or question. */
const casesOf = (report: Report): Map<string, Elements> => {
  const cases = readXml(junitReport(report)).filter(({ name }) => name === 'testcase');
  const idOf = (name = ''): string => name.split(': ', 1)[0] ?? '';
  return new Map(
    cases.map(({ attribs, children }) => [idOf(attribs.name), DomUtils.findAll(() => true, children)]),
  );
};
const cases = casesOf(hostileReport);
const namesIn = (elements: Elements = []): string => elements.map(({ name }) => name).join();

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
  expect(all[0]?.attribs.time).toBe('61.234');
  for (const { name, attribs, children } of all.filter(({ name }) => /^testsuites?$/.test(name))) {
    const count = (of: string): string => String(DomUtils.getElementsByTagName(of, children).length);
    const figures = { tests: count('testcase'), failures: count('failure'), errors: count('error') };
    expect(attribs).toMatchObject({ ...figures, ...(name === 'testsuite' && { skipped: count('skipped') }) });
  }
  expect(cases.size).toBe(hostileReport.checks.length + hostileReport.answers.length + 1);
});

test('a failure says what was expected, what came, where and how to see it again; so does a warning', () => {
  const of = (id: string): Elements => cases.get(id) ?? [];
  const [failure, warning, skipped] = [
    of('leads.add.name'),
    of('leads.add.keeps-texts'),
    of('email.send.success'),
  ];
  expect(failure[0]?.attribs.type).toBe('documented');
  expect(textOf(failure)).toContain('(§4.5, documented)');
  expect(textOf(warning)).toMatch(/^WARN leads\.add\.keeps-texts: /);
  for (const text of [failure, warning].map(textOf))
    for (const part of ['expected: <script>', 'actual: ', 'response: ', 'curl -i -X POST', '\\u0000'])
      expect(text).toContain(part);
  for (const shown of [skipped[0]?.attribs.message, textOf(skipped)]) expect(shown).toContain('alert(1)');
});

test('a pinned answer that nobody knows of is an error, one that was not pinned is none', () => {
  const answer = { ...hostileReport.answers[0], status: 'inconclusive', reason: 'no answer' } as const;
  const report = { ...calmReport, answers: [answer, { ...answer, state: 'observed' }] } as Report;
  const errors = readXml(junitReport(report)).filter(({ name }) => name === 'error');
  expect(errors.map(({ attribs }) => attribs.message)).toEqual(['inconclusive: no answer']);
});

test('the test case of the run says what was tested, and what clients got wrong', () => {
  const notes = textOf((cases.get('run.verdict') ?? []).filter(({ name }) => name === 'system-out'));
  for (const line of [
    ...[/^run: +0a1b2c3d$/m, /^documented facts checked: 6 of 8$/m],
    // A name and its text are apart, however long the name is.
    /\nbroken derived facts: warnings\nexit code: 1\n/,
    /^request: POST .*\n.*unknown field, §4\.5, open question \S+; 2×/m,
  ])
    expect(notes).toMatch(line);
});

test.each([
  [0, 'conforms', 0],
  [1, '1 waiver is no longer needed: leads.add.name', 1],
  [3, 'could not test: addLead', 1],
  [130, 'interrupted', 1],
] as const)('exit code %i without a broken check (%s) has %i errors', (exit_code, headline, errors) => {
  const report = { ...calmReport, verdict: { exit_code, headline } };
  const all = readXml(junitReport(report));
  expect(all.filter(({ name }) => name === 'error')).toHaveLength(errors);
  expect(all[0]?.attribs.errors).toBe(String(errors));
  const command = `::error title=email-leads contract::${headline}\n`;
  expect(githubReport(report)).toBe(errors > 0 ? command : '');
});
