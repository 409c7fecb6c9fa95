import { clip, escapeInvisible } from '../../mock/contract/printable.ts';
import { onOneLine } from '../exchange/exchange.ts';
import { type AnswerVerdict, plural } from '../runner/summary.ts';
import type { CheckReport, FindingReport, RequestReport, TrafficReport } from './report.ts';

/** Maximum length of a script. Only a hostile deployment can cause a longer one, because a truncated script is useless. */
export const longestScript = 30_000;

/** The details of a check that did not pass, as lines of plain text. */
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
  waiver_note,
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
  ...(waiver_note === undefined ? [] : [`waiver:   ${waiver_note}`]),
];

/** The request, the expected result and the actual result. */
export const contrastLines = (finding: FindingReport): string[] => {
  const sent = sentText(finding);
  return [
    ...(sent === undefined ? [] : [`sent:     ${sent}`]),
    `expected: ${finding.expected}`,
    `actual:   ${finding.actual}`,
  ];
};

/** The response that shows the finding, and others with the same defect. */
export const replyLines = ({ reply, also = [] }: FindingReport): string[] => [
  ...(reply ? [`response: ${reply.status}, ${plural(reply.size, 'byte')}: ${reply.excerpt}`] : []),
  ...also.map((line) => `also:     ${line}`),
];

/** Lines about a pinned answer: the pinned value, the observed value, and the evidence. */
export const answerLines = ({ expected, actual, reason, evidence, curl }: AnswerVerdict): string[] => [
  `pinned:   ${expected}`,
  ...(actual === undefined ? [] : [`now:      ${actual}`]),
  ...(reason === undefined ? [] : [`reason:   ${reason}`]),
  ...(evidence === undefined ? [] : [`evidence: ${evidence}`]),
  ...(curl === undefined ? [] : [`replay:   ${curl}`]),
];

/** The lines of `answerLines`, indented below the question. */
export const answerText = (answer: AnswerVerdict): string =>
  [`${answer.question} (§${answer.section}, pinned answer)`, ...answerLines(answer)]
    .map((line) => clip(escapeInvisible(line), 5_000))
    .join('\n');

/** Describes an undocumented or missing part of a request. */
export const requestText = ({ kind, operation, message, section, question, count }: RequestReport): string =>
  `${clip(operation, 100)}: ${clip(message, 200)} (${kind}, §${section}${question === undefined ? '' : `, open question ${question}`}; ${count}×)`;

/** The statistics of observed traffic, and where its requests differ from the document. */
export const trafficLines = ({ judged, broken, outside, undocumented, ...rest }: TrafficReport): string[] => [
  `traffic: ${plural(judged, 'exchange')} checked, ${broken} of them broken; ${undocumented} not of a documented operation, ${outside} outside /api/v1`,
  ...Object.entries(rest.skip_reasons).map(([reason, count]) => `not checked: ${count} ${reason}`),
  ...Object.entries(rest.injected ?? {}).map(([what, count]) => `injected: ${count} by ${what}`),
  ...(rest.evicted > 0 ? [`claims about several responses left out ${rest.evicted} of the oldest`] : []),
  ...Object.entries(rest.required).map(([id, count]) => `required: ${id}, seen ${count}×`),
  ...rest.requests.map((request) => `request: ${requestText(request)}`),
];

/** The last request of the finding, on one line. */
export const sentText = ({ request, exchanges = [] }: FindingReport): string | undefined => {
  if (!request) return undefined;
  const { method, path, key } = request;
  const { body } = exchanges.at(-1)?.request ?? {};
  return `${method} ${path}${credentialsText(key)}${body === undefined ? '' : `: ${clip(onOneLine(body), 300)}`}`;
};

/** The credentials of a request, unless it carries the key. */
export const credentialsText = (credentials: string): string =>
  credentials === 'key' ? '' : credentials === 'none' ? ' without a key' : ` with ${credentials}`;

/** `5 requests, of which 1 requested mail` */
export const requestsText = (requests: number, mails: number): string =>
  `${plural(requests, 'request')}, of which ${mails} requested mail`;

/** Formats a duration for people: `1.5 s`, `2 min 5 s`. */
export const durationText = (milliseconds: number): string => {
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** A piece of HTML or XML. Values of other types are text, which `markup` escapes. */
export type Markup = { readonly markup: string };

type Part = string | number | undefined | Markup | readonly Markup[];

/** Creates HTML or XML in which every value is escaped, in text and in quoted attributes alike. */
export const markup = (literals: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
  markup: String.raw({ raw: literals }, ...parts.map(rendered)),
});

/** Marks a fixed text of this project as markup, such as a style sheet. Never for texts of a report. */
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
