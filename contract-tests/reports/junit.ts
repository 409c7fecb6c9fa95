import { clip } from '../../mock/contract/shown-text.ts';
import { onOneLine } from '../exchange/exchange.ts';
import type { AnswerVerdict } from '../runner/summary.ts';
import type { CheckReport, Report } from './report.ts';
import { longestScript, type Markup, markup, nothing, trafficLines, verbatim } from './text.ts';
import { type Area, areasOf, type Item, itemOf, itemOfAnswer, itemText, type Tone, titleOf } from './view.ts';

// The format takes three consumers into account: Jenkins shows `message` and the body; GitLab shows only the body, and the
// class name in place of the suite; the schema of Jenkins allows neither `properties` nor `skipped` on <testsuites>. `type`
// must not be a name that GitLab's parser converts (file, integer, yaml …). The time of a test case is from its first request
// to its last response: checks run concurrently, so the sum of the times is longer than the run.

type Property = readonly [name: string, value: string | number];
type Result = 'passed' | 'failure' | 'error' | 'skipped';
type Case = { readonly xml: Markup; readonly result: Result };
const testCase = (classname: string, name: string, result: Result, inside: Markup, ms = 0): Case => ({
  result,
  xml: markup`    <testcase classname="email-leads.${classname}" name="${attribute(name)}" time="${seconds(ms)}">${inside}</testcase>\n`,
});

/** An element of a test case. The body of a problem is longer than its message. */
const element = (kind: Exclude<Result, 'passed'>, message: string, text: string, type: string): Markup => {
  const name = verbatim(kind);
  return markup`<${name} message="${attribute(message)}" type="${type}">${text}</${name}>`;
};

/** The run as JUnit XML: if the exit code is not 0, at least one test case has a failure or an error. */
export const junitReport = (report: Report): string => {
  const areas = areasOf(report).map((area) => ({
    area,
    cases: area.checks.map((check) => checkCase(check, report)),
  }));
  const answers = report.answers.map(answerCase);
  const judged = [...areas.flatMap(({ cases }) => cases), ...answers];
  const broken = count(judged, 'failure') + count(judged, 'error') > 0;
  const run = [runCase(report, broken)];
  const all = [...run, ...judged];
  const suites = [
    suite('The run', run, report, runProperties(report), report.duration_ms, runNotes(report)),
    ...areas.map(({ area, cases }) =>
      suite(area.title, cases, report, areaProperties(area, report), durationOf(area)),
    ),
    ...(answers.length > 0 ? [suite('Answers of the profile', answers, report, [])] : []),
  ];
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${titleOf(report)}" tests="${all.length}" failures="${count(all, 'failure')}" errors="${count(all, 'error')}" time="${seconds(report.duration_ms)}">
${suites}</testsuites>
`.markup;
};

const durationOf = ({ checks }: Area): number =>
  checks.reduce((sum, { duration_ms }) => sum + duration_ms, 0);

const count = (cases: readonly Case[], result: Result): number =>
  cases.filter((testCase) => testCase.result === result).length;

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

const suite = (
  name: string,
  cases: readonly Case[],
  { started_at }: Report,
  properties: readonly Property[],
  duration = 0,
  notes = nothing,
): Markup => markup`  <testsuite name="${name}" tests="${cases.length}" failures="${count(cases, 'failure')}" errors="${count(cases, 'error')}" skipped="${count(cases, 'skipped')}" time="${seconds(duration)}" timestamp="${started_at.replace(/(\.\d+)?Z$/, '')}">
${properties.length > 0 ? propertyList(properties) : nothing}${cases.map(({ xml }) => xml)}${notes}  </testsuite>
`;

const propertyList = (properties: readonly Property[]): Markup => markup`    <properties>
${properties.map(([key, value]) => markup`      <property name="${key}" value="${attribute(String(value))}"/>\n`)}    </properties>
`;

const attribute = (text: string): string => clip(onOneLine(text), 1_000);

/** What a tone counts as. A waived finding is skipped, because it is known; an undecided check is an error. */
const results: Readonly<Record<Tone, Result>> = {
  ...{ fail: 'failure', drift: 'failure', error: 'error', inconclusive: 'error' },
  ...{ waived: 'skipped', skipped: 'skipped', warn: 'passed', unstable: 'passed', pass: 'passed' },
};

/** What a test case says of an item. */
const contentOf = (item: Item, type: string): readonly [result: Result, inside: Markup] => {
  const { tone, id, label, reason, summary } = item;
  const result = results[tone];
  if (result !== 'passed') return [result, element(result, summary, textOf(item), type)];
  const isSilent = tone === 'pass' && reason === undefined;
  return [
    result,
    isSilent ? nothing : markup`<system-out>${label.toUpperCase()} ${id}: ${textOf(item)}</system-out>`,
  ];
};

const textOf = (item: Item): string =>
  item.replay === undefined
    ? itemText(item)
    : `${itemText(item)}\n\nreplay (sh):\n${clip(item.replay, longestScript)}`;

const checkCase = (check: CheckReport, report: Report): Case => {
  const { id, title, level, duration_ms } = check;
  const content = contentOf(itemOf(check, report), level);
  return testCase(id.replace(/\.[^.]*$/, ''), `${id}: ${title}`, ...content, duration_ms);
};

/** The test case of an answer of the profile. Its name does not depend on what the deployment answers now. */
const answerCase = (answer: AnswerVerdict): Case => {
  const { question, section, state, expected } = answer;
  const name = `${question}: ${state} answer ${expected} (§${section})`;
  return testCase('answers', name, ...contentOf(itemOfAnswer(answer), 'drift'));
};

/**
 * The test case for failures that no check reports: nothing could be tested, a waiver is no
 * longer needed, or the run was interrupted.
 */
const runCase = ({ verdict: { exit_code, headline }, ran }: Report, broken: boolean): Case => {
  const isSilent = exit_code !== 0 && !broken;
  const problem = element('error', headline, `${headline}\n${ran}`, 'verdict');
  const name = 'run.verdict: the run reaches a verdict';
  return isSilent ? testCase('run', name, 'error', problem) : testCase('run', name, 'passed', nothing);
};

const runProperties = ({ suite, target, coverage, ...report }: Report): Property[] => [
  ['suite.version', suite.version],
  ['target.kind', target.kind],
  ['target.url', target.url],
  ['run_id', report.run_id],
  ['strict', String(report.strict)],
  ['verdict', report.verdict.headline],
  ['exit_code', report.verdict.exit_code],
  ['requests', report.requests],
  ['mails_requested', report.mails_requested],
  ['coverage.documented', `${coverage.documented.checked} of ${coverage.documented.total}`],
  ['coverage.unobservable', coverage.unobservable.join('; ')],
  ['coverage.never_seen', coverage.never_seen.join('; ')],
  ['coverage.undocumented', coverage.undocumented.join('; ')],
  ['coverage.adaptations', coverage.adaptations.join('; ')],
  ['leftovers', report.leftovers.length],
];

const areaProperties = ({ operation }: Area, { coverage }: Report): Property[] =>
  Object.entries(coverage.statuses[operation ?? ''] ?? {}).map(
    ([status, count]) => [`status.${status}`, count] as const,
  );

const runNotes = ({ ran, leftovers, traffic }: Report): Markup => {
  const seen = traffic ? trafficLines(traffic).map((line) => markup`\n${clip(line, 1_000)}`) : [];
  const left = leftovers.map(({ curl }) => markup`\n${curl}`);
  return markup`    <system-out>${ran}${seen}${left.length > 0 ? markup`\nleads of this run that could not be deleted:${left}` : nothing}</system-out>\n`;
};
