import { printableLine } from '../../../mock/contract/printable.ts';
import { comment, type ShellCode, sh } from '../../../mock/contract/shell.ts';
import type { Address } from '../../client/gateway.ts';
import { causesMail } from '../../client/permissions.ts';
import { type Exchange, excerpt } from '../../exchange/exchange.ts';
import { plural } from '../../runner/summary.ts';
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

/** Shows the response to a step, and stops where it is none. */
const resultLines = (exchange: Exchange, number: number, exchanges: readonly Exchange[]): ShellCode[] => [
  sh`show ${number}${number === exchanges.length ? sh` '  <- the response to compare'` : []}`,
  sh`made ${number} || stop ${number}`,
  ...keepLines(exchange, number, exchanges),
];

/** The lines of the steps; concurrent requests are sent concurrently. */
const stepLines = (exchanges: readonly Exchange[]): ShellCode[] =>
  groupsOf(exchanges).flatMap((group) => {
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
      ...group.flatMap((exchange, index) => resultLines(exchange, first + index + 1, exchanges)),
    ];
  });

/** A text of a deployment, on one line of the output. */
const oneLine = (text: string): string => printableLine(excerpt(text, 500));

type Claim = { readonly id: string; readonly title: string; readonly section: string };

/** The description of the defect in the wrong response. */
export type Finding = { readonly expected: string; readonly actual: string };

const nowAndThen = ' In the run, the wrong one came only now and then: run the script again.';

/**
 * A script that reproduces a finding: it creates what it needs, repeats every step once, shows the responses, and deletes what
 * it created. It needs a POSIX shell, curl and sed; the key comes from the environment.
 */
export const replayScript = (
  { url, gateway }: Address,
  { id, title, section }: Claim,
  { expected, actual }: Finding,
  { exchanges, sporadic }: Steps,
): string | undefined => {
  if (exchanges.length === 0) return undefined;
  const mails = exchanges.filter(causesMail).length;
  return [
    comment(`${id} (§${section}): ${title}`),
    comment(`expected: ${oneLine(expected)}`),
    comment(`actual: ${oneLine(actual)}`),
    sh`# Exit codes: 0 every step was made: compare the last response with the expected one; 2 a step failed (no key, no
# connection, or no lead for the later steps).`,
    ...(mails > 0 ? [comment(`It requests ${plural(mails, 'mail')}.`)] : []),
    setUp,
    ...keyLines(exchanges),
    sh`base=${url}`,
    sh`expected=${oneLine(expected)}`,
    sh`actual=${oneLine(actual)}`,
    functionsFor(gateway),
    ...stepLines(exchanges),
    sh`finish 0 ${`every step was made: compare the last response with these.${sporadic ? nowAndThen : ''}`}`,
  ].reduce((script, { code }) => `${script}${code}\n`, '#!/bin/sh\n');
};
