import { inData } from '../server/mutation.ts';
import type { Fields, Mutation, Operation } from '../server/types.ts';
import { derived, documented } from '../server/types.ts';
import { isObject } from '../server/validation.ts';
import { baseAt, brokenGroup } from './mutation.ts';

const broken = brokenGroup('text', derived('4.5'));

type Change = (text: string) => unknown;

const fields = ['name', 'source', 'note'];

/** Changes texts of a lead in the request, so that they are stored and shown changed. */
const changeInput = (
  change: Change,
  only = fields,
  during: readonly Operation[] = ['addLead', 'updateLead'],
): Mutation => ({
  handle: (call, next) => {
    const { operation, body } = call;
    if (!during.some((one) => one === operation) || !isObject(body)) return next(call);
    const entries = Object.entries(body).map(([name, value]) =>
      only.includes(name) && typeof value === 'string' ? [name, change(value)] : [name, value],
    );
    return next({ ...call, body: Object.fromEntries(entries) });
  },
});

/** Changes texts in replies only, to values of another type. */
const changeNoteInReply = (change: Change): Mutation =>
  inData('addLead', (data: Fields) => ({ ...data, note: change(String(data.note)) }));

const entities: { readonly [sign: string]: string } = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml: Change = (text) => text.replaceAll(/[<>&"']/g, (sign) => entities[sign] ?? sign);
const smart: Change = (text) => text.replaceAll(/"([^"]*)"/g, '“$1”').replaceAll("'", '’');

/** What is taken comes back as it was: refusing a value is open, changing it is not. */
export const text = [
  broken('html-escaped', 'Escapes markup in all fields').with(changeInput(escapeHtml)),
  broken('tags-stripped', 'Strips tags from notes', 'bodies-422').with(
    changeInput((text) => text.replaceAll(/<[^>]*>/g, ''), ['note']),
  ),
  broken('addresses-stripped', 'Strips addresses in angle brackets, but keeps simple tags').with(
    changeInput((text) => text.replaceAll(/<(?!\/?[bi]>)[^>]*>/g, '')),
  ),
  broken('markdown-stripped', 'Strips signs of Markdown', 'uuid-ids').with(
    changeInput((text) => text.replaceAll(/(?<!\w)([*_])([a-z]+)\1(?!\w)/g, '$2')),
  ),
  broken('direction-marks-lost', 'Drops marks of the writing direction', 'integer-ids').with(
    changeInput((text) => text.replaceAll(/[\u200e\u200f\u202a-\u202e]/g, '')),
  ),
  broken('quotes-smartened', 'Makes straight quotes typographic', 'refusals-at-200').with(changeInput(smart)),
  broken('quotes-backslashed-in-sources', 'Refuses quotes in notes, and adds a backslash in sources').with({
    handle: (call, next, context) =>
      call.operation === 'addLead' && isObject(call.body) && /["']/.test(String(call.body.note))
        ? next({ ...call, body: { ...call.body, note: null } })
        : (changeInput((text) => text.replaceAll(/["']/g, '\\$&'), ['source']).handle?.(
            call,
            next,
            context,
          ) ?? next(call)),
  }),
  broken('line-breaks-normalised', 'Makes CR LF of each line break').with(
    changeInput((text) => text.replaceAll(/\r?\n/g, '\r\n')),
  ),
  broken('line-breaks-lost', 'Makes a blank of each line break', 'uuid-ids').with(
    changeInput((text) => text.replaceAll(/\s*\n\s*/g, ' ')),
  ),
  broken('astral-to-question-marks', 'Makes ? of characters beyond the basic plane').with(
    changeInput((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')),
  ),
  broken('text-cut-at-astral', 'Cuts text at the first astral character', 'strict-fields').with(
    changeInput((text) => text.replace(/[\u{10000}-\u{10ffff}].*$/su, '')),
  ),
  broken('utf8-read-as-latin1', 'Reads UTF-8 as Latin-1', 'plain', documented('4.5')).with(
    changeInput((text) => Buffer.from(text).toString('latin1')),
  ),
  broken('ascii-only', 'Makes ? of all but ASCII', 'integer-ids', documented('4.5')).with(
    changeInput((text) => text.replaceAll(/[^\0-\x7f]/gu, '?'), ['source']),
  ),
  broken('lower-cased', 'Lower-cases names', 'bodies-422', documented('4.5')).with(
    changeInput((text) => text.toLowerCase(), ['name']),
  ),
  broken('source-upper-cased', 'Upper-cases sources', 'uuid-ids', documented('4.5')).with(
    changeInput((text) => text.toUpperCase(), ['source']),
  ),
  broken('note-cut-at-twenty', 'Cuts notes at 20 characters', 'plain', documented('4.5')).with(
    changeInput((text) => text.slice(0, 20), ['note']),
  ),
  broken(
    'updated-note-cut',
    'Cuts updated notes at 16 characters',
    'refusals-at-200',
    documented('4.6'),
  ).with(changeInput((text) => text.slice(0, 16), ['note'], ['updateLead'])),
  broken('blanks-collapsed', 'Makes one blank of several').with(
    changeInput((text) => text.replaceAll(/ {2,}/g, ' ')),
  ),
  broken('plus-becomes-blank', 'Makes blanks of plus signs', 'integer-ids').with(
    changeInput((text) => text.replaceAll('+', ' ')),
  ),
  broken('percent-decoded', 'Decodes percent signs', 'behind-a-proxy').with(
    changeInput((text) =>
      text.replaceAll(/%([0-7][\da-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    ),
  ),
  broken('numbers-from-text', 'Shows numeric-looking notes as numbers', 'plain', documented('4.5')).with(
    changeNoteInReply((text) => (/^\d+$/.test(text) ? Number(text) : text)),
  ),
  broken(
    'booleans-from-text',
    'Shows "true" and "null" without their quotes',
    'php-style',
    documented('4.5'),
  ).with(changeNoteInReply((text) => ({ true: true, false: false, null: null })[text] ?? text)),
  broken('leading-zeros-lost', 'Drops leading zeros of notes', 'refusals-at-200', documented('4.5')).with(
    changeInput((text) => text.replace(/^0+(?=\d+$)/, ''), ['note']),
  ),
];

const character = brokenGroup('characters', derived('4.5'));

const decoded: Change = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

type Row = readonly [what: string, title: string, change: Change];

/** What is lost on the way without a sign of it: in new leads and in updated notes by turns. */
const rows: readonly Row[] = [
  ['compatible', 'Makes common letters of special ones', (text) => text.normalize('NFKC')],
  ['decomposed', 'Decomposes letters', (text) => text.normalize('NFD')],
  ['first-blanks-cut', 'Cuts blanks at the beginning', (text) => text.trimStart()],
  ['last-newline-cut', 'Cuts line breaks at the end', (text) => text.replace(/\n+$/, '')],
  ['carriage-returns-to-blanks', 'Makes blanks of CR LF', (text) => text.replaceAll('\r\n', ' ')],
  [
    'no-break-spaces-lost',
    'Makes blanks of those that do not break',
    (text) => text.replaceAll('\u00a0', ' '),
  ],
  [
    'separators-lost',
    'Drops line and paragraph separators',
    (text) => text.replaceAll(/[\u2028\u2029]/g, ''),
  ],
  [
    'control-characters-to-question-marks',
    'Makes ? of control characters',
    (text) => text.replaceAll(/(?![\t\r\n])\p{Cc}/gu, '?'),
  ],
  ['printed-formatted', 'Reads %% as printf does', (text) => text.replaceAll('%%', '%')],
  ['dots-spelled-out', 'Makes three dots of an ellipsis', (text) => text.replaceAll('…', '...')],
  ['dashes-shortened', 'Makes hyphens of dashes', (text) => text.replaceAll(/[–—]/g, '-')],
  ['percent-decoded-whole', 'Decodes a text that is percent-encoded throughout', decoded],
  ['unicode-unescaped', 'Reads escapes of other languages', (text) => text.replaceAll('\\u0041', 'A')],
  ['addresses-hidden', 'Blackens addresses', (text) => text.replaceAll(/\S+@\S+/g, '[hidden]')],
  [
    'links-marked-up',
    'Makes links of addresses',
    (text) => text.replaceAll(/https?:\S+/g, '<a href="$&">$&</a>'),
  ],
  [
    'commands-cut',
    'Cuts words of SQL',
    (text) => text.replaceAll(/\b(select|drop|union|insert|delete)\b/gi, ''),
  ],
  [
    'inner-capitals-lowered',
    'Writes capitals within words small',
    (text) => text.replaceAll(/\b[a-z]+[A-Z]/g, (letters) => letters.toLowerCase()),
  ],
  ['line-ends-trimmed', 'Cuts blanks before line breaks', (text) => text.replaceAll(/ +\n/g, '\n')],
  ['hyphens-lengthened', 'Makes a dash of two hyphens', (text) => text.replaceAll('--', '—')],
  ['dots-joined', 'Makes an ellipsis of three dots', (text) => text.replaceAll('...', '…')],
  ['smileys-drawn', 'Makes emoji of smileys', (text) => text.replaceAll(':)', '🙂')],
  [
    'cyrillic-to-latin',
    'Makes Latin letters of Cyrillic ones',
    (text) => text.replaceAll(/[аос]/gi, (letter) => ({ а: 'a', о: 'o', с: 'c' })[letter] ?? letter),
  ],
  ['selectors-lost', 'Drops variation selectors', (text) => text.replaceAll('\ufe0f', '')],
  ['links-secured', 'Makes https of http', (text) => text.replaceAll('http://', 'https://')],
];

const places = {
  added: { place: 'added', where: 'of new leads', section: '4.5', fields, during: ['addLead'] },
  updated: {
    ...{ place: 'updated', where: 'of updated notes', section: '4.6', fields: ['note'] },
    during: ['updateLead'],
  },
} as const;

export const characters = rows.map(([what, title, change], row) => {
  const { place, where, section, fields, during } = places[row % 2 === 0 ? 'added' : 'updated'];
  return character(`${place}-${what}`, `${title}: texts ${where}`, baseAt(row), section).with(
    changeInput(change, fields, during),
  );
});

const cut = brokenGroup('lengths', derived('4.6'));
const word = brokenGroup('words', documented('2.3'));

const add: readonly Operation[] = ['addLead'];
const update: readonly Operation[] = ['updateLead'];
const upTo = (length: number) => (text: string) => text.slice(0, length);
const emptyBeyond = (length: number) => (text: string) => (text.length > length ? '' : text);
const emptyIf = (pattern: RegExp) => (text: string) => (pattern.test(text) ? '' : text);
const yesOrNo = (text: string) => ({ yes: 'true', no: 'false' })[text] ?? text;
const inherited = (text: string) => (({}) as Fields)[text] === undefined ? text : '';

/** §8 shows no limit; a text of everyday length fits all the same, and a longer one does not vanish. */
export const lengths = [
  cut('name-cut-at-fifty', 'Cuts names at 50 characters', 'plain', '4.5').with(
    changeInput(upTo(50), ['name'], add),
  ),
  cut('updated-note-cut-at-fifty', 'Cuts updated notes at 50 characters', 'bodies-422').with(
    changeInput(upTo(50), ['note'], update),
  ),
  cut('updated-source-cut-at-fifty', 'Cuts the source of an update at 50 characters').with(
    changeInput(upTo(50), ['source'], update),
  ),
  cut('longer-note-lost', 'Loses a note beyond 500 characters', 'integer-ids', '4.5').with(
    changeInput(emptyBeyond(500), ['note'], add),
  ),
  cut('updated-very-long-note-lost', 'Loses an updated note beyond 5000 characters', 'uuid-ids').with(
    changeInput(emptyBeyond(5000), ['note'], update),
  ),
];

/** §2.3: values are strings, whatever a programming language makes of them. */
export const words = [
  word('zero-is-empty', 'Takes "0" for nothing').with(changeInput(emptyIf(/^0$/))),
  word('yes-is-true', 'Makes booleans of yes and no', 'integer-ids').with(changeInput(yesOrNo)),
  word('not-available-is-empty', 'Takes NA and None for nothing', 'uuid-ids').with(
    changeInput(emptyIf(/^(NA|None)$/)),
  ),
  word('inherited-names-lost', 'Loses what every object has', 'behind-a-proxy').with(changeInput(inherited)),
];

const source = brokenGroup('free-string', documented('2.3'));

/** §2.3: the source is a free string, and the note free text. */
const refuseText = (pattern: RegExp, field: 'source' | 'note' = 'source'): Mutation => ({
  handle: (call, next) => {
    const text = isObject(call.body) ? call.body[field] : undefined;
    const reply = next(call);
    if (call.operation !== 'addLead' || reply.refused || !pattern.test(String(text ?? ''))) return reply;
    return {
      status: 400,
      refused: 'fields',
      body: { success: false, error: `${field} is not allowed`, message: '' },
    };
  },
});

export const freeStrings = [
  source(
    'note-without-digits',
    'Refuses digits at the end of a word in a note',
    'uuid-ids',
    derived('2.3'),
  ).with(refuseText(/\b\d{4} /, 'note')),
  source('source-in-ascii', 'Refuses all but ASCII in a source', 'integer-ids').with(refuseText(/[^ -~]/u)),
  source('source-without-blanks', 'Refuses blanks in a source', 'bodies-422').with(refuseText(/\s/)),
  source('source-from-a-list', 'Knows five sources and refuses others', 'refusals-at-200').with(
    refuseText(/^(?!(?:web|ads|email|event|referral)$)/),
  ),
];
