import { type Exchange, pathSegment } from '../../exchange/exchange.ts';
import { idOf, madeUpMark } from '../../exchange/leads.ts';
import type { Failure } from '../../facts/fact.ts';
import type { Run } from '../../runner/run.ts';

/** The requests that lead to a wrong response; the last one gets it. */
export type Steps = {
  readonly exchanges: readonly Exchange[];
  /** Whether the same requests did not always get the wrong response. */
  readonly sporadic: boolean;
};

/** The id of the lead that a request added, even if the run expected a refusal. */
export const addedId = (exchange: Exchange): string | undefined =>
  exchange.operation === 'addLead' ? idOf(exchange) || undefined : undefined;

/** Whether the path of a request contains the id of a lead. */
const isAbout = ({ path }: Exchange, id: string): boolean =>
  ['', '/'].some((slash) => path.endsWith(`/${pathSegment(id)}${slash}`));

/** Shorter ids are not cut, because the rest could be another id. */
const shortestCut = 9;

/** Whether a check derived the id of a request from a long one: without its last character, or with a wildcard in its place. */
const isCutFrom = ({ path }: Exchange, id: string): boolean =>
  id.length > shortestCut &&
  ['', '_'].some((wildcard) => path.endsWith(`/${pathSegment(id.slice(0, -1))}${wildcard}`));

/** The addition that a request depends on: the last earlier one with the id in its path, else with a similar id. */
export const additionFor = (exchange: Exchange, earlier: readonly Exchange[]): Exchange | undefined => {
  const lastWith = (isMeant: (id: string) => boolean): Exchange | undefined =>
    earlier.findLast((addition) => {
      const id = addition.sentAt < exchange.sentAt ? addedId(addition) : undefined;
      return id !== undefined && isMeant(id);
    });
  return (
    lastWith((id) => isAbout(exchange, id)) ??
    lastWith((id) => exchange.path.includes(`/${pathSegment(id)}-${madeUpMark}`)) ??
    lastWith((id) => isCutFrom(exchange, id))
  );
};

/** Maximum number of requests in a replay; if there are more, the last ones. */
const mostSteps = 60;

/**
 * The requests that lead to a finding, in the order in which they were sent: those of its scenario, or without a scenario those
 * about the same lead; and the additions of their leads.
 */
export const stepsOf = (
  { exchange: evidence, causes, sporadic, seen }: Failure,
  { exchanges }: Pick<Run, 'exchanges'>,
): Steps => {
  if (!evidence) return { exchanges: [], sporadic: false };
  const others = exchanges
    .filter((exchange) => exchange !== evidence && exchange.sentAt < evidence.receivedAt)
    .sort((left, right) => left.sentAt - right.sentAt);
  const before = others.filter(({ sentAt }) => sentAt < evidence.sentAt);
  const related = new Set([...withGoodKey(evidence, before), ...(causes ?? relatedTo(evidence, before))]);
  const chosen = [...others.filter((exchange) => related.has(exchange)), evidence].slice(-mostSteps);
  const additions = chosen.flatMap((exchange) => additionFor(exchange, others) ?? []);
  const missing = [...new Set(additions)].filter((addition) => !chosen.includes(addition));
  const isRace = chosen.some((exchange, index) => exchange.sentAt < (chosen[index - 1]?.receivedAt ?? 0));
  const isSporadic = isRace || sporadic === true || seen !== undefined;
  return { exchanges: [...missing, ...chosen], sporadic: isSporadic };
};

/** The earlier requests about the same lead. */
const relatedTo = (evidence: Exchange, before: readonly Exchange[]): readonly Exchange[] => {
  const addition = additionFor(evidence, before);
  const id = addition && addedId(addition);
  if (addition === undefined || id === undefined) return [];
  return before.filter((exchange) => isAbout(exchange, id) && exchange.sentAt > addition.sentAt);
};

/** A success with the valid key before a wrong key was accepted: it may be the cause, for example through a cache. */
const withGoodKey = (evidence: Exchange, before: readonly Exchange[]): readonly Exchange[] => {
  if (evidence.credentials === 'key') return [];
  const good = before.findLast(
    ({ operation, credentials, outcome }) =>
      operation === evidence.operation && credentials === 'key' && outcome === 'success',
  );
  return good === undefined ? [] : [good];
};
