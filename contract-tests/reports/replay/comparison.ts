// Compares the response to a replay with that of the run, ignoring the parts that differ between requests.

import { type ShellCode, sh } from '../../../mock/contract/shell.ts';
import { type Exchange, itemsOf, jsonTypeOf } from '../../exchange/exchange.ts';
import { addedId, type Steps } from './steps.ts';

/**
 * Edits for sed that replace what differs between two responses to the same request. The type of a value is kept, because it may
 * be the defect.
 */
const varying: readonly string[] = [
  's/"[a-zA-Z_-]*[iI][dD]" *: *"[^"][^"]*"/"id":"ID"/g',
  's/"[a-zA-Z_-]*[iI][dD]" *: *[0-9][0-9]*/"id":NUMBER/g',
  's/[0-9]\\{4,\\}-[0-9][0-9]-[0-9][0-9]/DATE/g',
  's/DATET[0-9:.]*/DATETTIME/g',
  's/DATE [0-9][0-9:.]*/DATE TIME/g',
  's/[0-9][0-9]:[0-9][0-9]:[0-9][0-9]/TIME/g',
  's/[0-9a-f]\\{8\\}-[0-9a-f]\\{4\\}-[0-9a-f-]\\{21,\\}/UUID/g',
  's/[0-9]\\{9,\\}/NUMBER/g',
];

/** In an error response, also every word with a digit: a path, the id of the request. */
const varyingInErrors: readonly string[] = [...varying, 's/[^ "]*[0-9][^ "]*/WORD/g'];

/** In a success response, also a separate number, which may be the id in a message: `Lead 17 was updated`. */
const varyingInSuccesses: readonly string[] = [...varying, 's/ [0-9]\\{1,8\\} / NUMBER /g'];

/** Whether an id differs from ordinary words. The shell function `keep` uses the same characters. */
const isDistinctiveId = (id: string): boolean => /^[\w-]{4,}$/.test(id) && /[A-Za-z]/.test(id);

/** The description of the defect in the wrong response. */
export type Finding = { readonly expected: string; readonly actual: string; readonly pointer?: string };

/** A text of a response without the ids of the leads of the run, or `undefined` if the shell cannot hold it. */
const comparable = (text: string, exchanges: readonly Exchange[]): string | undefined => {
  if (text.length > 2000 || /[\0\ufffd]|\p{Cs}/u.test(text)) return undefined;
  const ids = exchanges.flatMap((exchange) => addedId(exchange) ?? []).filter(isDistinctiveId);
  return ids.reduce((body, id) => body.replaceAll(id, 'LEAD'), text);
};

/** A JSON text, and any other value up to what follows it. The shell function `member` uses the same patterns. */
const values = [String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`, String.raw`[^\],}" ]*`] as const;

/** A member of a response with its value, on one line; empty if there is none. The value of a list or an object is its beginning. */
const memberIn = (body: string, name: string): string => {
  const line = body.replaceAll(/[\r\n]/g, ' ');
  for (const value of values) {
    // The last member of that name, as `sed` finds it; without `^` a long line without it is searched again from each character.
    const [, shown] = new RegExp(`^.*"${name}" *: *(${value})`, 's').exec(line) ?? [];
    if (shown !== undefined) return `"${name}":${shown}`;
  }
  return '';
};

/** A correct id and a correct time: another one is as good. */
const usualMember = /^"[a-z_-]*id":"[^"]+"$|:"\d{4,}-\d\d-\d\dT[\d:.]*(Z|\+00:00)"$/i;

type Last = { readonly number: number; readonly last: Exchange; readonly finding: Finding };

/**
 * The condition for a wrong value of one field. `undefined` if the value may not be shown, or if it differs each time.
 * @param isOwn whether the whole body may be shown
 */
