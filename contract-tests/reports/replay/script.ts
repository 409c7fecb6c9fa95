import { printableLine } from '../../../mock/contract/printable.ts';
import { comment, type ShellCode, sh } from '../../../mock/contract/shell.ts';
import type { Address } from '../../client/gateway.ts';
import { plural } from '../../exchange/describe.ts';
import { type Exchange, excerpt, hasSuccessStatus, jsonTypeOf } from '../../exchange/exchange.ts';
import { madeUpMark } from '../../exchange/leads.ts';
import { causesMail } from '../../exchange/operations.ts';
import type { Check } from '../../facts/check.ts';
import { responseFields, valueAt } from '../../facts/replies/response-schema.ts';
import { functionsFor, keyLines, pathWord, requestLine, setUp } from './shell.ts';
import { additionFor, type Steps } from './steps.ts';

/** Seconds to pause as in the run, because a fault may appear only after some time. */
const pauseBefore = (exchange: Exchange, previous: Exchange | undefined): number => {
  const gap = previous ? (exchange.sentAt - previous.receivedAt) / 1000 : 0;
  return gap < 0.4 ? 0 : Math.min(10, Math.round(gap + 0.2));
};

const overlaps = (exchange: Exchange, previous: Exchange | undefined): boolean =>
  previous !== undefined && exchange.sentAt < previous.receivedAt;

/** Whether an update created a lead with an id that the run had invented. */
const isUpsert = ({ operation, outcome, path }: Exchange): boolean =>
  operation === 'updateLead' && outcome === 'success' && path.includes(`/${madeUpMark}`);

type Group = [Exchange, ...Exchange[]];

/** Groups the steps: concurrent requests form one group, except for requests that need the result of another one. */
const groupsOf = (exchanges: readonly Exchange[]): Group[] => {
  const groups: Group[] = [];
  for (const exchange of exchanges) {
    const group = groups.at(-1);
    const addition = additionFor(exchange, exchanges);
    const isTogether = overlaps(exchange, group?.at(-1)) && !(addition && group?.includes(addition));
    if (group && isTogether) group.push(exchange);
    else groups.push([exchange]);
  }
  return groups;
};

type Parts = {
  readonly exchanges: readonly Exchange[];
  /** The condition for the same response as in the run; `undefined` if that cannot be decided. */
  readonly condition: ShellCode | undefined;
};

const madeLine = ({ status, credentials }: Exchange, number: number): ShellCode =>
  sh`made ${number} ${status} ${credentials === 'key' ? sh`key` : sh`other`} || stop ${number}`;

/** Keeps the id of the lead that a step added. Without an id, steps that need the lead cannot be made. */
const keepLines = (exchange: Exchange, number: number, all: readonly Exchange[]): ShellCode[] => {
  const upserted = isUpsert(exchange) ? [sh`keep ${exchange.path.split('/').at(-1) ?? ''}`] : [];
  if (exchange.operation !== 'addLead') return upserted;
  const isNeeded = all.some((later) => additionFor(later, all) === exchange);
  return [
    sh`lead${number}=$(added ${number})`,
    sh`keep "$lead${number}"${isNeeded ? sh` || stop ${number}` : []}`,
  ];
};

/** Shows the response to a step. The last one is compared with that of the run. */
const resultLines = (exchange: Exchange, number: number, { exchanges, condition }: Parts): ShellCode[] => {
  const made = madeLine(exchange, number);
  const keep = keepLines(exchange, number, exchanges);
  if (exchange !== exchanges.at(-1)) return [sh`show ${number}`, made, ...keep];
  if (condition === undefined) return [sh`show ${number} '  <- the response to compare'`, made, ...keep];
  return [
    ...keep,
    sh`if ${condition}; then
show ${number} '  <- the wrong response'
finish 0 'the wrong response of the run occurred again.'
fi`,
    sh`show ${number} '  <- another response'`,
    made,
  ];
};

/** The lines of the steps; concurrent requests are sent concurrently. */
const stepLines = (parts: Parts): ShellCode[] => {
  const { exchanges } = parts;
  return groupsOf(exchanges).flatMap((group) => {
    const first = exchanges.indexOf(group[0]);
    const pause = pauseBefore(group[0], exchanges[first - 1]);
    const background = group.length > 1 ? sh` &` : [];
    const requests = group.map((exchange, index) => {
      const path = pathWord(exchange, additionFor(exchange, exchanges), exchanges);
      const request = requestLine(exchange, first + index + 1, path, exchanges.slice(0, first));
      return sh`${request}${background}`;
    });
    return [
      ...(pause > 0 ? [sh`sleep ${pause}`] : []),
      ...requests,
      ...(group.length > 1 ? [sh`wait`] : []),
      ...group.flatMap((exchange, index) => resultLines(exchange, first + index + 1, parts)),
    ];
  });
};

