import { clip, escapeInvisible } from '../../mock/contract/shown-text.ts';
import { plural } from '../exchange/describe.ts';
import type { RequestReport } from './report.ts';

/** Maximum length of a script. A truncated script is useless, but only a hostile deployment can cause a longer one. */
export const longestScript = 30_000;

type Deviation = Pick<RequestReport, 'kind' | 'message' | 'section'> & {
  readonly question?: string | undefined;
};

/** An undocumented or missing part of a request: `the field "x" is not documented (unknown field, §4.5)`. */
export const deviationText = ({ kind, message, section, question }: Deviation, note = ''): string =>
  `${clip(message, 200)} (${kind}, §${section}${question === undefined ? '' : `, open question ${question}`}${note})`;

/** The credentials of a request, unless it carries the key. */
export const credentialsText = (credentials: string): string =>
  credentials === 'key' ? '' : credentials === 'none' ? ' without a key' : ` with ${credentials}`;

/** `5 requests, of which 1 requested mail` */
export const requestsText = (requests: number, mails: number): string =>
  `${plural(requests, 'request')}, of which ${mails} requested mail`;

/** What a run took: its requests, and its waiting if there was some. */
export const effortLines = (requests: number, mails: number, waitedMs: number): string[] => [
  requestsText(requests, mails),
  ...(waitedMs < 1000 ? [] : [`waited ${durationText(waitedMs)} in all`]),
];

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
