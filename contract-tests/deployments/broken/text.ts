import type { Fault, Fields, Operation } from '../exchange.ts';
import { isObject } from '../rules.ts';
import { breaking, derived, documented } from './breaking.ts';
import { inData } from './faults.ts';

const broken = breaking('text');

export type Change = (text: string) => unknown;

const fields = ['name', 'source', 'note'];

/** Changes texts of a lead on their way in, so that they are kept and shown changed. */
export const onTheWay = (
  change: Change,
  only = fields,
  during: readonly Operation[] = ['addLead', 'updateLead'],
): Fault => ({
  around: (call, next) => {
    const { operation, body } = call;
    if (!during.some((one) => one === operation) || !isObject(body)) return next(call);
    const entries = Object.entries(body).map(([name, value]) =>
      only.includes(name) && typeof value === 'string' ? [name, change(value)] : [name, value],
    );
    return next({ ...call, body: Object.fromEntries(entries) });
  },
});

/** Changes texts in replies only, to values of another type. */
const inReplies = (change: Change): Fault =>
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
  broken('html-escaped', 'Escapes markup in all fields', 'plain', derived('4.5'), onTheWay(escapeHtml)),
  broken(
    'html-escaped-in-updates',
    'Escapes markup in updated notes only',
    'integer-ids',
    derived('4.6'),
    onTheWay(escapeHtml, ['note'], ['updateLead']),
  ),
  broken(
    'tags-stripped',
    'Strips tags from notes',
    'bodies-422',
    derived('4.5'),
    onTheWay((text) => text.replaceAll(/<[^>]*>/g, ''), ['note']),
  ),
  broken(
    'quotes-smartened',
    'Makes straight quotes typographic',
    'refusals-at-200',
    derived('4.5'),
    onTheWay(smart),
  ),
  broken(
    'quotes-backslashed',
    'Puts a backslash before quotes',
    'php-style',
    derived('4.5'),
    onTheWay((text) => text.replaceAll(/["'\\]/g, '\\$&')),
  ),
  broken(
    'line-breaks-normalised',
    'Makes CR LF of each line break',
    'plain',
    derived('4.5'),
    onTheWay((text) => text.replaceAll(/\r?\n/g, '\r\n')),
  ),
  broken(
    'line-breaks-lost',
    'Makes a blank of each line break',
    'uuid-ids',
    derived('4.5'),
    onTheWay((text) => text.replaceAll(/\s*\n\s*/g, ' ')),
  ),
  broken(
    'line-breaks-as-markup',
    'Makes <br> of each line break',
    'behind-a-proxy',
    derived('4.6'),
    onTheWay((text) => text.replaceAll('\n', '<br>'), ['note'], ['updateLead']),
  ),
  broken(
    'astral-to-question-marks',
    'Makes ? of characters beyond the basic plane',
    'plain',
    derived('4.5'),
    onTheWay((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')),
  ),
  broken(
    'astral-lost',
    'Drops characters beyond the basic plane',
    'integer-ids',
    derived('4.5'),
    onTheWay((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, ''), ['name']),
  ),
  broken(
    'text-cut-at-astral',
    'Cuts text at the first character beyond the basic plane',
    'strict-fields',
    derived('4.5'),
    onTheWay((text) => text.replace(/[\u{10000}-\u{10ffff}].*$/su, '')),
  ),
  broken(
    'utf8-read-as-latin1',
    'Reads UTF-8 as Latin-1',
    'plain',
    documented('4.5'),
    onTheWay((text) => Buffer.from(text).toString('latin1')),
  ),
  broken(
    'ascii-only',
    'Makes ? of all but ASCII',
    'integer-ids',
    documented('4.5'),
    onTheWay((text) => text.replaceAll(/[^\0-\x7f]/gu, '?'), ['source']),
  ),
  broken(
    'lower-cased',
    'Lower-cases names',
    'bodies-422',
    documented('4.5'),
    onTheWay((text) => text.toLowerCase(), ['name']),
  ),
  broken(
    'source-upper-cased',
    'Upper-cases sources',
    'uuid-ids',
    documented('4.5'),
    onTheWay((text) => text.toUpperCase(), ['source']),
  ),
  broken(
    'note-cut-at-twenty',
    'Cuts notes at 20 characters',
    'plain',
    documented('4.5'),
    onTheWay((text) => text.slice(0, 20), ['note']),
  ),
  broken(
    'updated-note-cut',
    'Cuts updated notes at 16 characters',
    'refusals-at-200',
    documented('4.6'),
    onTheWay((text) => text.slice(0, 16), ['note'], ['updateLead']),
  ),
  broken(
    'blanks-collapsed',
    'Makes one blank of several',
    'plain',
    derived('4.5'),
    onTheWay((text) => text.replaceAll(/ {2,}/g, ' ')),
  ),
  broken(
    'plus-becomes-blank',
    'Makes blanks of plus signs',
    'integer-ids',
    derived('4.5'),
    onTheWay((text) => text.replaceAll('+', ' ')),
  ),
  broken(
    'percent-decoded',
    'Decodes percent signs',
    'behind-a-proxy',
    derived('4.5'),
    onTheWay((text) =>
      text.replaceAll(/%([0-7][\da-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    ),
  ),
  broken(
    'numbers-from-text',
    'Shows numeric-looking notes as numbers',
    'plain',
    documented('4.5'),
    inReplies((text) => (/^\d+$/.test(text) ? Number(text) : text)),
  ),
  broken(
    'booleans-from-text',
    'Shows "true" and "null" without their quotes',
    'php-style',
    documented('4.5'),
    inReplies((text) => ({ true: true, false: false, null: null })[text] ?? text),
  ),
  broken(
    'leading-zeros-lost',
    'Drops leading zeros of notes',
    'refusals-at-200',
    documented('4.5'),
    onTheWay((text) => text.replace(/^0+(?=\d+$)/, ''), ['note']),
  ),
];
