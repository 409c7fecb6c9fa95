import type { Address } from '../../../mock/contract/gateway.ts';
import { printableLine } from '../../../mock/contract/printable.ts';
import { comment, type ShellCode, sh } from '../../../mock/contract/shell.ts';
import { causesMail } from '../../client/permissions.ts';
import { type Exchange, excerpt } from '../../exchange/exchange.ts';
import { plural } from '../../runner/summary.ts';
import { comparison, conditionOf, type Finding } from './comparison.ts';
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
  operation === 'updateLead' && outcome === 'success' && /\/contract-test-[\w.~%-]*$/.test(path);

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

const another = sh`finish 1 'the response differs from the wrong one of the run: compare it with the expected one. If the deployment is the same, the wrong one may come only now and then: run the script again.'`;
const notComparable = sh`finish 3 'the script cannot compare the response with that of the run: compare it with the expected one.'`;
const notThisTime = sh`finish 3 'another response came, which shows nothing: in the run, the wrong one came only now and then. Run the script again.'`;

/** A text of a deployment, on one line of the output. */
const oneLine = (text: string): string => printableLine(excerpt(text, 500));

type Claim = { readonly id: string; readonly title: string; readonly section: string };

/**
 * A script that reproduces a finding: it creates what it needs, repeats every step once, shows the response, and deletes what
 * it created. It needs a POSIX shell, curl, sed and grep; the key comes from the environment.
 * @param isOwn whether the last response may be shown
 */
export const replayScript = (
  { url, gateway }: Address,
  { id, title, section }: Claim,
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
