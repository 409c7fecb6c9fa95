import type { OperationId } from '../../mock/contract/operation-id.ts';
import { describeFault } from '../../mock/contract/printable.ts';
import { NotPermitted, RequestFailed } from '../client/errors.ts';
import { type Exchange, isSuccess } from '../exchange/exchange.ts';
import { concernsOneLead } from '../exchange/operations.ts';
import { isTrouble } from '../exchange/origin.ts';
import type { Failure } from '../facts/fact.ts';
import type { Judgement } from '../judge/judge.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { createTools, type Reading } from '../scenarios/tools.ts';
import { isUnexplained, outageMs } from '../session/health.ts';
import { classifyError, falseIfUndecided, isInterruption } from '../session/outcome.ts';
import { type Session, sessionFor } from '../session/session.ts';
import type { Shared } from '../session/shared.ts';
import { confirmAlive } from './control-requests.ts';
import { resultsOf } from './decide.ts';
import { gatewayPauseMs } from './demands.ts';
import { endExtension, extendLag, measureLag, noteLag, visibleAfter } from './lag.ts';

/** What all scenarios of a run share. */
export type Common = {
  readonly reading: Reading;
  /** The checks that are confirmed to be broken: no scenario is run again for them. */
  readonly confirmed: Set<string>;
};

/** What one run of a scenario found, by check. */
type Attempt = {
  readonly found: ReadonlyMap<string, Failure>;
  readonly obstacle?: Obstacle | undefined;
  /** Whether a request got no response of the service, while control requests get one: the scenario may reach its end the next time. */
  readonly isLost?: boolean;
  /** Whether it ended at a finding, which is no obstacle to another run. */
  readonly endedAtFinding?: boolean;
  /** The milliseconds after which its leads became visible, if they were not at once; measured where something is wrong. */
  readonly visibleMs: number;
};

/** Why a scenario could not be run to its end. */
export type Obstacle = { readonly status: 'skipped' | 'inconclusive' | 'error'; readonly reason: string };

/** What a scenario shows of one check. */
export type Finding = {
  readonly check: string;
  readonly failure: Failure;
  readonly isConfirmed: boolean;
  /** In how many runs of the scenario it was seen, of how many. */
  readonly seen: { readonly times: number; readonly of: number };
  /** Why the scenario could not be run again to its end, if that left the finding unconfirmed. */
  readonly unconfirmedBecause: string | undefined;
};

export type ScenarioResult = {
  readonly scenario: Scenario;
  readonly findings: readonly Finding[];
  readonly obstacle: Obstacle | undefined;
  /** Whether a request got no response of the service, in each of its runs. */
  readonly isLost?: boolean | undefined;
};

/** Whether a finding is that a request did not succeed, which an outage of some seconds may be the reason for. */
const isRefusalFinding = ({ failure: { exchange, isProven } }: Finding): boolean =>
  exchange !== undefined && !isSuccess(exchange) && isProven !== true;

/** The checks of such findings. */
export const refusalsIn = ({ findings }: ScenarioResult): Set<string> =>
  new Set(findings.filter(isRefusalFinding).map(({ check }) => check));

/** The message says why the rest of the scenario was not tested. */
class EndedAtFinding extends Error {}

/**
 * A session that ends its scenario at the first broken response: the requests after it may cost the mails that the scenario needs to
 * run again.
 */
const endAtFinding = (session: Session, find: () => ReadonlyMap<string, Failure>): Session => ({
  ...session,
  send: async (...request) => {
    const exchange = await session.send(...request);
    const [check] = [...find()].find(([, { isProven }]) => !isProven) ?? [];
    if (check !== undefined) throw new EndedAtFinding(`its scenario ended at the finding of ${check}`);
    return exchange;
  },
});

/**
 * What the user does not permit is skipped. It is undecided where a refusal is left unexplained, or where the run itself has used its
 * mails, for the confirmation of findings.
 */
const obstacleFor = ({ client }: Shared, error: unknown, own: readonly Judgement[]): Obstacle => {
  if (error instanceof EndedAtFinding) return { status: 'skipped', reason: error.message };
  const obstacle = classifyError(error) ?? { status: 'error', reason: describeFault(error) };
  const wasRefused = own.some(
    ({ exchange: { intent, outcome } }) => intent !== 'probe' && outcome === 'refusal',
  );
  const isOpen = error instanceof NotPermitted && (wasRefused || client.hasLentLastMail());
  return isOpen ? { ...obstacle, status: 'inconclusive' } : obstacle;
};

