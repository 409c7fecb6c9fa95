import type { OperationId } from '../mock/spec.ts';
import {
  type ActiveCheck,
  type Check,
  CheckFailed,
  CheckInconclusive,
  CheckSkipped,
  type ClosingCheck,
  type Problem,
  type ReplyCheck,
} from './check.ts';
import { deleteCreated } from './clean-up.ts';
import { NoAnswer, NotPermitted } from './client.ts';
import { isAbsent } from './controls.ts';
import type { Exchange } from './exchange.ts';
import type { Finding } from './finding.ts';
import { paths, type Shared, sessionFor } from './session.ts';
import { type Survey, survey } from './survey.ts';

/** What became of a check. "The API is wrong", "could not tell" and "the suite broke" are three things. */
export type Status = 'pass' | 'fail' | 'warn' | 'unstable' | 'inconclusive' | 'skipped' | 'error';

export type Verdict = {
  readonly check: Check;
  readonly status: Status;
  /** Why, for everything but a pass. */
  readonly reason?: string;
  readonly problem?: Problem;
  /** Undecided because a request was not answered at all. */
  readonly unanswered?: boolean;
  /** Why a finding does not count, from the waivers. */
  readonly waived?: string;
};

export type RunResult = {
  readonly verdicts: readonly Verdict[];
  readonly survey: Survey;
  /** Leads of the run that could not be deleted. */
  readonly leftovers: readonly string[];
  /** Whether the run was stopped before its last check. */
  readonly interrupted: boolean;
};

/**
 * Runs checks against one deployment: survey, then the checks that ask, then those that look at every reply, then
 * clean-up, which also follows an interruption and never decides a verdict.
 */
export const runChecks = async (
  shared: Shared,
  checks: readonly Check[],
  onVerdict: (verdict: Verdict) => void = () => undefined,
): Promise<RunResult> => {
  const verdicts: Verdict[] = [];
  const conclude = (found: Verdict): void => {
    const verdict = presentable(found, shared.client.redact);
    verdicts.push(verdict);
    onVerdict(verdict);
  };
  let found: Survey = new Map();
  let leftovers: readonly string[] = [];
  let interrupted = false;
  try {
    const started = Date.now();
    found = await survey(sessionFor(shared, 'survey'), operationsFor(checks));
    const slow = isSlow(shared, Date.now() - started);
    await inLanes(checks, slow ? narrowLane : wideLane, async (check) => {
      if (isActive(check)) conclude(await runOne(shared, check, check.run, found));
      else if (isReplyCheck(check)) await provoke(shared, check);
    });
    // Before the replies are judged: the clean-up asks for as many again.
    leftovers = await deleteCreated(shared);
    for (const check of checks.filter(isClosing))
      conclude(await runOne(shared, check, check.conclude, found));
    for (const check of checks.filter(isReplyCheck)) conclude(inspectAll(shared, check, found));
  } catch (error) {
    if (!isInterruption(error)) throw error;
    interrupted = true;
  } finally {
    leftovers = await deleteCreated(shared);
  }
  const order = new Map(checks.map((check, index) => [check.id, index]));
  verdicts.sort((one, other) => (order.get(one.check.id) ?? 0) - (order.get(other.check.id) ?? 0));
  return { verdicts, survey: found, leftovers, interrupted };
};

/** Checks compare what came; what people read of it is without the key. */
const presentable = (verdict: Verdict, redact: (text: string) => string): Verdict => {
  const { reason, problem } = verdict;
  return {
    ...verdict,
    ...(reason === undefined ? {} : { reason: redact(reason) }),
    ...(problem === undefined
      ? {}
      : { problem: { ...problem, expected: redact(problem.expected), actual: redact(problem.actual) } }),
  };
};

const lanes: Readonly<Record<OperationId, string>> = {
  listTemplates: 'templates',
  sendEmail: 'mail',
  sendTemplateEmail: 'mail',
  addLead: 'leads',
  updateLead: 'leads',
  deleteLead: 'leads',
};

/** Checks in one lane share something, and so a fault of every third call shows the same way in every run. */
const wideLane = ({ operation }: Check): string => lanes[operation];

/** Where an answer takes its time, more goes on at once: hundreds of answers, one after the other, would take minutes. */
const narrowLane = ({ id, operation }: Check): string =>
  `${operation} ${id.includes('.auth.')} ${id.includes('.keeps-')}`;

/** Slow, and not because it asked for patience: a deployment that limits the rate gets one request after the other. */
const isSlow = ({ client, demands }: Shared, milliseconds: number): boolean =>
  !client.wasHeld() && (demands.lateLeads || milliseconds / Math.max(client.exchanges.length, 1) > 40);

/** Side by side where checks share nothing, in order where they do. */
const inLanes = async (
  checks: readonly Check[],
  laneOf: (check: Check) => string,
  work: (check: Check) => Promise<void>,
): Promise<void> => {
  const names = [...new Set(checks.map(laneOf))];
  const results = await Promise.allSettled(
    names.map(async (name) => {
      for (const check of checks) if (laneOf(check) === name) await work(check);
    }),
  );
  const stopped = results.find((result) => result.status === 'rejected');
  if (stopped) throw stopped.reason;
};

