import { describeRefusal, isSuccess } from '../client/exchange.ts';
import { divide } from '../judge/judge.ts';
import { untestedTexts } from '../judge/untested-texts.ts';
import type { FactCheck } from '../session/check.ts';
import type { Discovery, Failure } from '../session/outcome.ts';
import type { Shared } from '../session/shared.ts';
import type { ScenarioResult } from './scenario-runner.ts';
import { failed, type Verdict } from './verdict.ts';

/** What exchanges outside of scenarios show: of other checks, of discovery, of the clean-up. */
const brokenOutside = (
  { history, requirements: { lagFrom: from } }: Shared,
  results: readonly ScenarioResult[],
): ReadonlyMap<string, readonly Failure[]> => {
  const ids = new Set(results.map(({ scenario }) => scenario.id));
  const found = new Map<string, Failure[]>();
  // Before the lag was measured, a late response looked like a wrong one.
  for (const { exchange, results } of history.judged.slice(history.model.dialect.lagMs > 0 ? from : 0))
    if (!ids.has(exchange.check))
      for (const { check, broken } of results)
        if (broken) found.set(check, [...(found.get(check) ?? []), broken]);
  return found;
};

const seenText = (times: number, of: number): string => (times === of ? '' : ` (${times} of ${of} times)`);

/** The verdicts of the checks that facts decide, from what the scenarios of a run have shown. */
export const factVerdicts = (
  shared: Shared,
  checks: readonly FactCheck[],
  results: readonly ScenarioResult[],
  discovery: Discovery,
): readonly Verdict[] => {
  const outside = brokenOutside(shared, results);
  const { circuit } = shared;
  const untested = untestedTexts(shared.history.judged);
  const isSuspect = ({ exchange }: Failure): boolean => exchange !== undefined && circuit.isSuspect(exchange);
  const evaluated = new Set(
    shared.history.judged.flatMap(({ results }) => results.map(({ check }) => check)),
  );
  return checks.map((check): Verdict => {
    const findings = results.flatMap((result) =>
      result.findings.filter(({ check: id, failure }) => id === check.id && !isSuspect(failure)),
    );
    const confirmed = findings.find(({ isConfirmed }) => isConfirmed);
    const { times, of } = confirmed?.seen ?? { times: 0, of: 0 };
    if (confirmed)
      return failed(check, { ...confirmed.failure, actual: confirmed.failure.actual + seenText(times, of) });
    const [suspects, others] = divide(outside.get(check.id) ?? [], isSuspect);
    const [first = findings[0]?.failure] = others;
    // Two successes confirm each other. An error response may have a reason that has passed.
    const [shown, ...more] = [...findings.map(({ failure }) => failure), ...others].filter(
      ({ exchange }) => exchange && isSuccess(exchange),
    );
    if (shown && more.length > 0) return failed(check, shown);
    const capability = shared.capabilities.get(check.operation);
    const undecided = discovery.get(check.operation)?.inconclusive;
    if (capability?.available !== true && undecided !== undefined)
      return { check, status: 'inconclusive', reason: undecided };
    if (first)
      return {
        check,
        status: 'unstable',
        reason: `seen once, and not when its requests were sent again: ${first.actual}`,
        failure: { ...first, sporadic: true },
      };
    if (capability?.available !== true)
      return {
        check,
        status: 'skipped',
        reason:
          discovery.get(check.operation)?.skipped ??
          `the operation could not be tested: ${capability?.reason ?? 'it was not tested'}`,
      };
    const [suspect] = suspects;
    if (suspect?.exchange)
      return {
        check,
        status: 'inconclusive',
        reason: circuit.describeOutage(suspect.exchange) ?? describeRefusal(suspect.exchange),
      };
    const obstacles = results.flatMap(({ scenario, obstacle }) =>
      obstacle && scenario.decides.includes(check.id) ? [obstacle] : [],
    );
    const obstacle =
      obstacles.find(({ status }) => status === 'error') ??
      obstacles.find(({ status }) => status === 'inconclusive') ??
      (evaluated.has(check.id) ? undefined : obstacles[0]);
    if (obstacle) return { check, ...obstacle };
    const reason = untested.get(check.id);
    if (evaluated.has(check.id))
      return { check, status: 'pass', ...(reason === undefined ? {} : { reason }) };
    return {
      check,
      status: 'skipped',
      reason: reason ?? check.missing ?? 'no response of this kind was seen',
    };
  });
};
