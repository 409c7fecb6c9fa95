import { clip, escapeInvisible, withoutCommands } from '../../mock/contract/printable.ts';
import { onOneLine } from '../exchange/exchange.ts';
import { operations } from '../exchange/operations.ts';
import { plural } from '../runner/summary.ts';
import type { Report } from './report.ts';
import { requestText } from './text.ts';
import { doubtsOf, findingsOf, type Item, itemText, pinsOf, titleOf } from './view.ts';

type Kind = 'error' | 'warning' | 'notice';
type Annotation = {
  readonly kind: Kind;
  readonly title: string;
  readonly message: string;
};

// GitHub shows ten errors, ten warnings and ten notices per step and drops the rest without a message.
const shown = 10;

/**
 * Workflow commands for GitHub Actions, one annotation per cause. An annotation names the section, but no file: the defect is
 * in a deployment, and not in a file of the repository in which the workflow runs.
 */
export const githubReport = (report: Report): string => {
  const annotations = [...ofItems(report), ...ofRequests(report)];
  const ofKind = (wanted: Kind): Annotation[] => annotations.filter(({ kind }) => kind === wanted);
  const [errors, warnings, notices] = [ofKind('error'), ofKind('warning'), ofKind('notice')];
  const undecided =
    pinsOf(report).undecided.length > 0 ||
    report.checks.some(({ status, waived }) => status === 'inconclusive' && waived === undefined);
  const unexplained = report.verdict.exit_code !== 0 && (errors.length === 0 || undecided);
  const chosen = [
    ...errors.slice(0, unexplained ? shown - 1 : shown),
    ...warnings.slice(0, shown),
    ...notices.slice(0, shown - 1),
  ];
  const more = annotations.length - chosen.length;
  const rest = `${plural(more, 'more finding is', 'more findings are')} not shown here; the other reports have them all`;
  return [
    ...(unexplained ? [verdict(report, 'error', report.verdict.headline)] : []),
    ...chosen,
    ...(more > 0 ? [verdict(report, 'notice', rest)] : []),
  ]
    .map((annotation) => `${command(annotation)}\n`)
    .join('');
};

const verdict = (report: Report, kind: Kind, message: string): Annotation => ({
  kind,
  title: titleOf(report),
  message,
});

/** Findings that no waiver names, pinned answers that changed or could not be observed, and checks that need a review. */
const ofItems = (report: Report): Annotation[] => {
  const { drifted, undecided } = pinsOf(report);
  return [
    ...findingsOf(report)
      .filter(({ first }) => first.tone !== 'waived')
      .map(({ first, others }) => about(first, others)),
    ...[...drifted, ...undecided, ...doubtsOf(report)].map((item) => about(item)),
  ];
};

/** Findings about requests of clients: mistakes, or points that the document leaves open. */
const ofRequests = ({ traffic }: Report): Annotation[] =>
  (traffic?.requests ?? []).map((request) => ({
    kind: request.question === undefined ? 'warning' : 'notice',
    title: `request ${request.operation} (section ${request.section} of the interface document)`,
    message: `${requestText(request)}\nIt counts against the client, not against the service.`,
  }));

const placeOf = ({ operation, level }: Item): string =>
  operation === undefined
    ? level
    : (operations.find(({ id }) => id === operation)?.title ?? 'all operations');

/** @param others what has the same cause */
const about = (item: Item, others: readonly Item[] = []): Annotation => ({
  kind: item.isFailure || item.tone === 'error' ? 'error' : 'warning',
  title: `${item.label} ${item.id} (section ${item.section} of the interface document: ${placeOf(item)})`,
  message: `${itemText(item)}${others.length > 0 ? `\nthe same cause: ${others.map(({ id }) => id).join(', ')}` : ''}`,
});

const command = ({ kind, title, message }: Annotation): string =>
  `::${kind} title=${property(clip(onOneLine(escapeInvisible(title)), 200))}::${data(clip(escapeInvisible(message), 4_000))}`;

/**
 * Escapes a message so that it stays one command, also in Azure Pipelines. The percent sign comes
 * first, because the runner decodes it last.
 */
const data = (text: string): string =>
  withoutCommands(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
