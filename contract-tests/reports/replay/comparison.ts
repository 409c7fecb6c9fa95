// Whether a response to a replay is the one of the run: by what does not differ from request to request.

import { dataOf, type Exchange, shellQuoted } from '../../client/exchange.ts';
import { addedId, type Steps } from './steps.ts';

/** Basic regular expressions, for sed and for this program. */
type Replacements = readonly (readonly [pattern: string, replacement: string])[];

/** What differs between two responses to the same request. What kind of value it is stays, because that may be what is wrong. */
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

/** In an error response, so is any word with a digit in it: a path, the id of the request. */
const varyingInErrors: Replacements = [...varying, ['[^ "]*[0-9][^ "]*', 'WORD']];

/** In a success, a number that stands alone may be the id in a message: `Lead 17 was updated`. */
const varyingInSuccesses: Replacements = [...varying, [' [0-9]\\{1,8\\} ', ' NUMBER ']];

const varyingIn = ({ status }: Exchange): Replacements =>
  status === 200 ? varyingInSuccesses : varyingInErrors;

/** An id that is unlike other words: the shell function `keep` decides by the same characters. */
const isTellingId = (id: string): boolean => /^[\w-]{4,}$/.test(id) && /[A-Za-z]/.test(id);

/** A field whose value differs each time: the rest of the response does not show a finding that is about it. */
const isVaryingField = (name: string): boolean => /(_at|id)$/i.test(name);

/** What a finding says of the wrong response. */
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

/** A body as one line without ids and times, or nothing where it is no plain text. */
const comparableBody = (last: Exchange, exchanges: readonly Exchange[]): string | undefined => {
  const { rawText } = last;
  if (rawText.length > 2000 || /[^\n\r\t -~\u00a0-\u02ff]/.test(rawText)) return undefined;
  const ids = exchanges.flatMap((exchange) => addedId(exchange) ?? []).filter(isTellingId);
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
 * The shell condition that the response of the run came again. Nothing where that cannot be decided: the body may be about
 * somebody, or what is wrong is a value that differs each time.
 * @param isOwn whether the body may be shown
 */
export const conditionOf = (
  { exchanges }: Pick<Steps, 'exchanges'>,
  last: Exchange,
  finding: Finding,
  isOwn: boolean,
): string | undefined => {
  // A body that holds the key, or of which the traffic of others has left an outline only.
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
): string => `is_same() { # number, status, media type, body: whether a response is the one of the run, ids and times aside
  [ "$(status "$1")" = "$2" ] && [ "$(media_type "$1")" = "$3" ] || return 1
  [ $# -lt 4 ] || [ "$(sed $ids ${varyingIn(last)
    .map(([pattern, replacement]) => `-e ${shellQuoted(`s/${pattern}/${replacement}/g`)}`)
    .join(' ')} "$replies/$1.body")" = "$4" ]
}`;
