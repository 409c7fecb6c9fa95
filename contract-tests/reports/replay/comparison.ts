// Compares the response to a replay with that of the run, by a pattern for `grep` that leaves open what differs between requests.

import { type ShellCode, sh } from '../../../mock/contract/shell.ts';
import { type Exchange, itemsOf, jsonTypeOf } from '../../exchange/exchange.ts';
import { addedId, type Steps } from './steps.ts';

/** A part of a response, and its pattern: a basic regular expression. */
type Part = readonly [RegExp, pattern: (found: string) => string];

const escaped = (text: string): string => text.replaceAll(/[\\.*[^$]/g, String.raw`\$&`);

const nameIn = (member: string): string => member.slice(0, member.indexOf('"', 1) + 1);

/** What differs between two responses to the same request. The type of a value is kept, because it may be the defect. */
const varying: readonly Part[] = [
  [/"[a-z_-]*id" *: *"[^"]+"/, (member) => `${nameIn(member)} *: *"[^"][^"]*"`],
  [/"[a-z_-]*id" *: *\d+/, (member) => `${nameIn(member)} *: *[0-9][0-9]*`],
  [/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/, () => '[0-9A-Fa-f-]*'],
  [/\d{4,6}-\d\d-\d\d/, () => '[0-9]*-[0-9][0-9]-[0-9][0-9]'],
  [/\d\d:[\d:.]+/, () => '[0-9:.]*'],
  [/\d{9,}/, () => '[0-9]*'],
];

/** In a success response, also a separate number, which may be the id in a message: `Lead 17 was updated`. */
const varyingInSuccesses: readonly Part[] = [
  ...varying,
  [/ \d{1,8} /, () => ' [0-9]* '],
  [/[\\.*[^$]/, escaped],
];

/** In an error response, also every word with a digit: a path, the id of the request. */
const varyingInErrors: readonly Part[] = [
  ...varying,
  [/[^ "]+/, (word) => (/\d/.test(word) ? '[^ "]*' : escaped(word))],
];

/** The description of the defect in the wrong response. */
export type Finding = { readonly expected: string; readonly actual: string; readonly pointer?: string };

/** The last response of a replay, and the ids of the leads that its steps added. */
type Last = Exchange & { readonly ids: readonly string[] };

/** A pattern for a text of the last response, or `undefined` if the shell cannot hold the text. */
const patternOf = (text: string, { status, ids }: Last): string | undefined => {
  if (text.length > 2000 || /[\0\ufffd]|\p{Cs}/u.test(text)) return undefined;
  const parts = status === 200 ? varyingInSuccesses : varyingInErrors;
  const all = new RegExp(parts.map(([{ source }]) => `(${source})`).join('|'), 'gi');
  const patternIn = (piece: string): string =>
    piece.replaceAll(all, (found: string, ...groups: readonly (string | undefined)[]) =>
      (parts[groups.findIndex((group) => group !== undefined)]?.[1] ?? escaped)(found),
    );
  // An id like an ordinary word stays.
  const distinctive = ids.filter((id) => /^[\w-]{4,}$/.test(id) && /[A-Za-z]/.test(id));
  const pieces = distinctive.length === 0 ? [text] : text.split(new RegExp(distinctive.join('|')));
  return pieces.map(patternIn).join('[A-Za-z0-9_-]*');
};

const withoutLineBreaks = (body: string): string => body.replaceAll(/[\r\n]/g, ' ');

/** A JSON text, and any other value up to what follows it; of a list or an object its beginning. */
const values = [String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`, String.raw`[^\],}" ]*`] as const;

/** A member of a response with its value; empty if there is none. */
const memberIn = (body: string, name: string): string => {
  for (const value of values) {
    // The last member of that name; without `^` a long line without it is searched again from each character.
    const [, shown] = new RegExp(`^.*"${name}" *: *(${value})`, 's').exec(withoutLineBreaks(body)) ?? [];
    if (shown !== undefined) return `"${name}":${shown}`;
  }
  return '';
};

/** A pattern for a member with its value. After a number or a word, the value must end. */
const memberPattern = (member: string, last: Last): string | undefined =>
  patternOf(member, last)
    ?.replace('":', '" *: *')
    .concat(/^"\w+":[-\w]/.test(member) ? '[],} ]' : '');

/** A correct id and a correct time: another one is as good. */
const usualMember = /^"[a-z_-]*id":"[^"]+"$|:"\d{4,}-\d\d-\d\dT[\d:.]*(Z|\+00:00)"$/i;

/**
 * The pattern for a wrong value of one field. `undefined` if the value may not be shown, or if it differs each time.
 * @param isOwn whether the whole body may be shown
 */
const fieldPattern = (last: Last, name: string, actual: string, isOwn: boolean): string | undefined => {
  const member = memberIn(last.rawText, name);
  const isShown = isOwn || actual.includes(member.slice(name.length + 3));
  return member === '' || !isShown || usualMember.test(member) ? undefined : memberPattern(member, last);
};

/** What the values of a JSON type begin with, as a basic regular expression. */
const beginnings = {
  null: 'n',
  boolean: '[tf]',
  number: '[-0-9]',
  string: '"',
  array: String.raw`\[`,
  object: '{',
} as const;

/** The pattern for a field of a listed template that has the wrong type. Its value may be anything, and is not shown. */
const typePattern = (last: Last, index: number, name: string): string | undefined => {
  const value = itemsOf(last)[index]?.[name];
  const type = jsonTypeOf(value) as keyof typeof beginnings;
  if (value === undefined || type === (name === 'variables' ? 'array' : 'string')) return undefined;
  return `"${name}" *: *${beginnings[type]}`;
};

/**
 * Whether the status alone is wrong: a wrong key was accepted, an ordinary request was refused, or the server failed. Other error
 * responses may be right but for what they contain.
 */
const isWrongStatus = ({ credentials, intent, status, outcome }: Exchange): boolean => {
  if (credentials !== 'key') return outcome === 'success' || outcome === 'broken';
  return status >= 500 || (outcome === 'refusal' && intent !== 'probe' && status !== 200);
};

/** The pattern for what is wrong; of a status, one that fits any body. */
const wrongPattern = (last: Last, { pointer = '', actual }: Finding, isOwn: boolean): string | undefined => {
  const [, field] = /^(?:\/data)?\/([a-z_]+)$/.exec(pointer) ?? [];
  if (field !== undefined) return fieldPattern(last, field, actual, isOwn);
  const [, index, member] = /^\/data\/(\d+)\/([a-z_]+)$/.exec(pointer) ?? [];
  if (member !== undefined) return typePattern(last, Number(index), member);
  const body =
    isOwn && pointer === '' ? patternOf(withoutLineBreaks(last.rawText).trimEnd(), last) : undefined;
  if (body !== undefined) return `^${body} *$`;
  if (!isWrongStatus(last)) return undefined;
  // Where refusals have the status 200 too, only `success` tells them apart.
  return last.status === 200 ? memberPattern(memberIn(last.rawText, 'success'), last) : '';
};

/**
 * The shell condition for the same response as in the run: the field of the finding, otherwise the whole body. `undefined` if
 * that cannot be decided: the body may contain personal data, or the defect is a value that differs each time.
 * @param isOwn whether the body may be shown
 */
export const conditionOf = (
  { exchanges }: Pick<Steps, 'exchanges'>,
  last: Exchange,
  finding: Finding,
  isOwn: boolean,
): ShellCode | undefined => {
  // A body that contains the key, or recorded traffic of which only an outline is kept.
  if (last.text !== last.rawText) return undefined;
  const ids = exchanges.flatMap((exchange) => addedId(exchange) ?? []);
  const pattern = wrongPattern({ ...last, ids }, finding, isOwn);
  if (pattern === undefined) return undefined;
  // curl writes 000 where there is no response.
  const status = String(last.status).padStart(3, '0');
  return sh`is_same ${exchanges.length} ${status} ${mediaTypeOf(last)} ${pattern}`;
};

const mediaTypeOf = ({ headers }: Exchange): string => {
  const type = headers['content-type'];
  return typeof type === 'string' ? type.replace(/[^ -~].*/s, '').trim() : '';
};

/** The shell function of the conditions. */
export const comparison = sh`is_same() { # number, status, media type, pattern: whether a response is that of the run
  status "$1"
  [ "$code" = "$2" ] && [ "$(media_type "$1")" = "$3" ] &&
    { tr '\\r\\n' '  ' < "$replies/$1.body" && echo; } | grep -q -e "$4"
}
media_type() {
  sed -n 's/^[Cc]ontent-[Tt]ype: *\\([ -~]*\\).*/\\1/p' "$replies/$1.head" | sed -n '$p' | sed 's/ *$//'
}`;
