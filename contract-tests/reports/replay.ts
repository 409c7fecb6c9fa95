import { escapeInvisible } from '../../mock/contract/printable.ts';
import { type Exchange, onOneLine, pathSegment, shellQuoted } from '../client/exchange.ts';
import { causesMail } from '../client/permissions.ts';
import { plural } from '../runner/summary.ts';
import { addedId, additionFor, type Steps } from './replay-steps.ts';
import { functions, keyLines, requestLine, setUp } from './shell-request.ts';
import { clip } from './text.ts';

/** A pause of the run that may matter, in seconds: a fault may show only some time later. */
const pauseBefore = (exchange: Exchange, previous: Exchange | undefined): number => {
  const gap = previous ? (exchange.sentAt - previous.receivedAt) / 1000 : 0;
  return gap < 0.4 ? 0 : Math.min(10, Math.round(gap + 0.2));
};

const overlaps = (exchange: Exchange, previous: Exchange | undefined): boolean =>
  previous !== undefined && exchange.sentAt < previous.receivedAt;

/** The path of a request; an id that a step before it got is the one that this run of the script got. */
const pathWord = ({ path }: Exchange, addition: Exchange | undefined, all: readonly Exchange[]): string => {
  if (!addition) return shellQuoted(path);
  const at = path.lastIndexOf('/') + 1;
  const rest = path.slice(at + pathSegment(addedId(addition) ?? '').length);
  return `"${path.slice(0, at)}$lead${all.indexOf(addition) + 1}${rest}"`;
};

/** An id in a body that a step before it got is the one that this run of the script got as well. */
const withAddedIds = (request: string, before: readonly Exchange[]): string =>
  before.reduce((text, addition, index) => {
    const id = addedId(addition);
    if (id === undefined || !text.includes("--data-raw '")) return text;
    return text.replaceAll(`"lead_id":"${id}"`, `"lead_id":"'"$lead${index + 1}"'"`);
  }, request);

/** An update that created a lead under an id that the run made up. */
const isUpsert = ({ operation, outcome, path }: Exchange): boolean =>
  operation === 'updateLead' && outcome === 'success' && /\/contract-test-[\w.~%-]*$/.test(path);

type Group = [Exchange, ...Exchange[]];

/** The steps in groups: requests that were under way at once, but for those that need what another one adds. */
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

/** Shows the response to a step, and keeps the id of the lead that it made. */
const resultLines = (exchange: Exchange, number: number, isLast: boolean): string[] => [
  `show ${number}${isLast ? " '  <- the wrong response'" : ''}`,
  ...(isUpsert(exchange) ? [`leads="$leads ${exchange.path.split('/').at(-1)}"`] : []),
  ...(addedId(exchange) === undefined
    ? []
    : [`lead${number}=$(added ${number}); leads="$leads $lead${number}"`]),
];

/** The steps as lines: requests that were under way at once are sent at once. */
const stepLines = (exchanges: readonly Exchange[]): string[] =>
  groupsOf(exchanges).flatMap((group) => {
    const first = exchanges.indexOf(group[0]);
    const pause = pauseBefore(group[0], exchanges[first - 1]);
    const background = group.length > 1 ? ' &' : '';
    const requests = group.map((exchange, index) => {
      const path = pathWord(exchange, additionFor(exchange, exchanges), exchanges);
      const request = requestLine(exchange, first + index + 1, path);
      return `${withAddedIds(request, exchanges.slice(0, first))}${background}`;
    });
    const results = group.flatMap((exchange, index) =>
      resultLines(exchange, first + index + 1, exchange === exchanges.at(-1)),
    );
    return [
      ...(pause > 0 ? [`sleep ${pause}`] : []),
      ...requests,
      ...(group.length > 1 ? ['wait'] : []),
      ...results,
    ];
  });

/** A text that came from a deployment, as a comment of the script. */
const comment = (text: string): string => `# ${clip(onOneLine(escapeInvisible(text)), 500)}`;

/** What differs between two responses to the same request, for sed and for this program. */
const varying: readonly (readonly [pattern: string, replacement: string])[] = [
  ['"[a-zA-Z_-]*[iI][dD]" *: *"[^"]*"', '"id":"ID"'],
  ['[0-9][0-9]*-[0-9][0-9]-[0-9][0-9][T ][0-9:.]*', 'TIME'],
  ['[0-9]\\{9,\\}', 'NUMBER'],
];

/** In an error response, so is any word with a digit in it: a path, the id of the request. */
const varyingInErrors: typeof varying = [...varying, ['[^ "]*[0-9][^ "]*', 'WORD']];

const varyingIn = ({ status }: Exchange): typeof varying => (status === 200 ? varying : varyingInErrors);

/** A body as one line without ids and times, or nothing where it may be about somebody or is no plain text. */
const comparable = (exchange: Exchange, isOwn: boolean): string | undefined => {
  const { text } = exchange;
  if (!isOwn || text.length > 2000 || /[^\n\r\t -~\u00a0-\u02ff]/.test(text)) return undefined;
  const plain = varyingIn(exchange).reduce(
    (body, [pattern, replacement]) =>
      body.replace(new RegExp(pattern.replaceAll('\\{', '{').replaceAll('\\}', '}'), 'g'), replacement),
    text,
  );
  return plain.replace(/\n+$/, '');
};

