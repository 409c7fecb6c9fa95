import type { OperationId } from '../../mock/contract/operation-id.ts';
import { controlCheck } from '../client/client.ts';
import { describeRefusal, type Exchange } from '../client/exchange.ts';
import type { ActiveCheck, Check, ReplyCheck } from '../session/check.ts';
import { isActive, isClosing, isReplyCheck } from '../session/check.ts';
import { operationOf, operations, operationsThatNeed } from '../session/operations.ts';
import type { Discovery, DiscoveryResult } from '../session/outcome.ts';
import { enoughErrors } from '../session/passing-outage.ts';
import { type DataLoss, findDataLoss, isDueToLoss, restartReason } from '../session/restart.ts';
import { type Session, sessionFor } from '../session/session.ts';
import type { Shared } from '../session/shared.ts';
import { firewallAdvice, isServerError } from '../session/trouble.ts';
import { cleanUpPauses, deleteCreated } from './cleanup.ts';
import { confirmRefusals, lateMs, lateReason, mayBeLate, repeatServerErrors } from './control-requests.ts';
import { adaptationsOf, confirmFailures, discover, retryIfClosed } from './discovery.ts';
import { inLanes, laneFor } from './lanes.ts';
import { expectService } from './preflight.ts';
import {
  decidesNothing,
  inspectReplies,
  isInterruption,
  notReached,
  redactVerdict,
  type Verdict,
  verdictFor,
} from './verdict.ts';

export type RunResult = {
  readonly verdicts: readonly Verdict[];
  readonly discovery: Discovery;
  /** Leads of the run that could not be deleted. */
  readonly leftoverLeads: readonly string[];
  /** Whether the run was stopped before its last check. */
  readonly interrupted: boolean;
  /** What the deployment stopped doing during the run, one sentence each. */
  readonly troubles: readonly string[];
  /** What the requests of the run contain in addition to the documented fields, one sentence each. */
  readonly adaptations: readonly string[];
  /** Milliseconds that the run waited: for requested pauses and for requests that timed out. */
  readonly waitedMs: number;
};

/**
 * Runs checks against one deployment: discovery, active checks, clean-up, then the checks that inspect all responses.
 * The clean-up also runs after an interruption and never decides a verdict.
 */
export const runChecks = async (shared: Shared, checks: readonly Check[]): Promise<RunResult> => {
  const verdicts: Verdict[] = [];
  const addVerdict = (unredacted: Verdict): void => {
    verdicts.push(redactVerdict(unredacted, shared.client.redact));
  };
  let discovery: Discovery = new Map();
  let leftoverLeads: readonly string[] = [];
  let interrupted = false;
  try {
    const started = Date.now();
    discovery = await discover(sessionFor(shared, 'discovery'), operationsFor(checks));
    await expectService(shared);
    const laneOf = laneFor(shared, Date.now() - started);
    if (checks.some(({ needsIdleLead }) => needsIdleLead)) await addIdleLead(shared);
    const runCheck = async (check: Check): Promise<void> => {
      try {
        if (isActive(check)) addVerdict(await runOne(shared, check, check.run, discovery));
        else if (isReplyCheck(check)) await generateTraffic(shared, check);
        await repeatServerErrors(shared, check.id);
      } finally {
        shared.sharedLead.release(check.id);
      }
      await sessionFor(shared, check.id).discardLeads();
    };
    // Checks with wrong keys run last, when everything else is decided: a deployment may lock
    // out a client that tries many keys.
    await inLanes(
      checks.filter((check) => !triesKeys(check) && !check.alone),
      laneOf,
      runCheck,
    );
    await inLanes(
      checks.filter(({ alone }) => alone),
      laneOf,
      runCheck,
    );
    await inLanes(checks.filter(triesKeys), laneOf, runCheck);
    await confirmRefusals(shared);
    await confirmFailures(shared, discovery);
    // Before the responses are inspected, because the clean-up adds further responses.
    leftoverLeads = await deleteCreated(shared, cleanUpPauses);
    for (const check of checks.filter(isClosing))
      addVerdict(await runOne(shared, check, check.afterCleanup, discovery));
    for (const verdict of inspectReplies(shared, checks.filter(isReplyCheck), discovery)) addVerdict(verdict);
  } catch (error) {
    if (!isInterruption(error)) throw error;
    interrupted = true;
  } finally {
    leftoverLeads = await deleteCreated(shared);
  }
  for (const check of checks)
    if (!verdicts.some((verdict) => verdict.check === check))
      addVerdict({ check, status: 'skipped', reason: notReached });
  const order = new Map(checks.map((check, index) => [check.id, index]));
  verdicts.sort((left, right) => (order.get(left.check.id) ?? 0) - (order.get(right.check.id) ?? 0));
  const { exchanges, brokenAt } = shared.client;
  const suspects = new Set(exchanges.filter(shared.circuit.isSuspect));
  const loss = findDataLoss(exchanges, brokenAt);
  return {
    verdicts: verdicts
      .map((verdict) => withdrawSuspect(shared, suspects, verdict))
      .map((verdict) => (loss ? withdrawLoss(exchanges, loss, verdict) : verdict)),
    discovery,
    leftoverLeads,
    interrupted,
    troubles: shared.circuit.troubles().map(shared.client.redact),
    adaptations: adaptationsOf(shared),
    waitedMs: shared.client.waitedMs(),
  };
};

/** Adds a lead for the checks that look at it at the end: a deployment may lose or change leads that nobody uses. */
const addIdleLead = async (shared: Shared): Promise<void> => {
  if (!shared.can('addLead') || !shared.can('deleteLead')) return;
  try {
    shared.idleLead = (await sessionFor(shared, controlCheck).addLead()).lead;
  } catch (error) {
    if (!decidesNothing(error)) throw error;
  }
};