const attempt = async (
  shared: Shared,
  scenario: Scenario,
  { reading, confirmed }: Common,
): Promise<Attempt> => {
  const { judged } = shared.history;
  const first = judged.length;
  const judgedSince = (): readonly Judgement[] =>
    judged.slice(first).filter(({ exchange }) => exchange.scenario === scenario.id);
  const ownSession = sessionFor(shared, scenario.id);
  const session =
    scenario.needs === 'mail' && !shared.isThorough
      ? endAtFinding(ownSession, () => brokenIn(shared, judgedSince(), confirmed))
      : ownSession;
  const learnt = { ...reading };
  const tools = createTools(session, learnt);
  let thrown: unknown;
  try {
    await scenario.run(tools);
    await tools.remove(...tools.living());
  } catch (error) {
    if (isInterruption(error)) throw error;
    thrown = error;
    await shared.client.idle(); // other requests of the scenario may still add leads
  }
  const shown = judgedSince();
  const isWrong = thrown !== undefined || brokenIn(shared, shown, confirmed).size > 0;
  // Another attempt tries the same.
  if (!isWrong) Object.assign(reading, learnt);
  const visibleMs = isWrong ? Number(await visibleAfter(shared, shown).catch(falseIfUndecided)) : 0;
  await session.discardLeads();
  const own = judgedSince();
  const obstacle = thrown === undefined ? undefined : obstacleFor(shared, thrown, own);
  const found = brokenIn(shared, own, confirmed);
  const hasGateway = own.some(
    ({ exchange: { outcome, credentials } }) => outcome === 'gateway' && credentials === 'key',
  );
  const isLost = thrown instanceof RequestFailed || (obstacle?.status === 'inconclusive' && hasGateway);
  const end = await confirmAlive(shared, suspects(shared, own, found, isLost));
  if (end === undefined)
    return { found, isLost, obstacle, endedAtFinding: thrown instanceof EndedAtFinding, visibleMs };
  const inSuccesses = [...found].filter(([, { exchange }]) => exchange && isSuccess(exchange));
  return { found: new Map(inSuccesses), obstacle: { status: 'inconclusive', reason: end }, visibleMs };
};

/**
 * The operations that may have ended: those that refused a request which succeeded before, or that broke a claim with a refusal,
 * and that have not succeeded since. A request without a response says nothing about its operation.
 */
const suspects = (
  { health }: Shared,
  judged: readonly Judgement[],
  found: ReadonlyMap<string, Failure>,
  isLost: boolean,
): readonly OperationId[] => {
  const refused = [
    ...judged.flatMap(({ exchange }) => (isUnexplained(exchange) ? [exchange] : [])),
    ...[...found.values()].flatMap(({ exchange }) => (exchange && !isSuccess(exchange) ? [exchange] : [])),
  ];
  const ended = refused.filter(health.isUnconfirmed).map(({ operation }) => operation);
  return [...ended, ...(isLost ? (['listTemplates'] as const) : [])];
};

/**
 * The first broken response for each check that is not confirmed to be broken. A replay sends the requests of the attempt up to it.
 */
const brokenIn = (
  shared: Shared,
  judged: readonly Judgement[],
  confirmed: ReadonlySet<string>,
): ReadonlyMap<string, Failure> => {
  const found = new Map<string, Failure>();
  for (const { check, broken } of judged.flatMap((judgement) => resultsOf(shared, judgement))) {
    if (!broken || found.has(check) || confirmed.has(check)) continue;
    const { exchange: evidence } = broken;
    const exchanges = judged.map(({ exchange }) => exchange);
    const causes = exchanges.filter(({ sentAt }) => evidence !== undefined && sentAt < evidence.sentAt);
    found.set(check, { ...broken, causes: [...new Set([...(broken.causes ?? []), ...causes])] });
  }
  return found;
};

/** A check that is broken in one of so many attempts may be an outage of a moment. */
const mostAttempts = 5;

/** What the attempts show of each check: two of them that found it confirm it. */
const findingsOf = (attempts: readonly Attempt[]): readonly Finding[] =>
  [...new Set(attempts.flatMap(({ found }) => [...found.keys()]))].flatMap((check) => {
    const failures = attempts.flatMap(({ found }) => found.get(check) ?? []);
    const failure = failures.at(-1);
    if (!failure) return [];
    const isConfirmed = failures.length > 1 || failure.isProven === true;
    const { obstacle, endedAtFinding } = attempts.at(-1) ?? {};
    const unconfirmedBecause = isConfirmed || endedAtFinding ? undefined : obstacle?.reason;
    const seen = { times: failures.length, of: attempts.length };
    return [{ check, failure, isConfirmed, seen, unconfirmedBecause }];
  });

