import { changeBody, layers } from '../server/mutation.ts';
import { leadTexts } from '../server/operations.ts';
import type { Fields, Mutation, Operation } from '../server/types.ts';
import { type BrokenDeployment, baseAt, server } from './mutation.ts';

type Change = (text: string) => unknown;

/** Changes texts of a lead in the request, so that they are stored and shown changed. */
const changeInput = (change: Change, fields: readonly string[], during: readonly Operation[]): Mutation =>
  changeBody(during, (body) =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) =>
        fields.includes(name) && typeof value === 'string' ? [name, change(value)] : [name, value],
      ),
    ),
  );

const entities: { readonly [sign: string]: string } = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#39;',
};
const latin: { readonly [letter: string]: string } = { а: 'a', о: 'o', с: 'c' };
const upTo = (length: number) => (text: string) => text.slice(0, length);
const emptyBeyond = (length: number) => (text: string) => (text.length > length ? '' : text);
const emptyIf = (pattern: RegExp) => (text: string) => (pattern.test(text) ? '' : text);
const replaced = (pattern: RegExp, by: string) => (text: string) => text.replaceAll(pattern, by);
const decoded: Change = (text) =>
  text.replaceAll(/%([0-7][\da-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
const inherited: Change = (text) => (({}) as Fields)[text] === undefined ? text : '';

const added = (check: string): string => `leads.add.${check}`;
const updated = (check: string): string => `leads.update.${check}`;
const both = (check: string): string[] => [added(check), updated(check)];

type Row = readonly [
  title: string,
  breaks: string | readonly string[],
  change: Change,
  fields?: readonly string[],
];

/** What a text becomes on its way into the store, when leads are added or updated, as the checks say that this breaks. */
const rows: readonly Row[] = [
  [
    'Escapes markup',
    both('keeps-texts'),
    (text) => text.replaceAll(/[<>&"']/g, (sign) => entities[sign] ?? sign),
  ],
  ['Drops marks of the writing direction', both('keeps-texts'), replaced(/[\u200e\u200f\u202a-\u202e]/g, '')],
  ['Makes CR LF of each line break', both('keeps-texts'), replaced(/\r?\n/g, '\r\n')],
  ['Makes one blank of several', both('keeps-texts'), replaced(/ {2,}/g, ' ')],
  ['Decodes percent signs', both('keeps-texts'), decoded],
  [
    'Makes ? of characters beyond the basic plane',
    both('keeps-letters'),
    replaced(/[\u{10000}-\u{10ffff}]/gu, '?'),
  ],
  ['Reads UTF-8 as Latin-1', both('keeps-letters'), (text) => Buffer.from(text).toString('latin1')],
  [
    'Writes names small',
    [added('echoes-fields'), added('keeps-long-texts'), updated('field-by-field')],
    (text) => text.toLowerCase(),
    ['name'],
  ],
  ['Makes common letters of special ones', added('keeps-texts'), (text) => text.normalize('NFKC')],
  ['Cuts blanks at the beginning', added('keeps-texts'), (text) => text.trimStart()],
  ['Makes blanks of CR LF', added('keeps-texts'), replaced(/\r\n/g, ' ')],
  ['Drops line and paragraph separators', added('keeps-texts'), replaced(/[\u2028\u2029]/g, '')],
  ['Reads escapes of other languages', added('keeps-texts'), replaced(/\\u0041/g, 'A')],
  ['Makes links of addresses', added('keeps-texts'), replaced(/https?:\S+/g, '<a href="$&">$&</a>')],
  [
    'Writes capitals within words small',
    added('echoes-fields'),
    (text) => text.replaceAll(/\b[a-z]+[A-Z]/g, (letters) => letters.toLowerCase()),
  ],
  ['Makes emoji of smileys', added('keeps-texts'), replaced(/:\)/g, '🙂')],
  ['Ends a text at U+0000', added('keeps-texts'), replaced(/\0.*$/gs, '')],
  ['Drops variation selectors', added('keeps-letters'), replaced(/\ufe0f/g, '')],
  ['Cuts names at 50 characters', added('keeps-long-texts'), upTo(50), ['name']],
  ['Loses a note beyond 500 characters', added('keeps-long-texts'), emptyBeyond(500), ['note']],
  ['Decomposes letters', updated('keeps-texts'), (text) => text.normalize('NFD'), ['note']],
  ['Cuts line breaks at the end', updated('keeps-texts'), replaced(/\n+$/g, ''), ['note']],
  ['Makes blanks of those that do not break', updated('keeps-texts'), replaced(/\u00a0/g, ' '), ['note']],
  ['Makes ? of control characters', updated('keeps-texts'), replaced(/(?![\t\r\n])\p{Cc}/gu, '?'), ['note']],
  ['Blackens addresses', updated('keeps-texts'), replaced(/\S+@\S+/g, '[hidden]'), ['note']],
  [
    'Cuts words of SQL',
    updated('echoes-note'),
    replaced(/\b(select|drop|union|insert|delete)\b/gi, ''),
    ['note'],
  ],
  ['Makes an ellipsis of three dots', updated('keeps-texts'), replaced(/\.\.\./g, '…'), ['note']],
  [
    'Makes Latin letters of Cyrillic ones',
    updated('keeps-letters'),
    (text) => text.replaceAll(/[аос]/gi, (letter) => latin[letter] ?? letter),
    ['note'],
  ],
  [
    'Escapes markup in updated sources only',
    updated('keeps-texts'),
    (text) => text.replaceAll(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`),
    ['source'],
  ],
  ['Cuts the source of an update at 50 characters', updated('keeps-texts'), upTo(50), ['source']],
  ['Loses a note beyond 5000 characters', updated('keeps-long-texts'), emptyBeyond(5000), ['note']],
  ['Drops leading zeros', updated('keeps-words-as-text'), replaced(/^0+(?=\d+$)/g, ''), ['note']],
  ['Takes "0" for nothing', both('keeps-words-as-text'), emptyIf(/^0$/)],
  ['Takes NA and None for nothing', both('keeps-words-as-text'), emptyIf(/^(NA|None)$/)],
  ['Loses what every object has', updated('keeps-words-as-text'), inherited],
];

const checksOf = { addLead: added(''), updateLead: updated('') };

const during = (breaks: string | readonly string[]): Operation[] =>
  (['addLead', 'updateLead'] as const).filter((operation) =>
    [breaks].flat().some((check) => check.startsWith(checksOf[operation])),
  );

const backslashed = replaced(/["'\\]/g, '\\$&');

/** What is taken comes back as it was: refusing a value is open, changing it is not. */
export const texts: readonly BrokenDeployment[] = [
  ...rows.map(([title, breaks, change, fields = leadTexts], row) =>
    server(title, breaks, baseAt(row)).with(changeInput(change, fields, during(breaks))),
  ),
  server('Refuses quotes in notes, and adds a backslash in sources', both('keeps-texts')).with(
    layers(
      changeBody(['addLead', 'updateLead'], (body) =>
        /["']/.test(String(body.note)) ? { ...body, note: null } : body,
      ),
      changeInput(backslashed, ['source'], ['addLead', 'updateLead']),
    ),
  ),
];
