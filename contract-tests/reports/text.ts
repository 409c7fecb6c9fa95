import { clip, escapeInvisible } from '../../mock/contract/shown-text.ts';
import { onOneLine } from '../exchange/exchange.ts';
import { groupBy, plural } from '../runner/summary.ts';
import type { FindingReport, Report, RequestReport, TrafficReport } from './report.ts';

/** Maximum length of a script. Only a hostile deployment can cause a longer one, because a truncated script is useless. */
export const longestScript = 30_000;

/** A named piece of evidence. Every report shows them in the same order, each in its own form. */
export type Row = readonly [name: string, text: string];

/** Rows without those that have no text. */
export const rowsOf = (rows: readonly (readonly [name: string, text: string | undefined])[]): Row[] =>
  rows.flatMap(([name, text]) => (text === undefined || text === '' ? [] : [[name, text] as const]));

/** What the run saw beside its checks; parts without an item are left out. */
export const coverageRows = ({
  coverage,
}: Pick<Report, 'coverage'>): (readonly [string, readonly string[]])[] =>
  (
    [
      ['not observable from outside', coverage.unobservable],
      ['documented fields never seen', coverage.never_seen],
      ['undocumented fields seen', coverage.undocumented],
      ['adapted to this deployment', coverage.adaptations],
    ] as const
  ).filter(([, items]) => items.length > 0);

export const capitalise = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase());

/** A row on a line of plain text. */
export const rowLine = ([name, text]: Row): string => `${`${name}:`.padEnd(10)}${text}`;

/** Questions without an answer, a line for each reason. */
export const unansweredLines = (
  unanswered: readonly { question: string; status: string; reason?: string | undefined }[],
): string[] =>
  [...groupBy(unanswered, ({ status, reason }) => `${status}, because ${reason}`)].map(
    ([reason, group]) => `${reason}: ${group.map(({ question }) => question).join(', ')}`,
  );

type Deviation = Pick<RequestReport, 'kind' | 'message' | 'section'> & {
  readonly question?: string | undefined;
};

/** An undocumented or missing part of a request: `the field "x" is not documented (unknown field, §4.5)`. */
export const deviationText = ({ kind, message, section, question }: Deviation, note = ''): string =>
  `${clip(message, 200)} (${kind}, §${section}${question === undefined ? '' : `, open question ${question}`}${note})`;

export const requestText = (request: RequestReport): string =>
  `${clip(request.operation, 100)}: ${deviationText(request, `; ${request.count}×`)}`;

/** The statistics of observed traffic, and where its requests differ from the document. */
export const trafficLines = ({ judged, broken, outside, undocumented, ...rest }: TrafficReport): string[] => [
  `traffic: ${plural(judged, 'exchange')} checked, ${broken} of them broken; ${undocumented} not of a documented operation, ${outside} outside /api/v1`,
  ...Object.entries(rest.skip_reasons).map(([reason, count]) => `not checked: ${count} ${reason}`),
  ...Object.entries(rest.injected ?? {}).map(([what, count]) => `injected: ${count} by ${what}`),
  ...(rest.evicted > 0 ? [`claims about several responses left out the ${rest.evicted} oldest leads`] : []),
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
