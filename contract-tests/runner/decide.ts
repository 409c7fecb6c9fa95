import type { OperationId } from '../../mock/contract/operation-id.ts';
import { checks as allChecks } from '../checks/index.ts';
import { type Exchange, isRefusal, isSuccess } from '../exchange/exchange.ts';
import { divide } from '../exchange/lists.ts';
import { concernsOneLead, operationOf } from '../exchange/operations.ts';
import { isAbsent } from '../exchange/responses.ts';
import { type Check, isReplyCheck, isSuccessCheck } from '../facts/check.ts';
import type { Failure, Result } from '../facts/fact.ts';
import type { Judgement } from '../judge/judge.ts';
import { untestedTexts } from '../judge/untested-texts.ts';
import { outageMs } from '../session/health.ts';
import type { Shared } from '../session/shared.ts';
import type { Obstacle, ScenarioResult } from './scenario-runner.ts';
import { failed, seenOnce, type Verdict } from './verdict.ts';

/** Whether a response belongs to its operation. Responses at a path form that does not exist, or of an absent operation, do not. */
const isOfOperation = ({ can, pathForms }: Shared, { operation, path, status }: Exchange): boolean => {
  if (!can(operation) && isAbsent({ status })) return false;
  const paths = can(operation) ? pathForms(operation) : operationOf(operation).paths;
  // Responses at other paths, such as a list of leads or a path with a slash at its end, do not belong to the operation.
  return concernsOneLead(operation) ? !path.endsWith('/') : paths.includes(path);
};

/** The checks that only a response of the operation itself decides: not one at an absent path form, or at the path of a list. */
const ofOperation = new Set(allChecks.filter(isReplyCheck).map(({ id }) => id));

/** What an exchange shows, without what only a response of its operation can show if it is none. */
export const resultsOf = (shared: Shared, { exchange, results }: Judgement): readonly Result[] =>
  isOfOperation(shared, exchange) ? results : results.filter(({ check }) => !ofOperation.has(check));

/** What the exchanges of a run show of a check. */
type Shown = {
  isEvaluated: boolean;
  /** Why something in front of the service kept it from being tested. */
  undecided?: string;
  /** What exchanges outside of scenarios break: of discovery, of control requests, of the clean-up. */
  readonly outside: Failure[];
  /** The refusals that break it. */
  readonly refusals: Failure[];
};

const shownBy = (shared: Shared, results: readonly ScenarioResult[]): ReadonlyMap<string, Shown> => {
  const { history, lag, health } = shared;
  const scenarioIds = new Set(results.map(({ scenario }) => scenario.id));
  const shown = new Map<string, Shown>();
  for (const [at, judgement] of history.judged.entries()) {
    const { exchange } = judgement;
    // Before the lag was measured, a late response looked like a wrong one.
    const isTooEarly = history.model.dialect.lagMs > 0 && at < lag.knownFrom;
    for (const { check, broken, undecided } of resultsOf(shared, judgement)) {
      const own = shown.get(check) ?? { isEvaluated: false, outside: [], refusals: [] };
      shown.set(check, own);
      if (undecided === undefined) own.isEvaluated ||= !health.isDoubtful(exchange);
      else if (!health.isDoubtful(exchange)) own.undecided = undecided;
      if (!broken || isTooEarly) continue;
      if (!scenarioIds.has(exchange.scenario)) own.outside.push(broken);
      if (broken.isRefused && isRefusal(exchange)) own.refusals.push(broken);
    }
  }
  return shown;
};

/**
 * A refusal that came again later, after a success: neither is an outage, because that success and a later one show that the
 * operation was there.
 */
const refusalThatCameAgain = (
  { history, health }: Shared,
  refusals: readonly Failure[],
): Failure | undefined => {
  const own = refusals.filter(({ exchange }) => exchange && !health.isUnconfirmed(exchange));
  const span = (own.at(-1)?.exchange?.sentAt ?? 0) - (own[0]?.exchange?.receivedAt ?? 0);
  if (span < outageMs) return undefined;
  const again = own.find(({ exchange: later }, index) => {
    const { exchange: earlier } = own[index - 1] ?? {};
    if (!earlier || !later) return false;
    return history.judged.some(
      ({ exchange: { operation, outcome, intent, sentAt, receivedAt } }) =>
        operation === later.operation &&
        intent === 'complete' &&
        outcome === 'success' &&
        sentAt > earlier.receivedAt &&
        receivedAt < later.sentAt,
    );
  });
  return again && { ...again, sporadic: true, seen: `${own.length} times, with successes between` };
};

/** Why an operation was not tested. @param intro begins the reason of a failure */
export const obstacleOf = (
  id: OperationId,
  { discovery, obstacleTo }: Shared,
  intro = 'the operation could not be tested',
): Obstacle => {
  const { inconclusive, skipped } = discovery.get(id) ?? {};
  const { status, reason } = obstacleTo(id);
  return { status, reason: inconclusive ?? skipped ?? `${intro}: ${reason}` };
};

