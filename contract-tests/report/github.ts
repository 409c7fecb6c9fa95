import { breaks, causesOf } from './by-area.ts';
import { findingText } from './finding-text.ts';
import type { LineOf } from './promise-lines.ts';
import type { CheckReport, Report } from './report.ts';
import { clip, onOneLine, visible } from './visible.ts';

type Kind = 'error' | 'warning' | 'notice';
type Annotation = {
  readonly kind: Kind;
  readonly title: string;
  readonly message: string;
  readonly line?: number | undefined;
};

// GitHub shows ten errors and ten warnings of a step and drops the others without a word.
const shown = 10;

/** Workflow commands for GitHub Actions: an annotation for each cause, at the line of the contract that made the promise. */
export const githubReport = (report: Report, lineOf: LineOf): string => {
  const found = [...ofCauses(report, lineOf), ...ofDoubts(report, lineOf)];
  const errors = found.filter(({ kind }) => kind === 'error');
  const warnings = found.filter(({ kind }) => kind === 'warning');
  const unexplained = report.verdict.exit_code !== 0 && errors.length === 0;
  const more = Math.max(0, errors.length - shown) + Math.max(0, warnings.length - shown);
  return [
    ...(unexplained ? [verdict('error', report.verdict.headline)] : []),
    ...errors.slice(0, shown),
    ...warnings.slice(0, shown),
    ...(more > 0
      ? [verdict('notice', `${more} more findings are not shown here; the other reports hold them all`)]
      : []),
  ]
    .map((annotation) => `${command(annotation)}\n`)
    .join('');
};

const verdict = (kind: Kind, message: string): Annotation => ({
  kind,
  title: 'email-leads contract',
  message,
});

const ofCauses = (report: Report, lineOf: LineOf): Annotation[] =>
  causesOf(report)
    .filter(({ first }) => first.waived === undefined)
    .map(({ first, others }) => {
      const also = others.length > 0 ? `\nthe same cause: ${others.map(({ id }) => id).join(', ')}` : '';
      return about(first, breaks(first, report) ? 'error' : 'warning', lineOf, also);
    });

/** The suite failed, or could not tell. */
const ofDoubts = ({ checks }: Report, lineOf: LineOf): Annotation[] =>
  checks.flatMap((check) => {
    if (check.status === 'error') return [about(check, 'error', lineOf)];
    return check.status === 'inconclusive' || check.status === 'unstable'
      ? [about(check, 'warning', lineOf)]
      : [];
  });

const about = (check: CheckReport, kind: Kind, lineOf: LineOf, also = ''): Annotation => ({
  kind,
  title: `${check.status} ${check.id}`,
  message: `${findingText(check)}${also}`,
  line: lineOf(check),
});

const command = ({ kind, title, message, line }: Annotation): string => {
  const file = line === undefined ? '' : `file=openapi.yaml,line=${line},`;
  return `::${kind} ${file}title=${property(clip(onOneLine(visible(title)), 200))}::${data(clip(visible(message), 4_000))}`;
};

/** The percent sign first: the runner takes it back last. */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
