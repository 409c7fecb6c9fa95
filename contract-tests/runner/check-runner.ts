import type { OperationId } from '../../mock/contract/operation-id.ts';
import { controlCheck } from '../client/client.ts';
import { enoughErrors } from '../session/availability.ts';
import type { ActiveCheck, Check, ReplyCheck } from '../session/check.ts';
import { isActive, isClosing, isReplyCheck } from '../session/check.ts';
import { operationOf, operations, operationsThatNeed } from '../session/operations.ts';
import type { Discovery, DiscoveryResult } from '../session/outcome.ts';
import { findDataLoss } from '../session/restart.ts';
import { type Session, sessionFor } from '../session/session.ts';
import type { Shared } from '../session/shared.ts';
import { isServerError } from '../session/trouble.ts';
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
  withdrawLoss,
  withdrawSuspect,
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
  const verdictOf = new Map<Check, Verdict>();
  const addVerdict = (unredacted: Verdict): void => {
    const verdict = redactVerdict(unredacted, shared.client.redact);
    const first = verdictOf.get(verdict.check);
    verdictOf.set(verdict.check, first ? mergeVerdicts(first, verdict) : verdict);
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
    const runPhase = async (phase: readonly Check[]): Promise<void> => {
      await inLanes(phase, laneOf, runCheck);
      const verdicts = phase.flatMap((check) => verdictOf.get(check) ?? []);
      await inLanes(disturbedChecks(shared, verdicts), laneOf, runCheck);
    };
    // Checks with wrong keys run last, when everything else is decided: a deployment may lock
    // out a client that tries many keys.
    await runPhase(checks.filter((check) => !triesKeys(check) && !check.alone));
    await runPhase(checks.filter(({ alone }) => alone));
    await runPhase(checks.filter(triesKeys));
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
  const verdicts = checks.map(
    (check): Verdict => verdictOf.get(check) ?? { check, status: 'skipped', reason: notReached },
  );
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
  if (!isActive(check) || check.needs !== 'writes' || !(await mayBeLate(shared, verdict))) return verdict;
  await session.discardLeads();
  const later = await judge(check, work, sessionFor(shared, check.id, lateMs));
  return later.status === 'pass' ? { ...verdict, status: 'unstable', reason: lateReason } : later;
};

/** More undecided checks than this have another reason than an outage of a moment. */
const maxRepeated = 10;

/**
 * The checks to run again: an outage of a moment may have left them undecided, or caused the server error that is their
 * finding. Checks that send mail are not repeated.
 */
const disturbedChecks = ({ client, circuit }: Shared, verdicts: readonly Verdict[]): readonly Check[] => {
  const errors = client.exchanges.filter(
    (exchange) => exchange.intent !== 'probe' && exchange.credentials === 'key' && isServerError(exchange),
  );
  const isDisturbed = ({ check, status }: Verdict): boolean =>
    status === 'inconclusive' ||
    (['fail', 'warn'].includes(status) &&
      errors.length < enoughErrors &&
      errors.some((error) => error.check === check.id));
  const checks = verdicts.filter(isDisturbed).map(({ check }) => check);
  return circuit.hasStopped() || checks.length > maxRepeated
    ? []
    : checks.filter((check) => isActive(check) && check.needs !== 'mail');
};

/** The verdict of a check that was run twice: the second one counts if it decides something. */
const mergeVerdicts = (first: Verdict, second: Verdict): Verdict => {
  if (second.status === 'pass')
    return {
      ...first,
      status: 'unstable',
      reason: `passed only when it was repeated; before: ${first.reason}`,
    };
  return second.status === 'inconclusive' ? first : second;
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
