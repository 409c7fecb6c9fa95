import { clip } from '../../mock/contract/shown-text.ts';
import { onOneLine } from '../exchange/exchange.ts';
import type { AnswerVerdict } from '../runner/summary.ts';
import type { CheckReport, Report } from './report.ts';
import { longestScript, type Markup, markup, nothing, trafficLines, verbatim } from './text.ts';
import { type Area, areasOf, type Item, itemOf, itemOfAnswer, itemText, titleOf } from './view.ts';

// The format takes three consumers into account: Jenkins shows `message` and the body; GitLab shows only the body, and the
// class name in place of the suite; the schema of Jenkins allows neither `properties` nor `skipped` on <testsuites>. `type`
// must not be a name that GitLab's parser converts (file, integer, yaml …). The time of a test case is from its first request
// to its last response: checks run concurrently, so the sum of the times is longer than the run.

type Property = readonly [name: string, value: string | number];
type Result = 'passed' | 'failure' | 'error' | 'skipped';
type Case = { readonly xml: Markup; readonly result: Result };
type Finish = (result: Result, inside: Markup) => Case;

/** The function that creates a test case, given its result and its content. */
const caseNamed =
  (classname: string, name: string, time = '0'): Finish =>
  (result, inside) => ({
    result,
    xml: markup`    <testcase classname="email-leads.${classname}" name="${attribute(name)}" time="${time}">${inside}</testcase>\n`,
  });

/** An element of a test case. The body of a problem is longer than its message. */
const element = (kind: Exclude<Result, 'passed'>, message: string, text: string, type?: string): Markup => {
  const name = verbatim(kind);
  return markup`<${name} message="${attribute(message)}"${type === undefined ? nothing : markup` type="${type}"`}>${text}</${name}>`;
};

/** The run as JUnit XML: if the exit code is not 0, at least one test case has a failure or an error. */
export const junitReport = (report: Report): string => {
  const areas = areasOf(report).map((area) => ({
    area,
    cases: area.checks.map((check) => caseOf(check, report)),
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

/** The test case of a check. A waived finding is skipped, because it is known; an undecided check is an error. */
const caseOf = (check: CheckReport, report: Report): Case => {
  const { id, title, level, reason = '', waived } = check;
  const item = itemOf(check, report);
  const testcase = caseNamed(classOf(id), `${id}: ${title}`, seconds(check.duration_ms));
  const problem = (result: Exclude<Result, 'passed'>, message: string): Case =>
    testcase(result, element(result, message, textOf(item), level));
  switch (item.tone) {
    case 'fail':
      return problem('failure', reason);
    case 'error':
      return problem('error', reason);
    case 'waived':
      return problem('skipped', `waived: ${waived}`);
    case 'inconclusive':
      return problem('error', `undecided: ${reason}`);
    case 'skipped':
      return testcase('skipped', element('skipped', reason, reason));
    case 'warn':
    case 'unstable':
      return testcase(
        'passed',
        markup`<system-out>${item.label.toUpperCase()} ${id}: ${textOf(item)}</system-out>`,
      );
    default:
      return testcase('passed', nothing);
  }
};

const classOf = (id: string): string => id.replace(/\.[^.]*$/, '');

const textOf = (item: Item): string =>
  item.replay === undefined
    ? itemText(item)
    : `${itemText(item)}\n\nreplay (sh):\n${clip(item.replay, longestScript)}`;

/** A test case for an answer of the profile. It fails only if the answer is pinned and changed. */
const answerCase = (answer: AnswerVerdict): Case => {
  const { question, section, state, status, expected, reason = '' } = answer;
  const item = itemOfAnswer(answer);
  const testcase = caseNamed('answers', `${question}: ${state} answer ${expected} (§${section})`);
  const problem = (result: 'failure' | 'error', message: string): Case =>
    testcase(result, element(result, message, itemText(item), 'drift'));
  if (status === 'skipped') return testcase('skipped', element('skipped', reason, reason));
  if (state !== 'pinned')
    return testcase('passed', reason === '' ? nothing : markup`<system-out>${itemText(item)}</system-out>`);
  if (status === 'drift') return problem('failure', `drift: ${item.title}`);
  if (status === 'inconclusive' || status === 'unstable') return problem('error', `undecided: ${reason}`);
  return testcase('passed', nothing);
};

/**
 * The test case for failures that no check reports: nothing could be tested, a waiver is no
 * longer needed, or the run was interrupted.
 */
const runCase = ({ verdict, ran }: Report, broken: boolean): Case => {
  const silent = verdict.exit_code !== 0 && !broken;
  const testcase = caseNamed('run', 'run.verdict: the run reaches a verdict');
  return silent
    ? testcase('error', element('error', verdict.headline, `${verdict.headline}\n${ran}`, 'verdict'))
    : testcase('passed', nothing);
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