/** The verdicts of checks, from what the scenarios and the other requests of a run have shown. */
export const decide = (
  shared: Shared,
  checks: readonly Check[],
  results: readonly ScenarioResult[],
): readonly Verdict[] => {
  const shown = shownBy(shared, results);
  const { health, discovery, can } = shared;
  const untested = untestedTexts(shared.history.judged);
  const isDoubtful = ({ exchange }: Failure): boolean =>
    exchange !== undefined && health.isDoubtful(exchange);
  /** Whether it shows in an operation that failed from the beginning to the end. */
  const isLasting = ({ exchange }: Failure): boolean =>
    exchange !== undefined &&
    !can(exchange.operation) &&
    discovery.get(exchange.operation)?.failure !== undefined;

  /**
   * What is confirmed, or seen in two successes, which confirm each other. An error response may have a reason that has passed: it
   * counts if it came again when its scenario was run again, or after a success.
   */
  const findFailure = (
    check: Check,
    found: ScenarioResult['findings'],
    others: readonly Failure[],
    refusals: readonly Failure[],
  ): Failure | undefined => {
    const { failure } = (isSuccessCheck(check) && discovery.get(check.operation)) || {};
    const { exchange } = failure ?? {};
    // What discovery saw once may have passed: the operation was tested all the same.
    const hasPassed = can(check.operation) && exchange !== undefined && health.hasSucceededSince(exchange);
    if (failure && !hasPassed && !isDoubtful(failure)) return failure;
    const confirmed = found.find(({ isConfirmed }) => isConfirmed);
    if (confirmed) {
      const { times, of } = confirmed.seen;
      return { ...confirmed.failure, ...(times === of ? {} : { seen: `${times} of ${of} times` }) };
    }
    const own = found.map((finding) => finding.failure);
    const proof = others.find((other) => other.isProven || isLasting(other));
    if (proof) return proof;
    const [shown, ...more] = [...own, ...others].filter(({ exchange }) => exchange && isSuccess(exchange));
    return more.length > 0 ? shown : refusalThatCameAgain(shared, refusals);
  };

  /** Whether a request like that of a failure succeeded later. */
  const isSentAgain = ({ exchange }: Failure): boolean =>
    exchange === undefined ||
    shared.client.exchanges.some(
      ({ operation, path, outcome, sentAt }) =>
        operation === exchange.operation &&
        (concernsOneLead(operation) || path === exchange.path) &&
        outcome === 'success' &&
        sentAt > exchange.receivedAt,
    );

  return checks.map((check): Verdict => {
    const found = results.flatMap(({ findings }) =>
      findings.filter(({ check: id, failure }) => id === check.id && !isDoubtful(failure)),
    );
    const { isEvaluated = false, undecided, outside = [], refusals = [] } = shown.get(check.id) ?? {};
    const [doubtful, others] = divide(outside, isDoubtful);
    const failure = findFailure(check, found, others, refusals);
    if (failure) return failed(check, failure);
    const unconfirmed = found.find(({ unconfirmedBecause }) => unconfirmedBecause !== undefined);
    if (unconfirmed)
      return {
        check,
        status: 'inconclusive',
        reason: `seen once, and its requests could not be sent again, because ${unconfirmed.unconfirmedBecause}: ${unconfirmed.failure.actual}`,
      };
    const [first = others.find(isSentAgain)] = found.map((finding) => finding.failure);
    if (first) return seenOnce(check, first);
    const [alone] = others;
    if (alone)
      return {
        check,
        status: 'inconclusive',
        reason: `an outage may be the reason, because no such request succeeded later: ${alone.actual}`,
      };
    // Some checks are about the responses of all operations.
    if (!can(check.operation) && check.scope !== 'every')
      return { check, ...obstacleOf(check.operation, shared) };
    const trouble = check.scope === 'every' ? health.troubles()[0] : health.endOf(check.operation);
    if (doubtful.length > 0 && trouble !== undefined)
      return { check, status: 'inconclusive', reason: trouble };
    const obstacles = results.flatMap(({ scenario, obstacle }) =>
      obstacle && scenario.decides.includes(check.id) ? [obstacle] : [],
    );
    const obstacle =
      obstacles.find(({ status }) => status === 'error') ??
      obstacles.find(({ status }) => status === 'inconclusive') ??
      (isEvaluated ? undefined : obstacles[0]);
    if (obstacle) return { check, ...obstacle };
    if (undecided !== undefined) return { check, status: 'inconclusive', reason: undecided };
    const reason = untested.get(check.id);
    if (isEvaluated) return { check, status: 'pass', ...(reason === undefined ? {} : { reason }) };
    if (trouble !== undefined) return { check, status: 'inconclusive', reason: trouble };
    const { missing = 'no response of this kind was seen' } = check;
    return { check, status: 'skipped', reason: reason ?? missing };
  });
};
