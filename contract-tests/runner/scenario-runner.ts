import type { OperationId } from '../../mock/contract/operation-id.ts';
import { describeFault } from '../../mock/contract/printable.ts';
import { describeRefusal, isSuccess } from '../client/exchange.ts';
import type { Judgement } from '../judge/judge.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { createTools, type Reading } from '../scenarios/tools.ts';
import type { Failure } from '../session/outcome.ts';
import { sessionFor } from '../session/session.ts';
import type { Shared } from '../session/shared.ts';
import { resultsOf } from './decide.ts';
import { measureLag } from './lag.ts';
import type { Turns } from './lanes.ts';
import { classifyError, isInterruption } from './verdict.ts';

/** What all scenarios of a run share. */
type Common = {
  readonly reading: Reading;
  /**
   * Tries a valid request to an operation. Not the function that `Health` has, whose own control requests may wait for the one
   * that is tried here.
   */
  readonly succeeds: (operation: OperationId) => Promise<boolean>;
  /** The checks that are confirmed to be broken: no scenario is run again for them. */
  readonly confirmed: Set<string>;
  readonly turns: Turns;
};

/** What one run of a scenario found, by check. */
type Attempt = {
  readonly found: ReadonlyMap<string, Failure>;
  readonly obstacle?: Obstacle;
};

/** `counts`: what it found is not due to a scenario that ran at the same time. */
type CountedAttempt = Attempt & { readonly counts: boolean };

/** Why a scenario could not be run to its end. */
type Obstacle = { readonly status: 'skipped' | 'inconclusive' | 'error'; readonly reason: string };

/** What a scenario shows of one check. */
export type Finding = {
  readonly check: string;
  readonly failure: Failure;
  readonly isConfirmed: boolean;
  /** In how many runs of the scenario it was seen, of how many; those beside other scenarios do not count. */
  readonly seen: { readonly times: number; readonly of: number };
  /** Why the scenario could not be run again to its end, if that left the finding unconfirmed. */
  readonly unconfirmedBecause?: string;
};

export type ScenarioResult = {
  readonly scenario: Scenario;
  readonly findings: readonly Finding[];
  readonly obstacle?: Obstacle;
};

const attempt = async (shared: Shared, scenario: Scenario, reading: Reading): Promise<Attempt> => {
  const { judged, judge, model } = shared.history;
  const session = sessionFor(shared, scenario.id);
  const tools = createTools(session, model, reading, shared.isThorough);
  const first = judged.length;
  let obstacle: Obstacle | undefined;
  try {
    await scenario.run(tools);
    await tools.remove(...tools.living());
  } catch (error) {
    if (isInterruption(error)) throw error;
    obstacle = classifyError(error) ?? { status: 'error', reason: describeFault(error) };
  }
  await session.discardLeads();
  await judge.settled();
  const own = judged.slice(first).filter(({ exchange }) => exchange.check === scenario.id);
  return { found: brokenIn(shared, own), ...(obstacle === undefined ? {} : { obstacle }) };
};

/** The first broken response for each check. A replay sends the requests of the attempt up to it. */
const brokenIn = (shared: Shared, judged: readonly Judgement[]): ReadonlyMap<string, Failure> => {
  const found = new Map<string, Failure>();
  for (const { check, broken } of judged.flatMap((judgement) => resultsOf(shared, judgement))) {
    if (!broken || found.has(check)) continue;
    const { exchange: evidence } = broken;
    const exchanges = judged.map(({ exchange }) => exchange);
    const causes = exchanges.filter(({ sentAt }) => evidence !== undefined && sentAt < evidence.sentAt);
    found.set(check, { ...broken, causes });
  }
  return found;
};

/**
 * Sends a valid request to each operation that refused one. Where it fails as well, the deployment no longer responds as at the
 * start of the run, and the refusals show nothing.
 */
const tryControls = async (
  { succeeds }: Common,
  failures: readonly Failure[],
): Promise<Obstacle | undefined> => {
  const refusals = failures.flatMap(({ exchange }) => (exchange && !isSuccess(exchange) ? [exchange] : []));
  for (const refusal of new Map(refusals.map((exchange) => [exchange.operation, exchange])).values())
    if (!(await succeeds(refusal.operation)))
      return {
        status: 'inconclusive',
        reason: `${refusal.operation} no longer succeeds as at the start of the run: ${describeRefusal(refusal)}`,
      };
  return undefined;
};