const isActive = (check: Check): check is ActiveCheck => 'run' in check;
const isClosing = (check: Check): check is ClosingCheck => 'conclude' in check;
const isReplyCheck = (check: Check): check is ReplyCheck => 'inspect' in check;

/** The operations that checks have the survey ask: a lead must be added before it can be updated, a template listed before it can be sent. */
export const operationsFor = (checks: readonly Check[]): Set<OperationId> => {
  const wanted = new Set<OperationId>(['listTemplates']);
  for (const check of checks) {
    wanted.add(check.operation);
    // What adds leads must be able to delete them, and looks at them by updating them.
    if (check.operation.endsWith('Lead')) wanted.add('addLead').add('updateLead').add('deleteLead');
    if ('scope' in check) for (const operation of Object.keys(paths)) wanted.add(operation as OperationId);
  }
  return wanted;
};

const failed = (check: Check, problem: Problem): Verdict => ({
  check,
  status: check.level === 'documented' ? 'fail' : 'warn',
  reason: `expected ${problem.expected}, got ${problem.actual}`,
  problem,
});

const runOne = async (
  shared: Shared,
  check: Check,
  work: ActiveCheck['run'],
  found: Survey,
): Promise<Verdict> => {
  const session = sessionFor(shared, check.id);
  const ability = session.abilities.get(check.operation);
  if (ability?.usable !== true)
    return { check, status: 'skipped', reason: whyNot(found.get(check.operation), ability?.reason) };
  try {
    await withSecondTry(check, () => work(session));
    if (session.unstable.length === 0) return { check, status: 'pass' };
    return { check, status: 'unstable', reason: [...new Set(session.unstable)].join('; ') };
  } catch (error) {
    return verdictFor(check, error);
  }
};

/** A connection that broke says nothing of the check: it is tried once more, unless each try may cause mail. */
const withSecondTry = async ({ needs }: Check, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    const broke = error instanceof NoAnswer && error.kind === 'closed';
    if (!broke || needs === 'mail') throw error;
    await work();
  }
};

const verdictFor = (check: Check, error: unknown): Verdict => {
  if (error instanceof CheckFailed) return failed(check, error.problem);
  if (error instanceof CheckSkipped || error instanceof NotPermitted)
    return { check, status: 'skipped', reason: error.message };
  if (error instanceof CheckInconclusive) return { check, status: 'inconclusive', reason: error.message };
  if (isInterruption(error)) throw error;
  if (error instanceof NoAnswer)
    return { check, status: 'inconclusive', reason: error.message, unanswered: true };
  return {
    check,
    status: 'error',
    reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
};

/** More replies to look at. What goes wrong on the way is no verdict: the replies that came are judged all the same. */
const provoke = async (shared: Shared, check: ReplyCheck): Promise<void> => {
  if (!check.provoke || shared.abilities.get(check.operation)?.usable !== true) return;
  try {
    await check.provoke(sessionFor(shared, check.id));
  } catch (error) {
    const expected = [NotPermitted, NoAnswer, CheckSkipped, CheckInconclusive].some(
      (kind) => error instanceof kind,
    );
    if (!expected || isInterruption(error)) throw error;
  }
};

const isInterruption = (error: unknown): boolean => error instanceof NoAnswer && error.kind === 'interrupted';

const whyNot = (finding: Finding | undefined, reason: string | undefined): string =>
  finding?.skipped ?? `the operation could not be tested: ${reason ?? 'it was not asked'}`;

const inspectAll = (session: Shared, check: ReplyCheck, found: Survey): Verdict => {
  const finding = found.get(check.operation);
  const survives = check.id.endsWith('.success') && check.scope !== 'every';
  if (survives && finding?.problem) return failed(check, finding.problem);
  let seen = 0;
  const exchanges = session.client.exchanges.filter((exchange) => concerns(session, check, exchange));
  for (const exchange of exchanges) {
    const result = check.inspect(exchange);
    if (typeof result === 'object') return failed(check, result);
    if (result === 'fine') seen += 1;
  }
  const together = check.overall?.(exchanges);
  if (together) return failed(check, together);
  if (seen > 0) return { check, status: 'pass' };
  if (survives && finding?.inconclusive)
    return { check, status: 'inconclusive', reason: finding.inconclusive };
  const ability = session.abilities.get(check.operation);
  const reason =
    finding?.skipped ?? (ability?.usable === false ? ability.reason : 'no reply of this kind was seen');
  return { check, status: 'skipped', reason };
};

/** Replies under a path form that does not exist, or of an operation that is absent, are not replies of the operation. */
const concerns = (session: Shared, check: ReplyCheck, exchange: Exchange): boolean => {
  if (check.scope !== 'every' && exchange.operation !== check.operation) return false;
  const ability = session.abilities.get(exchange.operation);
  if (ability?.usable !== true) return !isAbsent(exchange);
  return exchange.path.includes('/leads/') || ability.forms.includes(exchange.path);
};
