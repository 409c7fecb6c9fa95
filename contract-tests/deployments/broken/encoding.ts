import type { Letter } from '../exchange.ts';
import { breaking, derived, documented } from './breaking.ts';
import { asBytes, succeeds } from './faults.ts';

const bytes = breaking('encoding');

const always = () => true;
const text = ({ payload }: Letter) => payload.toString('utf8');
const bom = Buffer.from([0xef, 0xbb, 0xbf]);
const payload = (change: (letter: Letter) => Buffer | string) => (letter: Letter) => ({
  payload: Buffer.from(change(letter)),
});

/** Half of a surrogate pair in three bytes, as UTF-8 forbids. */
const half = (unit: number) =>
  Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]);

/** §1: replies are JSON, that is UTF-8 without a mark at its start, one value, nothing after it. */
export const encodings = [
  bytes(
    'bom',
    'Replies begin with a byte order mark',
    'plain',
    documented('1'),
    asBytes(
      always,
      payload((letter) => Buffer.concat([bom, letter.payload])),
    ),
  ),
  bytes(
    'bom-in-list',
    'The template list begins with a byte order mark',
    'behind-a-proxy',
    documented('1'),
    asBytes(
      succeeds('listTemplates'),
      payload((letter) => Buffer.concat([bom, letter.payload])),
    ),
  ),
  bytes(
    'latin1-bytes',
    'Replies are written in Latin-1',
    'plain',
    documented('1'),
    asBytes(
      always,
      payload((letter) => Buffer.from(text(letter), 'latin1')),
    ),
  ),
  bytes(
    'utf16',
    'Replies are written in UTF-16',
    'integer-ids',
    documented('1'),
    asBytes(
      always,
      payload((letter) => Buffer.from(`\ufeff${text(letter)}`, 'utf16le')),
    ),
  ),
  bytes(
    'surrogates-as-utf8',
    'Characters beyond the basic plane are two halves',
    'uuid-ids',
    documented('1'),
    asBytes(
      always,
      payload((letter) =>
        Buffer.concat(
          [...text(letter)].flatMap((character) =>
            character.length === 1
              ? Buffer.from(character)
              : [half(character.charCodeAt(0)), half(character.charCodeAt(1))],
          ),
        ),
      ),
    ),
  ),
  bytes(
    'trailing-garbage',
    'A warning follows the JSON',
    'php-style',
    documented('1'),
    asBytes(
      always,
      payload((letter) => `${text(letter)}\n<br />Notice: undefined index`),
    ),
  ),
  bytes(
    'leading-warning',
    'A warning precedes the JSON of added leads',
    'php-style',
    documented('1'),
    asBytes(
      succeeds('addLead'),
      payload((letter) => `Notice: undefined index\n${text(letter)}`),
    ),
  ),
  bytes(
    'two-values',
    'Update lead answers with two objects',
    'bodies-422',
    documented('1'),
    asBytes(
      succeeds('updateLead'),
      payload((letter) => `${text(letter)}\n{"success":true}`),
    ),
  ),
  bytes(
    'guard-prefix',
    'Replies begin with a guard against scripts',
    'uuid-ids',
    documented('1'),
    asBytes(
      always,
      payload((letter) => `)]}',\n${text(letter)}`),
    ),
  ),
  bytes(
    'trailing-comma',
    'The template list ends in a comma',
    'integer-ids',
    documented('1'),
    asBytes(
      succeeds('listTemplates'),
      payload((letter) => text(letter).replace(/\}$/, ',}')),
    ),
  ),
  bytes(
    'single-quotes',
    'Delete lead quotes with apostrophes',
    'plain',
    documented('1'),
    asBytes(
      succeeds('deleteLead'),
      payload((letter) => text(letter).replaceAll('"', "'")),
    ),
  ),
  bytes(
    'raw-line-breaks',
    'Line breaks in texts are not escaped',
    'refusals-at-200',
    documented('1'),
    asBytes(
      always,
      payload((letter) => text(letter).replaceAll('\\n', '\n')),
    ),
  ),
  bytes(
    'json-in-a-string',
    'Replies are a JSON string of JSON',
    'strict-fields',
    documented('4'),
    asBytes(
      always,
      payload((letter) => JSON.stringify(text(letter))),
    ),
  ),
  bytes(
    'cut-short',
    'Send email ends before its JSON does',
    'bodies-422',
    documented('1'),
    asBytes(
      succeeds('sendEmail'),
      payload((letter) => text(letter).slice(0, -2)),
    ),
  ),
  bytes(
    'success-twice',
    'Replies hold success false, then success true',
    'plain',
    derived('1'),
    asBytes(
      succeeds('sendEmail'),
      payload((letter) => text(letter).replace('{', '{"success":false,')),
    ),
  ),
  bytes(
    'lead-id-twice',
    'Add lead holds two different lead_id',
    'integer-ids',
    derived('1'),
    asBytes(
      succeeds('addLead'),
      payload((letter) => text(letter).replace('{"lead_id"', '{"lead_id":"0","lead_id"')),
    ),
  ),
];
