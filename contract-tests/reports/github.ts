import { clip, escapeInvisible, withoutCommands } from '../../mock/contract/printable.ts';
import { onOneLine } from '../exchange/exchange.ts';
import { type AnswerVerdict, plural } from '../runner/summary.ts';
import {
  doubtfulChecks,
  driftedAnswers,
  groupByCause,
  isFailure,
  labelOf,
  operationTitles,
  titleOf,
  undecidedAnswers,
} from './grouping.ts';
import type { CheckReport, Report, RequestReport } from './report.ts';
import { answerText, findingText, requestText } from './text.ts';

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
  const annotations = [...ofCauses(report), ...ofAnswers(report), ...ofDoubts(report), ...ofRequests(report)];
  const ofKind = (wanted: Kind): Annotation[] => annotations.filter(({ kind }) => kind === wanted);
  const [errors, warnings, notices] = [ofKind('error'), ofKind('warning'), ofKind('notice')];
  const undecided =
    undecidedAnswers(report).length > 0 ||
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

const ofCauses = (report: Report): Annotation[] =>
  groupByCause(report)
    .filter(({ first }) => first.waived === undefined)
    .map(({ first, others }) => {
      const also = others.length > 0 ? `\nthe same cause: ${others.map(({ id }) => id).join(', ')}` : '';
      return about(first, report, isFailure(first, report) ? 'error' : 'warning', also);
    });

/** Pinned answers that changed or could not be observed. */
const ofAnswers = (report: Report): Annotation[] => {
  const pinned = (kind: Kind) => (answer: AnswerVerdict) => ({
    kind,
    title: `${answer.status} ${answer.question} (section ${answer.section} of the interface document: pinned answer)`,
    message: answerText(answer),
  });
  return [...driftedAnswers(report).map(pinned('error')), ...undecidedAnswers(report).map(pinned('warning'))];
};

/** Findings about requests of clients: mistakes, or points that the document leaves open. */
const ofRequests = ({ traffic }: Report): Annotation[] =>
  (traffic?.requests ?? []).map((request: RequestReport) => ({
    kind: request.question === undefined ? 'warning' : 'notice',
    title: `request ${request.operation} (section ${request.section} of the interface document)`,
    message: `${requestText(request)}\nIt counts against the client, not against the service.`,
  }));

/** Annotations for errors of the suite and for undecided checks. */
const ofDoubts = (report: Report): Annotation[] =>
  doubtfulChecks(report).map((check) => about(check, report, check.status === 'error' ? 'error' : 'warning'));

const about = (check: CheckReport, report: Report, kind: Kind, also = ''): Annotation => ({
  kind,
  title: `${labelOf(check, report)} ${check.id} (section ${check.section} of the interface document: ${operationTitles.get(check.operation) ?? 'all operations'})`,
  message: `${findingText(check)}${also}`,
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
