import type { Operation } from '../exchange.ts';
import { baseAt, breaking, derived } from './breaking.ts';
import { type Change, onTheWay } from './text.ts';

const broken = breaking('characters');

const decoded: Change = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

type Row = readonly [what: string, title: string, change: Change];

/** What is lost on the way without a sign of it: each in new leads, and in updated notes. */
const rows: readonly Row[] = [
  ['composed', 'Composes letters', (text) => text.normalize('NFC')],
  ['decomposed', 'Decomposes letters', (text) => text.normalize('NFD')],
  ['trimmed', 'Trims texts', (text) => text.trim()],
  ['last-newline-cut', 'Cuts line breaks at the end', (text) => text.replace(/\n+$/, '')],
  ['carriage-returns-lost', 'Makes LF of CR LF', (text) => text.replaceAll('\r\n', '\n')],
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
    'control-characters-lost',
    'Drops control characters',
    (text) => text.replaceAll(/(?![\t\r\n])\p{Cc}/gu, ''),
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
];

const places: readonly (readonly [string, string, string, string[], readonly Operation[]])[] = [
  ['added', 'of new leads', '4.5', ['name', 'source', 'note'], ['addLead']],
  ['updated', 'of updated notes', '4.6', ['note'], ['updateLead']],
];

export const characters = rows.flatMap(([what, title, change], row) =>
  places.map(([place, where, section, fields, during], column) =>
    broken(
      `${place}-${what}`,
      `${title}: texts ${where}`,
      baseAt(row + column * 3),
      derived(section),
      onTheWay(change, fields, during),
    ),
  ),
);
