// Compares the response to a replay with that of the run, ignoring the parts that differ between requests.

import { dataOf, type Exchange, shellQuoted } from '../../client/exchange.ts';
import { addedId, type Steps } from './steps.ts';

/** Basic regular expressions, for sed and for this program. */
type Replacements = readonly (readonly [pattern: string, replacement: string])[];

/**
 * The parts that differ between two responses to the same request. The type of a value is kept, because it may be the defect.
 */
const varying: Replacements = [
  ['"[a-zA-Z_-]*[iI][dD]" *: *"[^"][^"]*"', '"id":"ID"'],
  ['"[a-zA-Z_-]*[iI][dD]" *: *[0-9][0-9]*', '"id":NUMBER'],
  ['[0-9]\\{4,\\}-[0-9][0-9]-[0-9][0-9]', 'DATE'],
  ['DATET[0-9:.]*', 'DATETTIME'],
  ['DATE [0-9][0-9:.]*', 'DATE TIME'],
  ['[0-9][0-9]:[0-9][0-9]:[0-9][0-9]', 'TIME'],
  ['[0-9a-f]\\{8\\}-[0-9a-f]\\{4\\}-[0-9a-f-]\\{21,\\}', 'UUID'],
  ['[0-9]\\{9,\\}', 'NUMBER'],
];

/** In an error response, also every word with a digit: a path, the id of the request. */
const varyingInErrors: Replacements = [...varying, ['[^ "]*[0-9][^ "]*', 'WORD']];

/** In a success response, also a separate number, which may be the id in a message: `Lead 17 was updated`. */
const varyingInSuccesses: Replacements = [...varying, [' [0-9]\\{1,8\\} ', ' NUMBER ']];

const varyingIn = ({ status }: Exchange): Replacements =>
  status === 200 ? varyingInSuccesses : varyingInErrors;

/** Whether an id differs from ordinary words. The shell function `keep` uses the same characters. */
const isDistinctiveId = (id: string): boolean => /^[\w-]{4,}$/.test(id) && /[A-Za-z]/.test(id);

/**
 * Whether the value of a field differs each time: if a finding concerns it, the rest of the response does not show the defect.
 */
const isVaryingField = (name: string): boolean => /(_at|id)$/i.test(name);

/** The description of the defect in the wrong response. */
export type Finding = { readonly expected: string; readonly actual: string; readonly pointer?: string };

const isAboutVarying = ({ expected, actual, pointer = '' }: Finding, last: Exchange): boolean => {
  const words = `${expected} ${actual} ${pointer}`;
  return Object.entries(dataOf(last)).some(
    ([name, value]) =>
      isVaryingField(name) &&
      (typeof value === 'number' || (typeof value === 'string' && value !== '')) &&
      (words.includes(name) || words.includes(String(value))),
  );
};

/** The body on one line without ids and times, or `undefined` if it is not plain text. */
const comparableBody = (last: Exchange, exchanges: readonly Exchange[]): string | undefined => {
  const { rawText } = last;
  if (rawText.length > 2000 || /[^\n\r\t -~\u00a0-\u02ff]/.test(rawText)) return undefined;
  const ids = exchanges.flatMap((exchange) => addedId(exchange) ?? []).filter(isDistinctiveId);
  const text = ids.reduce((body, id) => body.replaceAll(id, 'LEAD'), rawText);
  return varyingIn(last)
    .reduce(
      (body, [pattern, replacement]) =>
        body.replaceAll(new RegExp(pattern.replaceAll('\\{', '{').replaceAll('\\}', '}'), 'g'), replacement),
      text,
    )
    .replace(/\n+$/, '');
};

/**
 * The shell condition for the same response as in the run. `undefined` if that cannot be decided: the body may contain personal
 * data, or the defect is a value that differs each time.
 * @param isOwn whether the body may be shown
 */
export const conditionOf = (
  { exchanges }: Pick<Steps, 'exchanges'>,
  last: Exchange,
  finding: Finding,
  isOwn: boolean,
): string | undefined => {
  // A body that contains the key, or recorded traffic of which only an outline is kept.
  if (last.text !== last.rawText) return undefined;
  const body = isOwn && !isAboutVarying(finding, last) ? comparableBody(last, exchanges) : undefined;
  const isTelling = last.status !== 200 || last.credentials !== 'key';
  if (body === undefined && !isTelling) return undefined;
  const words = [
    last.status,
    shellQuoted(mediaTypeOf(last)),
    ...(body === undefined ? [] : [shellQuoted(body)]),
  ];
  return `is_same ${exchanges.length} ${words.join(' ')}`;
};

const mediaTypeOf = ({ headers }: Exchange): string => {
  const type = headers['content-type'];
  return typeof type === 'string' ? type.replace(/[^ -~].*/s, '').trim() : '';
};

/** The shell function of the condition. */
export const comparison = (
  last: Exchange,
): string => `is_same() { # number, status, media type, body: whether a response is that of the run, except for ids and times
  [ "$(status "$1")" = "$2" ] && [ "$(media_type "$1")" = "$3" ] || return 1
  [ $# -lt 4 ] || [ "$(sed $ids ${varyingIn(last)
    .map(([pattern, replacement]) => `-e ${shellQuoted(`s/${pattern}/${replacement}/g`)}`)
    .join(' ')} "$replies/$1.body")" = "$4" ]
}`;