const comparison = (
  last: Exchange,
): string => `is_same() { # number, status, body: whether a response is the one of the run, ids and times aside
  [ "$(sed -n '1s/^HTTP[^ ]* \\([0-9]*\\).*/\\1/p' "$replies/$1")" = "$2" ] || return 1
  [ $# -lt 3 ] || [ "$(sed -e '1,/^.\\{0,1\\}$/d' ${varyingIn(last)
    .map(([pattern, replacement]) => `-e ${shellQuoted(`s/${pattern}/${replacement}/g`)}`)
    .join(' ')} "$replies/$1")" = "$3" ]
}`;

/** The condition that ends the repetition: the response of the run came again. Nothing where that cannot be decided. */
const endOfTries = ({ exchanges }: Steps, last: Exchange, isOwn: boolean): string | undefined => {
  const body = comparable(last, isOwn);
  const isTelling = last.status !== 200 || last.credentials !== 'key';
  if (body === undefined && !isTelling) return undefined;
  return `is_same ${exchanges.length} ${last.status}${body === undefined ? '' : ` ${shellQuoted(body)}`} && break`;
};

/**
 * The last request again, after some tries: where every third request is wrong, steps with three of them would never show
 * it. Never a mail.
 */
const oneMore = ({ exchanges }: Steps, last: Exchange): string[] => {
  const isCounted = exchanges.filter(({ operation }) => operation === last.operation).length > 1;
  if (causesMail(last) || !isCounted) return [];
  const number = exchanges.length + 1;
  const request = requestLine(last, number, pathWord(last, additionFor(last, exchanges), exchanges));
  const keep = last.operation === 'addLead' ? `; leads="$leads $(added ${number})"` : '';
  return [`case $try in 2|3|5|8) ${request}${keep} ;; esac`];
};

/** Mails that a script requests at most, where one try takes no more. */
const maxMails = 10;

/** Tries at most, where nothing can tell that the response of the run came again, so that all of them are made. */
const maxBlindTries = 10;

/** How often to repeat the steps at most: once, where a mistake does not come and go and its response cannot be recognised. */
const triesOf = ({ exchanges, tries, sporadic }: Steps, end: string | undefined): number => {
  const mails = exchanges.filter(causesMail).length;
  return Math.max(
    1,
    Math.min(
      tries,
      ...(end === undefined ? [sporadic ? maxBlindTries : 1] : []),
      ...(mails === 0 ? [] : [Math.floor(maxMails / mails)]),
    ),
  );
};

const loop = (
  lines: readonly string[],
  tries: number,
  end: string | undefined,
  more: readonly string[],
): string[] =>
  tries === 1
    ? [...lines]
    : [
        '# The response may depend on how often was asked: the steps are repeated until it is the one of the run.',
        'try=1',
        `while [ "$try" -le "\${TRIES:-${tries}}" ]; do`,
        'printf \'\\n==== try %s\\n\' "$try"',
        ...lines,
        ...(end === undefined ? [] : [end]),
        ...more,
        'try=$((try + 1))',
        'set -- $leads',
        '[ $# -lt 9 ] || clean',
        'done',
        ...(end === undefined
          ? []
          : [
              `[ "$try" -le "\${TRIES:-${tries}}" ] || { echo 'The wrong response did not come again. It may depend on the connection, or on other requests at the time.'; exit 1; }`,
            ]),
      ];

type Claim = { readonly id: string; readonly title: string; readonly section: string };

/**
 * A script that shows a finding again: it creates what it needs, repeats every step, shows the wrong response, and deletes
 * what it created. It needs a POSIX shell, curl and sed; the key comes from the environment.
 */
export const replayScript = (
  base: string,
  { id, title, section }: Claim,
  words: { readonly expected: string; readonly actual: string },
  steps: Steps,
  isOwn: boolean,
): string | undefined => {
  const { exchanges } = steps;
  const last = exchanges.at(-1);
  if (!last) return undefined;
  const end = endOfTries(steps, last, isOwn);
  const mails = exchanges.filter(causesMail).length;
  const tries = triesOf(steps, end);
  const lines = loop(stepLines(exchanges), tries, end, oneMore(steps, last));
  const text = lines.join('\n');
  return [
    '#!/bin/sh',
    comment(`${id} (§${section}): ${title}`),
    comment(`expected: ${words.expected}`),
    comment(`actual: ${words.actual}`),
    ...(mails > 0
      ? [`# It requests ${plural(mails, 'mail')}${tries > 1 ? ` in each of ${tries} tries at most` : ''}.`]
      : []),
    setUp,
    ...keyLines(text),
    `base=${shellQuoted(base)}`,
    functions,
    ...(end === undefined || tries === 1 ? [] : [comparison(last)]),
    '',
    text,
    '',
  ].join('\n');
};