/** A check that is broken in one of three attempts may be an outage of a moment. */
const mostAttempts = 3;

/**
 * What a finding shows, whichever check it belongs to: the request that came before may be another one each time, where several
 * scenarios run at the same time.
 */
const effectOf = ([check, { effect, exchange }]: readonly [string, Failure]): string =>
  effect === 'refused' ? `${exchange?.operation} refused` : (effect ?? check);

/** The attempts that found an effect, in order. */
const attemptsWith = (attempts: readonly Attempt[], effect: string): readonly Attempt[] =>
  attempts.filter(({ found }) => [...found].some((finding) => effectOf(finding) === effect));

const effectsIn = (attempts: readonly Attempt[]): ReadonlySet<string> =>
  new Set(attempts.flatMap(({ found }) => [...found].map(effectOf)));

/** Whether two attempts found the same effect. */
const areConfirmed = (attempts: readonly Attempt[]): boolean =>
  [...effectsIn(attempts)].some((effect) => attemptsWith(attempts, effect).length > 1);

/**
 * What the attempts show of an effect: what the last one of them found that found it. What only an attempt beside other scenarios
 * shows, may be due to their requests.
 */
const findingsOf = (attempts: readonly CountedAttempt[], effect: string): readonly Finding[] => {
  const counted = attempts.filter(({ counts }) => counts);
  const all = attemptsWith(counted, effect);
  const seen = { times: all.length, of: counted.length };
  const { found = [] } = all.at(-1) ?? attemptsWith(attempts, effect).at(-1) ?? {};
  const obstacle = counted.at(-1)?.obstacle;
  return [...found].flatMap(([check, failure]) => {
    if (effectOf([check, failure]) !== effect) return [];
    const isConfirmed = all.length > 1 || failure.isRepeated === true;
    const reason = isConfirmed || !obstacle ? {} : { unconfirmedBecause: obstacle.reason };
    return [{ check, failure, isConfirmed, seen, ...reason }];
  });
};

/**
 * Runs a scenario beside others, and runs it again as often as it takes to confirm what it showed: alone, because what it showed
 * may be due to the requests of another one. If changes show late, no scenario runs alone: each takes as long as they do.
 */
export const runScenario = async (
  shared: Shared,
  scenario: Scenario,
  common: Common,
): Promise<ScenarioResult> => {
  const { dialect } = shared.history.model;
  const { together, alone } = common.turns;
  const run = (): Promise<Attempt> => attempt(shared, scenario, common.reading);
  const runAlone = async (): Promise<CountedAttempt> => ({ ...(await alone(run)), counts: true });
  const runBeside = async (): Promise<CountedAttempt> => {
    const { result, wasAlone } = await together(run);
    return { ...result, counts: wasAlone || dialect.lagMs > 0 };
  };
  const runFirst = scenario.isAlone ? runAlone : runBeside;
  let attempts = [await runFirst()];
  const failures = (): readonly Failure[] =>
    attempts.flatMap(({ found }) =>
      [...found].flatMap(([check, failure]) =>
        failure.isRepeated || common.confirmed.has(check) ? [] : [failure],
      ),
    );
  const counted = (): readonly Attempt[] => attempts.filter(({ counts }) => counts);
  const isDisturbed = failures().length > 0 || attempts[0]?.obstacle?.status === 'inconclusive';
  if (isDisturbed && (await measureLag(shared))) attempts = [await runFirst()];
  while (failures().length > 0 && counted().length < mostAttempts && !areConfirmed(counted())) {
    const obstacle = await tryControls(common, failures());
    if (obstacle) return { scenario, findings: [], obstacle };
    attempts.push(await (dialect.lagMs > 0 ? runFirst() : runAlone()));
    if (attempts.at(-1)?.obstacle) break;
  }
  const findings = [...effectsIn(attempts)].flatMap((effect) => findingsOf(attempts, effect));
  for (const { check, isConfirmed } of findings) if (isConfirmed) common.confirmed.add(check);
  const { obstacle } = attempts.at(-1) ?? {};
  return { scenario, findings, ...(obstacle === undefined ? {} : { obstacle }) };
};
