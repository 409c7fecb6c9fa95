import { describeDifference } from '../../exchange/describe.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { operationOf } from '../../exchange/operations.ts';
import { isStored } from '../../model/text.ts';
import { broken, holds, type Result } from '../fact.ts';

/** Texts that software may misread as a number, a date, a boolean, null or a reserved name. */
const wordLike =
  /^(?:-?[\d.]+(?:e\d+)?|\d{4}-\d\d-\d\d|true|false|yes|no|null|none|undefined|nan?|\{\}|constructor|__proto__)$/i;

/** Longer texts may be cut (§8). */
const usualLength = 60;

const plain = /^[\w .,:;()/-]*$/;

/** Letters beyond ASCII, in the composed form: what is left of them when everything else is ignored. */
const lettersOf = (text: string): string =>
  (text.normalize('NFC').match(/(?![\0-\x7f])[\p{L}\p{M}]/gu) ?? []).join('');

const isLossOfLetters = (sent: string, shown: string): boolean => {
  const letters = lettersOf(sent);
  return letters !== '' && !lettersOf(shown).startsWith(letters);
};

/** What a text tests, in the ids of checks: `echoes` for an ordinary one. */
const kindOfText = (sent: string): 'echoes' | 'keeps-words-as-text' | 'keeps-long-texts' | 'keeps-texts' => {
  if (wordLike.test(sent)) return 'keeps-words-as-text';
  if (sent.length > usualLength) return 'keeps-long-texts';
  return plain.test(sent) && !/ {2}|^\s|\s$/.test(sent) ? 'echoes' : 'keeps-texts';
};

/** Whether a text has nothing unusual, so that a deployment treats it like others. */
export const isOrdinary = (text: string): boolean => text !== '' && kindOfText(text) === 'echoes';

/** The check of a text that is shown in another form than a permitted one. */
export const damageOf = (sent: string, shown: string): string => {
  const kind = kindOfText(sent);
  return kind === 'keeps-texts' && isLossOfLetters(sent, shown) ? 'keeps-letters' : kind;
};

/** The checks that a text decides if it is shown as sent. */
export const decidedBy = (sent: string): readonly string[] => {
  const kind = kindOfText(sent);
  return kind === 'keeps-texts' && lettersOf(sent) !== '' ? [kind, 'keeps-letters'] : [kind];
};

const echoCheck = (operation: Exchange['operation'], kind: string): string => {
  const own = operation === 'addLead' ? 'echoes-fields' : 'echoes-note';
  return `${operationOf(operation).area}.${kind === 'echoes' ? own : kind}`;
};

/** Compares a text of a response with the one that was sent. */
export const echoOf = (exchange: Exchange, name: string, sent: string, shown: string): readonly Result[] => {
  const { operation } = exchange;
  if (isStored(sent, shown)) return decidedBy(sent).map((kind) => holds(echoCheck(operation, kind)));
  const [expected, actual] = describeDifference(sent, shown);
  const check = echoCheck(operation, damageOf(sent, shown));
  return [broken(check, exchange, `data.${name} as sent: ${expected}`, actual, `/data/${name}`)];
};
