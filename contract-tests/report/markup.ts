import { visible } from './visible.ts';

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
  return 'markup' in part ? part.markup : part.map((one) => one.markup).join('');
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeMarkup = (text: string): string =>
  visible(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
