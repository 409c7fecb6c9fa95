import { expect, test } from 'vitest';
import { calmReport, hostileReport } from '../../testing/hostile-report.ts';
import { readXml } from '../../testing/read-xml.ts';
import { htmlReport } from '../html.ts';

// The page is written so that an XML parser reads it too: one that takes nothing for granted.
const read = (html: string) => readXml(html.replace('<!doctype html>', ''));
const page = htmlReport(hostileReport);
const elements = read(page);

test('nothing a deployment said becomes an element or an attribute, and the page fetches and runs nothing', () => {
  const allowed =
    /^(html|head|meta|title|style|body|header|main|footer|section|article|h[123]|p|ul|li|dl|div|dt|dd|code|samp|pre|strong|span|br|time|table|caption|thead|tbody|tr|th|td|details|summary)$/;
  expect(elements.filter(({ name }) => !allowed.test(name))).toEqual([]);
  const attributes = new Set(elements.flatMap((element) => Object.keys(element.attributes)));
  expect([...attributes].filter((name) => /^on|^src$|^href$|^action$/.test(name))).toEqual([]);
  const policy = elements.find(({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy');
  expect(policy?.attributes.content).toBe("default-src 'none'; style-src 'unsafe-inline'");
  expect(page.length).toBeLessThan(155_000);
});

test('headings go down one level at a time below one h1, and every label leads to a unique id', () => {
  const levels = elements.flatMap(({ name }) => (/^h\d$/.test(name) ? [Number(name[1])] : []));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  levels.forEach((level, at) => void expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1));
  const ids = elements.flatMap(({ attributes }) => attributes.id ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  const labels = elements.flatMap(({ attributes }) => attributes['aria-labelledby'] ?? []);
  expect(ids).toEqual(expect.arrayContaining(labels));
});

test.each([
  'http://127.0.0.1:4010/base',
  '2026-03-02 10:15:30 UTC',
  'for 1 min 1 s',
  '6 of 8',
  '§4.1 the email is sent',
  'addLead /error',
  'Left behind (1)',
  'Findings (4 causes)',
  'Needs review (3)',
  'Pinned answers (1 changed, 0 undecided)',
  'ran 9 of 10 checks, 1 skipped: 1 because',
  'All checks (10)',
])('it says "%s"', (text) => {
  expect(elements.map((element) => element.text).join('\n')).toContain(text);
});

test('a run with nothing to say has no empty sections', () => {
  const headings = read(htmlReport(calmReport)).filter(({ name }) => name === 'h2');
  expect(headings.map(({ text }) => text)).toEqual(['Coverage', 'All checks (2)']);
});
