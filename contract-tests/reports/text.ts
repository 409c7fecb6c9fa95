import { escapeInvisible } from '../../mock/contract/printable.ts';
import { onOneLine } from '../client/exchange.ts';
import { type AnswerVerdict, plural } from '../runner/summary.ts';
import type { CheckReport, FindingReport, RequestReport, TrafficReport } from './report.ts';

/** The beginning of a text, never half a character. */
export const clip = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text;

/** A script is cut only where a hostile deployment made it endless: half a script is of no use. */
export const longestScript = 30_000;

/** All there is to say of a check that did not simply pass, as lines of plain text. */
export const findingText = (check: CheckReport): string =>
  linesOf(check)
    .map((line) => clip(escapeInvisible(line), 5_000))
    .join('\n');

const linesOf = ({
  status,
  title,
  section,
  level,
  reason,
  waived,
  expired_waiver,
  finding,
}: CheckReport): string[] => [
  `${title} (§${section}, ${level})`,
  ...(finding
    ? [
        ...(status === 'unstable' && reason !== undefined ? [`unstable: ${reason}`] : []),
        ...contrastLines(finding),
        ...(finding.pointer ? [`at:       ${finding.pointer}`] : []),
        ...replyLines(finding),
        ...(finding.curl ? [`last step: ${finding.curl}`] : []),
      ]
    : reason === undefined
      ? []
      : [reason]),
  ...(waived === undefined ? [] : [`waived:   ${waived}`]),
  ...(expired_waiver === undefined ? [] : [`waiver:   ${expired_waiver}`]),
];

/** What was sent, what should have come, and what came. */
export const contrastLines = (finding: FindingReport): string[] => {
  const sent = sentText(finding);
  return [
    ...(sent === undefined ? [] : [`sent:     ${sent}`]),
    `expected: ${finding.expected}`,
    `actual:   ${finding.actual}`,
  ];
};

/** The response that shows it, and others that are wrong in the same way. */
export const replyLines = ({ reply, also = [] }: FindingReport): string[] => [
  ...(reply ? [`reply:    ${reply.status}, ${plural(reply.size, 'byte')}: ${reply.excerpt}`] : []),
  ...also.map((line) => `also:     ${line}`),
];

/** What became of a pinned answer: a line for each of its sides, and what shows it. */
export const answerLines = ({ expected, actual, reason, evidence, curl }: AnswerVerdict): string[] => [
  `pinned:   ${expected}`,
  ...(actual === undefined ? [] : [`now:      ${actual}`]),
  ...(reason === undefined ? [] : [`reason:   ${reason}`]),
  ...(evidence === undefined ? [] : [`evidence: ${evidence}`]),
  ...(curl === undefined ? [] : [`replay:   ${curl}`]),
];

/** As `answerLines`, below the question. */
export const answerText = (answer: AnswerVerdict): string =>
  [`${answer.question} (§${answer.section}, pinned answer)`, ...answerLines(answer)]
    .map((line) => clip(escapeInvisible(line), 5_000))
    .join('\n');

/** What a client sent that the document does not have, or what it left out. */
export const requestText = ({ kind, operation, message, section, question, count }: RequestReport): string =>
  `${clip(operation, 100)}: ${clip(message, 200)} (${kind}, §${section}${question === undefined ? '' : `, open question ${question}`}; ${count}×)`;

/** What was seen of the traffic of others, and what its requests have that the document does not. */
export const trafficLines = ({ judged, broken, outside, undocumented, ...rest }: TrafficReport): string[] => [
  `traffic: ${plural(judged, 'exchange')} judged, ${broken} of them broken; ${undocumented} without an operation, ${outside} outside /api/v1`,
  ...Object.entries(rest.skip_reasons).map(([reason, count]) => `not judged: ${count} ${reason}`),
  ...(rest.evicted > 0 ? [`claims about several responses left out ${rest.evicted} of the oldest`] : []),
  ...Object.entries(rest.required).map(([id, count]) => `required: ${id}, seen ${count}×`),
  ...rest.requests.map((request) => `request: ${requestText(request)}`),
];

/** What was sent, on one line: the last request of the finding. */
export const sentText = ({ request, exchanges = [] }: FindingReport): string | undefined => {
  if (!request) return undefined;
  const { method, path, key } = request;
  const { body } = exchanges.at(-1)?.request ?? {};
  const withKey = key === 'key' ? '' : key === 'none' ? ' without a key' : ` with ${key}`;
  return `${method} ${path}${withKey}${body === undefined ? '' : `: ${clip(onOneLine(body), 300)}`}`;
};

/** `5 requests, of which 1 asked for mail` */
export const requestsText = (requests: number, mails: number): string =>
  `${plural(requests, 'request')}, of which ${mails} asked for mail`;

/** A duration as people say it. */
export const durationText = (milliseconds: number): string => {
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** A piece of HTML or XML. What is not yet one is text, and is escaped where it enters. */
export type Markup = { readonly markup: string };

type Part = string | number | undefined | Markup | readonly Markup[];

/** HTML or XML with every value in it escaped, in text and in quoted attributes alike. */
export const markup = (literals: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
  markup: String.raw({ raw: literals }, ...parts.map(rendered)),
});

/** Text of this project that is markup already, such as a style sheet. Never text of a report. */
export const verbatim = (text: string): Markup => ({ markup: text });

export const nothing: Markup = verbatim('');

const rendered = (part: Part): string => {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeMarkup(String(part));
  return 'markup' in part ? part.markup : part.map((item) => item.markup).join('');
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeMarkup = (text: string): string =>
  escapeInvisible(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