const another = sh`finish 1 'the response differs from the wrong one of the run. Compare it with the expected one. If nothing was mended, run the script again: the wrong one may come only now and then.'`;
const notComparable = sh`finish 3 'the script cannot compare this response. Compare it with the expected one yourself.'`;
const notThisTime = sh`finish 3 'another response came, which shows nothing: in the run, the wrong one came only now and then. Run the script again.'`;

/** A text of a deployment, on one line of the output. */
const oneLine = (text: string): string => printableLine(excerpt(text, 500));

/**
 * A script that reproduces a finding: it creates what it needs, repeats every step once, shows the response, and deletes what
 * it created. It needs a POSIX shell, curl, sed and grep; the key comes from the environment.
 * @param isOwn whether the last response may be shown
 */
export const replayScript = (
  { url, gateway }: Address,
  { id, title, section }: Pick<Check, 'id' | 'title' | 'section'>,
  finding: Finding,
  steps: Steps,
  isOwn: boolean,
): string | undefined => {
  const { exchanges, sporadic } = steps;
  const last = exchanges.at(-1);
  if (!last) return undefined;
  const condition = conditionOf(exchanges.length, last, finding, isOwn);
  const otherwise = condition === undefined ? notComparable : sporadic ? notThisTime : another;
  const mails = exchanges.filter(causesMail).length;
  return [
    comment(`${id} (§${section}): ${title}`),
    comment(`expected: ${oneLine(finding.expected)}`),
    comment(`actual: ${oneLine(finding.actual)}`),
    sh`# Exit codes: 0 the wrong response occurred again, 1 another response came, 2 a step failed (no key, no connection, or no lead
# for the later steps), 3 nothing is shown: see the result.`,
    ...(mails > 0 ? [comment(`It requests ${plural(mails, 'mail')}.`)] : []),
    setUp,
    ...keyLines(exchanges),
    sh`base=${url}`,
    sh`expected=${oneLine(finding.expected)}`,
    sh`actual=${oneLine(finding.actual)}`,
    functionsFor(gateway),
    ...(condition === undefined ? [] : [comparison]),
    ...stepLines({ exchanges, condition }),
    otherwise,
  ].reduce((script, { code }) => `${script}${code}\n`, '#!/bin/sh\n');
};

// Compares the response to a replay with that of the run, by what its finding names: a field, or else a wrong status.

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
  const documented = responseFields(last.operation).get(pointer.replace(/\/\d+/, '/*'));
  if (type !== (documented?.type ?? 'string')) return same(`${member}${beginnings[type]}`);
  const written = value === '' ? '""' : writtenValue(last.rawText, name);
  const isShown = isOwn || value === '' || type === 'boolean' || actual.includes(String(written));
  const pattern = isShown && written !== undefined ? valuePattern(name, written) : undefined;
  return pattern === undefined ? undefined : same(member + pattern);
};

/** Whether the status alone is wrong: a wrong key was accepted, an ordinary request was refused, or the server failed. */
const isWrongStatus = (exchange: Exchange): boolean => {
  const { credentials, intent, status, outcome } = exchange;
  if (credentials !== 'key') return hasSuccessStatus(exchange);
  return status >= 500 || (status < 400 && status !== 200) || (outcome === 'refusal' && intent !== 'probe');
};

/**
 * The shell condition for the same response as in the run: its status and media type, and the field of the finding. `undefined` if
 * that cannot be decided: the value may be personal data or differs each time, or the defect is neither a field nor the status.
 * @param isOwn whether the body may be shown
 */
const conditionOf = (
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
const comparison = sh`is_same() { # number, status, media type, pattern: whether a response is that of the run
  status "$1"
  [ "$code" = "$2" ] && [ "$(media_type "$1")" = "$3" ] &&
    { tr '\\r\\n' '  ' < "$replies/$1.body" && echo; } | grep -q -e "$4"
}
media_type() {
  sed -n 's/^[Cc]ontent-[Tt]ype: *\\([ -~]*\\).*/\\1/p' "$replies/$1.head" | sed -n '$p' | sed 's/ *$//'
}`;