/** Whether a finding is about the state of a lead, which a response may show late. */
const mayBeDelay = ({ failure: { exchange } }: Finding): boolean =>
  exchange !== undefined && concernsOneLead(exchange.operation) && exchange.status < 500;

/** One more attempt, which may cause the mail that is kept for wrong keys. */
const attemptAgain = (shared: Shared, scenario: Scenario, common: Common): Promise<Attempt> => {
  const run = (): Promise<Attempt> => attempt(shared, scenario, common);
  return scenario.needs === 'mail' ? shared.client.lendLastMail(run) : run();
};

/** Runs a scenario, and runs it again as often as it takes to confirm what it showed. */
export const runScenario = async (
  shared: Shared,
  scenario: Scenario,
  common: Common,
): Promise<ScenarioResult> => {
  const { dialect } = shared.history.model;
  let knownMs = dialect.lagMs;
  let last = await attempt(shared, scenario, common);
  const isOpen = ({ failure: { isProven } }: Finding): boolean => !isProven;
  const isDisturbed = findingsOf([last]).some(isOpen) || last.obstacle?.status === 'inconclusive';
  if (isDisturbed) await measureLag(shared);
  // A mail that got no response may have been sent. What loses requests again may need a moment.
  for (const pauseMs of scenario.needs === 'mail' ? [] : [0, 2 * gatewayPauseMs]) {
    if (!last.isLost || !shared.client.pause(pauseMs, last.obstacle?.reason ?? '')) break;
    last = await attempt(shared, scenario, common);
  }
  let attempts = [last];
  while (attempts.length < mostAttempts) {
    const open = findingsOf(attempts).filter(isOpen);
    noteLag(shared, last.visibleMs);
    if (dialect.lagMs === knownMs && open.some(mayBeDelay)) extendLag(shared);
    // What they show may be due to a delay that they did not know: from now on requests wait for that.
    const isLate = dialect.lagMs > knownMs && (open.length > 0 || last.obstacle !== undefined);
    if (isLate) attempts = [];
    else if (open.length === 0 || open.some(({ seen }) => seen.times > 1)) break;
    knownMs = dialect.lagMs;
    last = await attemptAgain(shared, scenario, common);
    attempts.push(last);
    if (last.obstacle && !last.endedAtFinding) break;
  }
  const findings = findingsOf(attempts);
  if (findings.filter(mayBeDelay).some(isOpen)) endExtension(shared);
  for (const { check, isConfirmed } of findings) if (isConfirmed) common.confirmed.add(check);
  return { scenario, findings, obstacle: last.obstacle, isLost: last.isLost };
};

/** Whether nothing in a request is a reason for its refusal, as far as the status shows. */
const isSignOfOutage = (exchange: Exchange): boolean =>
  exchange.intent === 'complete' && exchange.credentials === 'key' && isTrouble(exchange);

/** Whether a refusal may be an outage: it is a sign of one, or another one was shortly before or after it. */
const mayBeOutage = ({ client }: Shared, { failure: { exchange } }: Finding): boolean =>
  exchange !== undefined &&
  isTrouble(exchange) &&
  client.exchanges.some(
    (other) => isSignOfOutage(other) && Math.abs(other.sentAt - exchange.sentAt) < outageMs,
  );

/**
 * Runs a scenario again in which requests were refused: what does not come again was an outage of some seconds. Where that is
 * impossible, what may be one is undecided.
 */
export const confirmRefusals = async (
  shared: Shared,
  result: ScenarioResult,
  common: Common,
): Promise<ScenarioResult> => {
  const open = refusalsIn(result);
  let unconfirmedBecause: string | undefined;
  for (let count = 0; count < mostAttempts && open.size > 0 && unconfirmedBecause === undefined; count += 1) {
    const last = await attemptAgain(shared, result.scenario, { ...common, confirmed: new Set() });
    for (const check of last.found.keys()) open.delete(check);
    if (!last.endedAtFinding) unconfirmedBecause = last.obstacle?.reason;
  }
  return leaveOpen(shared, result, open, unconfirmedBecause);
};

/**
 * Takes the confirmation from findings that did not come again.
 * @param because why their requests could not be sent again: then only from those that may be an outage
 */
export const leaveOpen = (
  shared: Shared,
  result: ScenarioResult,
  open: ReadonlySet<string>,
  because: string | undefined,
): ScenarioResult => {
  const findings = result.findings.map((finding) =>
    open.has(finding.check) && (because === undefined || mayBeOutage(shared, finding))
      ? { ...finding, isConfirmed: false, unconfirmedBecause: because }
      : finding,
  );
  return { ...result, findings };
};
