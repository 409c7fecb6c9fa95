import { clip } from '../../mock/contract/shown-text.ts';
import { onOneLine } from '../exchange/exchange.ts';
import { areasOf, type Item, itemText, rowLine, type Tone } from './items.ts';
import type { Report } from './report.ts';
import { factsOf, sectionsOf, titleOf } from './sections.ts';
import { longestScript, type Markup, markup, verbatim } from './text.ts';

// The format takes three consumers into account: Jenkins shows `message` and the body; GitLab shows only the body, and the
// class name in place of the suite; the schema of Jenkins does not allow `skipped` on <testsuites>. `type` must not be a name
// that GitLab's parser converts (file, integer, yaml …). Only the run takes time: its requests serve many checks each.

type Result = 'passed' | 'failure' | 'error' | 'skipped';

/** What a tone counts as. A waived finding is skipped, because it is known; an undecided check is an error. */
const results: Readonly<Record<Tone, Result>> = {
  ...{ fail: 'failure', drift: 'failure', error: 'error', inconclusive: 'error' },
  ...{ waived: 'skipped', skipped: 'skipped', warn: 'passed', unstable: 'passed', pass: 'passed' },
};

type Case = { readonly xml: Markup; readonly result: Result };

type Suite = { readonly name: string; readonly ms?: number; readonly cases: readonly Case[] };

/** The run as JUnit XML: if the exit code is not 0, at least one test case has a failure or an error. */
export const junitReport = (report: Report): string => {
  const suites = areasOf(report).map(({ title: name, items }): Suite => ({ name, cases: items.map(caseOf) }));
  const all = [runSuite(report, suites), ...suites];
  const cases = all.flatMap((suite) => suite.cases);
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${titleOf(report)}" ${figures(cases, report.duration_ms)}>
${all.map((suite) => suiteXml(suite, report.started_at.replace(/(\.\d+)?Z$/, '')))}</testsuites>
`.markup;
};

const suiteXml = ({ name, ms = 0, cases }: Suite, startedAt: string): Markup =>
  markup`  <testsuite name="${name}" ${figures(cases, ms)} skipped="${count(cases, 'skipped')}" timestamp="${startedAt}">
${cases.map(({ xml }) => xml)}  </testsuite>
`;

const count = (cases: readonly Case[], result: Result): number =>
  cases.filter((testCase) => testCase.result === result).length;

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

const figures = (cases: readonly Case[], ms: number): Markup =>
  markup`tests="${cases.length}" failures="${count(cases, 'failure')}" errors="${count(cases, 'error')}" time="${seconds(ms)}"`;

const attribute = (text: string): string => clip(onOneLine(text), 1_000);

const testCase = (classname: string, name: string, result: Result, inside?: Markup, ms = 0): Case => ({
  result,
  xml: markup`    <testcase classname="email-leads.${classname}" name="${attribute(name)}" time="${seconds(ms)}">${inside}</testcase>\n`,
});

/** A problem of a test case. Its text is longer than its message. */
const problem = (kind: Exclude<Result, 'passed'>, message: string, text: string, type: string): Markup => {
  const name = verbatim(kind);
  return markup`<${name} message="${attribute(message)}" type="${type}">${text}</${name}>`;
};

const output = (text: string): Markup => markup`<system-out>${text}</system-out>`;

const caseOf = (item: Item): Case => {
  const { id, title, level, tone, label, reason, summary, replay } = item;
  const script = replay === undefined ? '' : `\n\nreplay (sh):\n${clip(replay, longestScript)}`;
  const text = itemText(item) + script;
  const result = results[tone];
  const isSilent = tone === 'pass' && reason === undefined;
  const passed = isSilent ? undefined : output(`${label.toUpperCase()} ${id}: ${text}`);
  const inside = result === 'passed' ? passed : problem(result, `${label}: ${summary}`, text, level);
  return testCase(id.replace(/\.[^.]*$/, ''), `${id}: ${title}`, result, inside);
};

/**
 * The test case for failures that no check reports: nothing could be tested, a waiver is no longer needed, or the run was
 * interrupted. Its output is what the run saw beside its checks.
 */
const runSuite = (report: Report, suites: readonly Suite[]): Suite => {
  const { verdict, ran, duration_ms: ms } = report;
  const lines = [
    ...[verdict.headline, ran, ...factsOf(report).map(rowLine)],
    ...sectionsOf(report).flatMap((section) => [...section.lines, ...section.commands]),
  ];
  const notes = output(lines.map((line) => clip(line, 1_000)).join('\n'));
  const isReported = suites.some(({ cases }) => count(cases, 'failure') + count(cases, 'error') > 0);
  const result = verdict.exit_code === 0 || isReported ? 'passed' : 'error';
  const inside = [...(result === 'passed' ? [] : [problem(result, verdict.headline, ran, 'verdict')]), notes];
  const name = 'run.verdict: the run reaches a verdict';
  return { name: 'The run', ms, cases: [testCase('run', name, result, markup`${inside}`, ms)] };
};