const fieldCondition = (
  { number, last, finding }: Last,
  name: string,
  exchanges: readonly Exchange[],
  isOwn: boolean,
): ShellCode | undefined => {
  const shown = memberIn(last.rawText, name);
  const member = comparable(shown, exchanges);
  const value = shown.slice(name.length + 3);
  if (member === undefined || usualMember.test(shown)) return undefined;
  if (!isOwn && !finding.actual.includes(value)) return undefined;
  return sh`is_same_field ${number} ${last.status} ${name} ${member}`;
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

/** The condition for a field of a listed template that has the wrong type. Its value may be anything, and is not shown. */
const typeCondition = ({ number, last }: Last, index: number, name: string): ShellCode | undefined => {
  const value = itemsOf(last)[index]?.[name];
  const type = jsonTypeOf(value) as keyof typeof beginnings;
  if (value === undefined || type === (name === 'variables' ? 'array' : 'string')) return undefined;
  return sh`has_type ${number} ${last.status} ${name} ${beginnings[type]}`;
};

/**
 * Whether the status alone is wrong: a wrong key was accepted, an ordinary request was refused, or the server failed. Other error
 * responses may be right but for what they contain.
 */
const isWrongStatus = ({ credentials, intent, status, outcome }: Exchange): boolean => {
  if (credentials !== 'key') return outcome === 'success' || outcome === 'broken';
  return status >= 500 || (outcome === 'refusal' && intent !== 'probe' && status !== 200);
};

/**
 * The shell condition for the same response as in the run: the field of the finding, otherwise the whole body. `undefined` if
 * that cannot be decided: the body may contain personal data, or the defect is a value that differs each time.
 * @param isOwn whether the body may be shown
 */
export const conditionOf = (
  steps: Pick<Steps, 'exchanges'>,
  last: Exchange,
  finding: Finding,
  isOwn: boolean,
): ShellCode | undefined => {
  // A body that contains the key, or recorded traffic of which only an outline is kept.
  if (last.text !== last.rawText) return undefined;
  const { exchanges } = steps;
  const { pointer = '' } = finding;
  const about: Last = { number: exchanges.length, last, finding };
  const [, field] = /^(?:\/data)?\/([a-z_]+)$/.exec(pointer) ?? [];
  if (field !== undefined) return fieldCondition(about, field, exchanges, isOwn);
  const [, index, member] = /^\/data\/(\d+)\/([a-z_]+)$/.exec(pointer) ?? [];
  if (member !== undefined) return typeCondition(about, Number(index), member);
  const body = isOwn && pointer === '' ? comparable(last.rawText, exchanges) : undefined;
  if (body === undefined && !isWrongStatus(last)) return undefined;
  // Where refusals have the status 200 too, only `success` tells them apart.
  const success = memberIn(last.rawText, 'success');
  if (body === undefined && last.status === 200 && success !== '')
    return sh`is_same_field ${about.number} ${last.status} success ${success}`;
  return sh`is_same ${exchanges.length} ${last.status} ${mediaTypeOf(last)} ${body === undefined ? [] : [sh`${body}`]}`;
};

const mediaTypeOf = ({ headers }: Exchange): string => {
  const type = headers['content-type'];
  return typeof type === 'string' ? type.replace(/[^ -~].*/s, '').trim() : '';
};

/** The shell functions of the conditions. */
export const comparison = ({ status }: Exchange): ShellCode => {
  const edits = status === 200 ? varyingInSuccesses : varyingInErrors;
  return sh`same_parts() { # leaves out ids and times
  sed -f "$replies/ids" ${edits.map((edit) => sh`-e ${edit}`)}
}
are_same() { # two texts: whether they differ in ids and times only
  [ "$(printf '%s\\n' "$1" | same_parts)" = "$(printf '%s\\n' "$2" | same_parts)" ]
}
is_same() { # number, status, media type, body: whether a response is that of the run, except for ids and times
  status "$1"
  [ "$code" = "$2" ] && [ "$(media_type "$1")" = "$3" ] || return 1
  [ $# -lt 4 ] || are_same "$(cat "$replies/$1.body")" "$4"
}
member() { # number, name
  tr '\\r\\n' '  ' < "$replies/$1.body" | sed -n \\
    -e 's/.*\\("'"$2"'"\\) *: *\\("[^"\\\\]*\\(\\\\.[^"\\\\]*\\)*"\\).*/\\1:\\2/p;t' \\
    -e 's/.*\\("'"$2"'"\\) *: *\\([^],}" ]*\\).*/\\1:\\2/p'
}
is_same_field() { # number, status, name, member: whether a response has the field with the value of the run
  status "$1"
  [ "$code" = "$2" ] && are_same "$(member "$1" "$3")" "$4"
}
has_type() { # number, status, name, beginning of a value: whether a response has the field with a value that begins so
  status "$1"
  [ "$code" = "$2" ] &&
    [ -n "$(tr '\\r\\n' '  ' < "$replies/$1.body" | sed -n "/\\"$3\\" *: *$4/p" | head -c 1)" ]
}`;
};
