// Compares the response to a replay with that of the run, by what its finding names: a field, or else a wrong status.

import type { OperationId } from '../../../mock/contract/operation-id.ts';
import { type ShellCode, sh } from '../../../mock/contract/shell.ts';
import { type Exchange, jsonTypeOf } from '../../exchange/exchange.ts';
import { valueAt } from '../../facts/replies/response-schema.ts';

/** The description of the defect in the wrong response. */
export type Finding = { readonly expected: string; readonly actual: string; readonly pointer?: string };

/** What the values of a JSON type begin with, as a basic regular expression. */
const beginnings: Readonly<Record<string, string>> = {
  null: 'n',
  boolean: '[tf]',
  number: '[-0-9]',
  string: '"',
  array: String.raw`\[`,
  object: '{',
};

const documentedType = (operation: OperationId, name: string): string => {
  if (name === 'data') return operation === 'listTemplates' ? 'array' : 'object';
  if (name === 'variables') return 'array';
  return name === 'success' ? 'boolean' : 'string';
};

/** The last text or word that a response has for a member of that name, as it is written there. */
const writtenValue = (body: string, name: string): string | undefined => {
  // Without `^` a long line without it is searched again from each character.
  const member = new RegExp(String.raw`^.*"${name}" *: *("[^"\\]*(?:\\.[^"\\]*)*"|true|false)`, 's');
  return member.exec(body.replaceAll(/[\r\n]/g, ' '))?.[1];
};

/** A basic regular expression for a value; `undefined` for an id or a time, of which another one is as good, or a text that no shell holds. */
const valuePattern = (name: string, written: string): string | undefined => {
  const isUsual = name.endsWith('id')
    ? written !== '""'
    : /^"\d{4,}-\d\d-\d\dT[\d:.]*(Z|\+00:00)"$/.test(written);
  if (isUsual || written.length > 2000 || /[\0\ufffd]|\p{Cs}/u.test(written)) return undefined;
  const escaped = written.replaceAll(/[\\.*[^$]/g, String.raw`\$&`);
  // A wrong time is another one each time, in the same form.
  return name.endsWith('_at') ? escaped.replaceAll(/\d+/g, '[0-9]*') : escaped;
};

/** The condition that a response is like that of the run, and contains the pattern. */
type Same = (pattern: string) => ShellCode;

/** The condition for a field of a success response, or of each item of a list; its name stands nowhere else there. */
const sameField = (
  last: Exchange,
  { pointer = '', actual }: Finding,
  isOwn: boolean,
  same: Same,
): ShellCode | undefined => {
  const [, name] = /^(?:\/data(?:\/\d+)?)?\/([a-z_]+)$/.exec(pointer) ?? [];
  if (name === undefined) return undefined;
  const member = `"${name}" *: *`;
  const value = valueAt(last.json, pointer);
  if (value === undefined)
    return last.rawText.includes(`"${name}"`) ? undefined : sh`${same('')} && ! ${same(member)}`;
  const type = jsonTypeOf(value);
  if (type !== documentedType(last.operation, name)) return same(`${member}${beginnings[type]}`);
  const written = value === '' ? '""' : writtenValue(last.rawText, name);
  const isShown = isOwn || value === '' || type === 'boolean' || actual.includes(String(written));
  const pattern = isShown && written !== undefined ? valuePattern(name, written) : undefined;
  return pattern === undefined ? undefined : same(member + pattern);
};

/** Whether the status alone is wrong: a wrong key was accepted, an ordinary request was refused, or the server failed. */
const isWrongStatus = ({ credentials, intent, status, outcome }: Exchange): boolean => {
  if (credentials !== 'key') return outcome === 'success' || outcome === 'broken';
  return status >= 500 || (status < 400 && status !== 200) || (outcome === 'refusal' && intent !== 'probe');
};

/**
 * The shell condition for the same response as in the run: its status and media type, and the field of the finding. `undefined` if
 * that cannot be decided: the value may be personal data or differs each time, or the defect is neither a field nor the status.
 * @param isOwn whether the body may be shown
 */
export const conditionOf = (
  number: number,
  last: Exchange,
  finding: Finding,
  isOwn: boolean,
): ShellCode | undefined => {
  // A body that contains the key, or recorded traffic of which only an outline is kept.
  if (last.text !== last.rawText) return undefined;
  // curl writes 000 where there is no response.
  const status = String(last.status).padStart(3, '0');
  const same: Same = (pattern) => sh`is_same ${number} ${status} ${mediaTypeOf(last)} ${pattern}`;
  if (finding.pointer) return sameField(last, finding, isOwn, same);
  if (!isWrongStatus(last)) return undefined;
  // Where refusals have the status 200 too, only `success` tells them apart.
  return last.status === 200 ? sameField(last, { ...finding, pointer: '/success' }, isOwn, same) : same('');
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
