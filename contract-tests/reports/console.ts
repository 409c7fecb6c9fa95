import { styleText } from 'node:util';
import { printableLine } from '../../mock/contract/printable.ts';
import { plural } from '../exchange/describe.ts';
import { type Area, areasOf, type Cause, rowLine, type Tone, tally, tallyText } from './items.ts';
import type { Report, Scripts } from './report.ts';
import { type Section, sectionsOf, toneOfRun } from './sections.ts';
import { effortLines } from './text.ts';

export type ConsoleOptions = {
  /** Leaves out what is neither a finding nor the verdict. Leads that the run left are always named. */
  readonly isQuiet: boolean;
  readonly isColoured: boolean;
};

/** A line, of which a first part has the colour of a tone. */
type Line = string | { readonly first: string; readonly tone: Tone; readonly rest?: string };

/** The colour of each tone, and its mark before an operation of which it is the most important one. */
const styles: Readonly<Record<Tone, readonly [mark: string, colour: Parameters<typeof styleText>[0]]>> = {
  fail: ['✗', ['bold', 'red']],
  error: ['✗', ['bold', 'red']],
  drift: ['✗', ['bold', 'magenta']],
  warn: ['!', ['bold', 'yellow']],
  inconclusive: ['!', ['bold', 'yellow']],
  unstable: ['!', ['bold', 'yellow']],
  pass: ['✓', ['bold', 'green']],
  waived: ['-', 'gray'],
  skipped: ['-', 'gray'],
};

/** The run as text: a line for each operation, then the parts of the report, then the verdict. */
export const consoleReport = (
  report: Report,
  scripts: Scripts,
  { isQuiet, isColoured }: ConsoleOptions,
): string => {
  const { requests, mails_requested: mails, waited_ms: waited } = report;
  const lines: readonly Line[] = [
    ...(isQuiet ? [] : [...areasOf(report).map(areaLine), '']),
    ...sectionsOf(report).flatMap((section) => sectionLines(section, scripts, isQuiet)),
    ...(isQuiet ? [] : [report.ran, ...effortLines(requests, mails, waited)]),
  ];
  return [...lines.map((line) => textOf(line, isColoured)), verdictLine(report, { isColoured })].join('\n');
};

export const verdictLine = (report: Report, { isColoured }: Pick<ConsoleOptions, 'isColoured'>): string =>
  textOf({ first: `Verdict: ${report.verdict.headline}`, tone: toneOfRun(report) }, isColoured);

/** A line as it is printed. Control characters of a deployment are escaped before those of the colours are added. */
const textOf = (line: Line, isColoured: boolean): string => {
  if (typeof line === 'string') return printableLine(line);
  const { first, tone, rest = '' } = line;
  const whole = printableLine(first + rest);
  if (!isColoured) return whole;
  const { length } = printableLine(first);
  return styleText(styles[tone][1], whole.slice(0, length), { validateStream: false }) + whole.slice(length);
};

const areaLine = ({ title, items }: Area): Line => {
  const [tone = 'skipped'] = tally(items).keys();
  return { first: `  ${styles[tone][0]}`, tone, rest: ` ${title.padEnd(26)}${tallyText(items)}` };
};

/** More would hide the findings above them. One command with the ledger, printed after the report, deletes all leads. */
const maxCommands = 10;

const sectionLines = ({ causes, lines, commands }: Section, scripts: Scripts, isQuiet: boolean): Line[] => [
  ...causes.flatMap((cause) => causeLines(cause, scripts, isQuiet)),
  ...(isQuiet && commands.length === 0 ? [] : lines),
  ...commands.slice(0, maxCommands).map((command) => `  ${command}`),
  ...(commands.length > maxCommands ? [`  … and ${commands.length - maxCommands} more`] : []),
];

/** What was found, with the command that shows it again, and the other checks with this cause. */
const causeLines = ({ first: item, others }: Cause, scripts: Scripts, isQuiet: boolean): Line[] => {
  const { id, title, label, tone, section, level, reason, evidence } = item;
  const file = scripts.get(id);
  const ids = others.map((other) => other.id).join(', ');
  const details = [
    title,
    ...(reason?.split('\n') ?? []),
    ...evidence.map(rowLine),
    ...(file === undefined ? [] : [rowLine(['replay', `sh ${file}`])]),
    ...(ids === '' ? [] : [`the same cause in ${plural(others.length, 'other check')}: ${ids}`]),
  ];
  const first = `${label.replace(/^\w+/, (word) => word.toUpperCase())} ${id}`;
  const rest = `  §${section}, ${level}`;
  if (isQuiet && [item, ...others].every((each) => each.tone === 'waived'))
    return [{ first, tone, rest: ids === '' ? rest : `${rest}; and ${ids}` }];
  return [{ first, tone, rest }, ...details.map((line) => `  ${line}`), ''];
};
