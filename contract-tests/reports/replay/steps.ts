import { dataOf, type Exchange, pathSegment } from '../../exchange/exchange.ts';
import { operationOf } from '../../exchange/operations.ts';
import type { Check } from '../../facts/check.ts';
import type { Failure } from '../../facts/failure.ts';
import type { Run } from '../../runner/run.ts';

/** The requests that lead to a wrong response; the last one gets it. */
export type Steps = {
  readonly exchanges: readonly Exchange[];
  /** Whether the same requests did not always get the wrong response. */
  readonly sporadic: boolean;
};

/** The id of the lead that a request added, even if the run expected a refusal. */
export const addedId = (exchange: Exchange): string | undefined => {
  if (exchange.operation !== 'addLead') return undefined;
  const { lead_id: id } = dataOf(exchange);
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined;
};

/** Whether the path of a request contains the id of a lead. */
const isAbout = ({ path }: Exchange, id: string): boolean =>
  ['', '/'].some((slash) => path.endsWith(`/${pathSegment(id)}${slash}`));

/** The addition that a request depends on: the last earlier one with the id in its path, else with a similar id. */
export const additionFor = (exchange: Exchange, earlier: readonly Exchange[]): Exchange | undefined => {
  const additions = earlier.filter(({ sentAt }) => sentAt < exchange.sentAt);
  const last = (names: (id: string) => boolean): Exchange | undefined =>
    additions.findLast((addition) => {
      const id = addedId(addition);
      return id !== undefined && names(id);
    });
  return (
    last((id) => isAbout(exchange, id)) ??
    last((id) => exchange.path.includes(`/${pathSegment(id)}${madeUpSuffix}`)) ??
    last((id) => isCutFrom(exchange, id))
  );
};

/** Whether a check derived the id of a request from a long one: without its last character, or with a wildcard in its place. */
const isCutFrom = ({ path }: Exchange, id: string): boolean =>
  id.length > shortestCut &&
  ['', '_'].some((wildcard) => path.endsWith(`/${pathSegment(id.slice(0, -1))}${wildcard}`));

/** Shorter ids are not cut, because the rest could be another id. */
const shortestCut = 9;

/** The text after a real id in the invented ids of a check, which only begin with a real one. */
const madeUpSuffix = '-contract-test-';

/** Maximum number of requests in a replay; if there are more, the last ones. */
const mostSteps = 60;

/** The requests that lead to a finding, in the order in which they were sent, including the additions of their leads. */
export const stepsOf = (check: Check, failure: Failure, { exchanges }: Pick<Run, 'exchanges'>): Steps => {
  const inOrder = [...exchanges].sort((left, right) => left.sentAt - right.sentAt);
  const shown = failure.exchange;
  // A finding about the traffic of other clients shows a copy, with what may be shown.
  const evidence = shown
    ? (inOrder.find(({ sentAt }) => sentAt === shown.sentAt) ?? shown)
    : inOrder.findLast((exchange) => exchange.check === check.id);
  if (!evidence) return { exchanges: [], sporadic: false };
  const before = inOrder.slice(0, inOrder.indexOf(evidence));
  const others = inOrder.filter((exchange) => exchange !== evidence && exchange.sentAt < evidence.receivedAt);
  const related = new Set([
    ...withGoodKey(evidence, before),
    ...relatedTo(evidence, before),
    ...sourcesOf(evidence, others),
    ...(failure.causes ?? []),
  ]);
  const steps = others.filter((exchange) => related.has(exchange));
  const chosen = upToEvidence(steps, evidence).slice(-mostSteps);
  const additions = chosen.flatMap((exchange) => additionFor(exchange, before) ?? []);
  const missing = [...new Set(additions)].filter((addition) => !chosen.includes(addition));
  const isRace = chosen.some((exchange, index) => exchange.sentAt < (chosen[index - 1]?.receivedAt ?? 0));
  const sporadic = isRace || failure.sporadic === true || failure.seen !== undefined;
  return { exchanges: [...missing, ...chosen], sporadic };
};

/** Milliseconds. A repeat after a longer time may show that something takes time. */
const quickRepeat = 1500;

/** The steps up to the wrong response. If several quick attempts got the same response, the first one is enough. */
const upToEvidence = (steps: readonly Exchange[], evidence: Exchange): readonly Exchange[] => {
  const isRepeat = ({ method, path, body, status, text, credentials, sentAt }: Exchange): boolean =>
    evidence.sentAt - sentAt < quickRepeat &&
    status === evidence.status &&
    text === evidence.text &&
    [method, path, body, credentials].join() ===
      [evidence.method, evidence.path, evidence.body, evidence.credentials].join();
  const before = steps.findLastIndex((step) => !isRepeat(step)) + 1;
  return [...steps.slice(0, before), steps[before] ?? evidence];
};

/** Whether a request may have changed a lead, for findings of the clean-up: any write of the run. */
const isWrite = ({ operation, outcome }: Exchange): boolean =>
  operationOf(operation).needs === 'writes' && (outcome === 'success' || outcome === 'broken');

/** The earlier requests about the same lead. */
const relatedTo = (evidence: Exchange, before: readonly Exchange[]): Exchange[] => {
  const addition = additionFor(evidence, before);
  const id = addition && addedId(addition);
  return before.filter(
    (exchange) => id !== undefined && isAbout(exchange, id) && exchange.sentAt > (addition?.sentAt ?? 0),
  );
};

/** Requests that sent a text which appears in the response, although the request of that response does not contain it. */
const sourcesOf = (evidence: Exchange, before: readonly Exchange[]): Exchange[] => {
  const own = evidence.body ?? '';
  const texts = Object.values(dataOf(evidence)).filter(
    (value): value is string => typeof value === 'string' && value.length >= 8 && !own.includes(quote(value)),
  );
  const sources = texts.flatMap((text) => before.findLast(({ body }) => body?.includes(quote(text))) ?? []);
  return sources.flatMap((source) => {
    const id = addedId(source);
    const update = before.findLast((later) => id !== undefined && isAbout(later, id) && isWrite(later));
    return update ? [source, update] : [source];
  });
};

const quote = (text: string): string => JSON.stringify(text);

/**
 * A successful request with the valid key before a wrong key was accepted: it may be the cause, for example through a cache.
 */
const withGoodKey = (evidence: Exchange, before: readonly Exchange[]): Exchange[] => {
  if (evidence.credentials === 'key') return [];
  const good = before.findLast(
    ({ operation, credentials, outcome }) =>
      operation === evidence.operation && credentials === 'key' && outcome === 'success',
  );
  return good ? [good] : [];
};
