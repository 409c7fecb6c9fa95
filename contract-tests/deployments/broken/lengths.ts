import type { Fields, Operation } from '../exchange.ts';
import { breaking, derived, documented } from './breaking.ts';
import { onTheWay } from './text.ts';

const cut = breaking('lengths');
const word = breaking('words');

const add: readonly Operation[] = ['addLead'];
const update: readonly Operation[] = ['updateLead'];
const upTo = (length: number) => (text: string) => text.slice(0, length);
const emptyBeyond = (length: number) => (text: string) => (text.length > length ? '' : text);
const emptyIf = (pattern: RegExp) => (text: string) => (pattern.test(text) ? '' : text);
const yesOrNo = (text: string) => ({ yes: 'true', no: 'false' })[text] ?? text;
const inherited = (text: string) => (({}) as Fields)[text] === undefined ? text : '';

/** §8 shows no limit; a text of everyday length fits all the same, and a longer one does not vanish. */
export const lengths = [
  cut(
    'name-cut-at-fifty',
    'Cuts names at 50 characters',
    'plain',
    derived('4.5'),
    onTheWay(upTo(50), ['name'], add),
  ),
  cut(
    'source-cut-at-fifty',
    'Cuts sources at 50 characters',
    'integer-ids',
    derived('4.5'),
    onTheWay(upTo(50), ['source'], add),
  ),
  cut(
    'updated-note-cut-at-fifty',
    'Cuts updated notes at 50 characters',
    'bodies-422',
    derived('4.6'),
    onTheWay(upTo(50), ['note'], update),
  ),
  cut(
    'updated-source-cut-at-fifty',
    'Cuts the source of an update at 50 characters',
    'plain',
    derived('4.6'),
    onTheWay(upTo(50), ['source'], update),
  ),
  cut(
    'updated-source-cut-at-thirty',
    'Cuts the source of an update at 30 characters',
    'uuid-ids',
    derived('4.6'),
    onTheWay(upTo(30), ['source'], update),
  ),
  cut(
    'long-note-lost',
    'Stores nothing of a note beyond 255 characters',
    'plain',
    derived('4.5'),
    onTheWay(emptyBeyond(255), ['note'], add),
  ),
  cut(
    'updated-long-note-lost',
    'Stores nothing of an updated note beyond 255 characters',
    'refusals-at-200',
    derived('4.6'),
    onTheWay(emptyBeyond(255), ['note'], update),
  ),
];

/** §2.3: strings, whatever a language makes of them. */
export const words = [
  word('zero-is-empty', 'Takes "0" for nothing', 'plain', documented('2.3'), onTheWay(emptyIf(/^0$/))),
  word(
    'note-zero-is-empty',
    'Takes "0" for nothing in updated notes',
    'php-style',
    documented('2.3'),
    onTheWay(emptyIf(/^0$/), ['note'], update),
  ),
  word('yes-is-true', 'Makes booleans of yes and no', 'integer-ids', documented('2.3'), onTheWay(yesOrNo)),
  word(
    'inherited-names-lost',
    'Loses what every object has',
    'behind-a-proxy',
    documented('2.3'),
    onTheWay(inherited),
  ),
];
