import { escapeInvisible } from '../../mock/contract/printable.ts';
import { onOneLine } from '../client/exchange.ts';
import { plural } from '../runner/summary.ts';
import { groupByCause, isFailure, labelOf, operationTitles } from './grouping.ts';
import type { CheckReport, Report } from './report.ts';
import { clip, findingText } from './text.ts';

type Kind = 'error' | 'warning' | 'notice';
type Annotation = {
  readonly kind: Kind;
  readonly title: string;
  readonly message: string;
};

// GitHub shows ten errors and ten warnings of a step and silently drops the others.
const shown = 10;

/**
 * Workflow commands for GitHub Actions: an annotation for each cause. It names the section in words: what is broken is a
 * deployment, and no file of the repository in which the workflow runs.
 */
export const githubReport = (report: Report): string => {
  const annotations = [...ofCauses(report), ...ofDoubts(report)];
  const errors = annotations.filter(({ kind }) => kind === 'error');
  const warnings = annotations.filter(({ kind }) => kind === 'warning');
  const undecided = report.checks.some(
    ({ status, waived }) => status === 'inconclusive' && waived === undefined,
  );
  const unexplained = report.verdict.exit_code !== 0 && (errors.length === 0 || undecided);
  const more =
    Math.max(0, errors.length - (unexplained ? shown - 1 : shown)) + Math.max(0, warnings.length - shown);
  return [
    ...(unexplained ? [verdict('error', report.verdict.headline)] : []),
    ...errors.slice(0, unexplained ? shown - 1 : shown),
    ...warnings.slice(0, shown),
    ...(more > 0
      ? [
          verdict(
            'notice',
            `${plural(more, 'more finding is', 'more findings are')} not shown here; the other reports have them all`,
          ),
        ]
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

const ofCauses = (report: Report): Annotation[] =>
  groupByCause(report)
    .filter(({ first }) => first.waived === undefined)
    .map(({ first, others }) => {
      const also = others.length > 0 ? `\nthe same cause: ${others.map(({ id }) => id).join(', ')}` : '';
      return about(first, report, isFailure(first, report) ? 'error' : 'warning', also);
    });

/** The suite failed, or could not tell. */
const ofDoubts = (report: Report): Annotation[] =>
  report.checks.flatMap((check) => {
    if (check.status === 'error') return [about(check, report, 'error')];
    return check.status === 'inconclusive' || check.status === 'unstable'
      ? [about(check, report, 'warning')]
      : [];
  });

const about = (check: CheckReport, report: Report, kind: Kind, also = ''): Annotation => ({
  kind,
  title: `${labelOf(check, report)} ${check.id} (section ${check.section} of the interface document: ${operationTitles.get(check.operation) ?? 'all operations'})`,
  message: `${findingText(check)}${also}`,
});

const command = ({ kind, title, message }: Annotation): string =>
  `::${kind} title=${property(clip(onOneLine(escapeInvisible(title)), 200))}::${data(clip(escapeInvisible(message), 4_000))}`;

/** A message stays one command, also where Azure Pipelines reads along. The percent sign first: the runner takes it back last. */
const data = (text: string): string =>
  text.replaceAll('##[', '## [').replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