const triesKeys = ({ id }: Check): boolean => id.includes('.auth.') || id.startsWith('failures.');

/**
 * Withdraws a verdict that is based on a response of something other than the service. A wrong response of
 * the service before that remains a finding.
 */
const withdrawSuspect = (
  { client, circuit }: Shared,
  suspects: ReadonlySet<Exchange>,
  verdict: Verdict,
): Verdict => {
  const { check, status, failure } = verdict;
  if (suspects.size === 0 || status === 'inconclusive' || status === 'error' || !isActive(check))
    return verdict;
  const exchanges = client.exchanges.filter((exchange) => exchange.check === check.id);
  const suspect = exchanges.find((exchange) => suspects.has(exchange));
  if (!suspect) return verdict;
  // The verdict `unstable` depends on all responses.
  const evidence = failure?.exchange && status !== 'unstable' ? exchanges.indexOf(failure.exchange) : -1;
  if (evidence !== -1 && evidence < exchanges.indexOf(suspect)) return verdict;
  const reason =
    circuit.describeOutage(suspect) ??
    `something in front of the service responded: ${describeRefusal(suspect)}; ${firewallAdvice}, or waive these checks`;
  return { check, status: 'inconclusive', reason: client.redact(reason) };
};

/** Withdraws a finding about leads that a deployment lost when it restarted, and names the loss where it left a check undecided. */
const withdrawLoss = (exchanges: readonly Exchange[], loss: DataLoss, verdict: Verdict): Verdict => {
  const { check, status, failure } = verdict;
  if (!['fail', 'warn', 'unstable', 'inconclusive'].includes(status)) return verdict;
  const own = isActive(check) ? exchanges.filter((exchange) => exchange.check === check.id) : [];
  const evidence = failure?.exchange ?? (status === 'inconclusive' ? own.at(-1) : undefined);
  if (!isDueToLoss(loss, evidence, own)) return verdict;
  return { check, status: 'inconclusive', reason: restartReason };
};

/**
 * The operations that discovery must call for these checks: a lead must be added before it can be updated,
 * a template listed before it can be sent.
 */
export const operationsFor = (checks: readonly Check[]): Set<OperationId> => {
  const ids = new Set<OperationId>(['listTemplates']);
  for (const check of checks) {
    ids.add(check.operation);
    // Checks that add leads must be able to delete them, and read them by updating them.
    if (operationOf(check.operation).needs === 'writes')
      for (const id of operationsThatNeed('writes')) ids.add(id);
    if ('scope' in check && check.scope === 'every') for (const { id } of operations) ids.add(id);
  }
  return ids;
};

const runOne = async (
  shared: Shared,
  check: Check,
  work: ActiveCheck['run'],
  discovery: Discovery,
): Promise<Verdict> => {
  const session = sessionFor(shared, check.id);
  const capability = session.capabilities.get(check.operation);
  const inconclusive = discovery.get(check.operation)?.inconclusive;
  if (capability?.available !== true && inconclusive !== undefined)
    return { check, status: 'inconclusive', reason: inconclusive };
  if (capability?.available !== true)
    return {
      check,
      status: 'skipped',
      reason: skipReason(discovery.get(check.operation), capability?.reason),
    };
  const verdict = await judge(check, work, session);
  if (!isActive(check) || check.needs !== 'writes') return verdict;
  const judgeAgain = async (reason: string, pauseMs?: number): Promise<Verdict> => {
    await session.discardLeads();
    const later = await judge(check, work, sessionFor(shared, check.id, pauseMs));
    return later.status === 'pass' ? { ...verdict, status: 'unstable', reason } : later;
  };
  if (mayBeOneError(shared, verdict)) return judgeAgain(oneErrorReason);
  return (await mayBeLate(shared, verdict)) ? judgeAgain(lateReason, lateMs) : verdict;
};

const oneErrorReason = 'a server error, which did not come again when the check was repeated';

/** Whether a check did not pass because of a server error, of which the run saw only a few: they may be an outage of a moment. */
const mayBeOneError = ({ client }: Shared, { check, status }: Verdict): boolean => {
  if (!['fail', 'warn', 'inconclusive'].includes(status)) return false;
  const errors = client.exchanges.filter(
    (exchange) => exchange.intent !== 'probe' && exchange.credentials === 'key' && isServerError(exchange),
  );
  return errors.length < enoughErrors && errors.some((error) => error.check === check.id);
};

const judge = async (check: Check, work: ActiveCheck['run'], session: Session): Promise<Verdict> => {
  try {
    await retryIfClosed(check, () => work(session));
    const [first] = session.unstable;
    if (first === undefined) return { check, status: 'pass' };
    const reasons = new Set(session.unstable.map(({ reason }) => reason));
    return { check, status: 'unstable', reason: [...reasons].join('; '), failure: first.failure };
  } catch (error) {
    return verdictFor(check, error);
  }
};

/** Sends requests so that there are responses to inspect. Their failures decide nothing. */
const generateTraffic = async (shared: Shared, check: ReplyCheck): Promise<void> => {
  if (!check.generateTraffic || !shared.can(check.operation)) return;
  try {
    await check.generateTraffic(sessionFor(shared, check.id));
  } catch (error) {
    if (!decidesNothing(error)) throw error;
  }
};

const skipReason = (finding: DiscoveryResult | undefined, reason: string | undefined): string =>
  finding?.skipped ?? `the operation could not be tested: ${reason ?? 'it was not tested'}`;
