import { describeFault } from '../../mock/contract/printable.ts';
import { NotPermitted, RequestFailed } from '../client/client.ts';
import { ConfigurationError } from '../client/errors.ts';
import type { Exchange } from '../client/exchange.ts';
import { isAbsent } from '../session/availability.ts';
import type { Check, ReplyCheck } from '../session/check.ts';
import { isInScope } from '../session/operations.ts';
import {
  CheckInconclusive,
  CheckSkipped,
  CheckUnstable,
  type Discovery,
  type Failure,
} from '../session/outcome.ts';
import { concernsOneLead, routes } from '../session/routes.ts';
import type { Shared } from '../session/shared.ts';
import { isFirewallPage } from '../session/trouble.ts';

/**
 * The result of a check. It distinguishes a broken claim (fail), an undecided claim
 * (inconclusive) and a defect of the suite (error).
 */
export type Status = 'pass' | 'fail' | 'warn' | 'unstable' | 'inconclusive' | 'skipped' | 'error';

export type Verdict = {
  readonly check: Check;
  readonly status: Status;
  /** The reason of the status; for a pass, texts that were not tested because the deployment refuses them. */
  readonly reason?: string;
  /** The wrong response of a finding or of an unstable check. */
  readonly failure?: Failure;
  /** The reason from the waiver, if the finding is waived. */
  readonly waived?: string;
  /** The expiry of a waiver for this check, with the date. */
  readonly expiredWaiver?: string;
};

/** Why a check has no result if the run was interrupted. */
export const notReached = 'the run was interrupted before this check';

/** Whether the error means that the run was interrupted. */
export const isInterruption = (error: unknown): boolean =>
  error instanceof RequestFailed && error.kind === 'interrupted';

/**
 * Classifies an error of a request or a check that does not show a fault of the deployment; `undefined` for a broken claim, a
 * defect of the suite, or an interruption.
 */
export const classifyError = (
  error: unknown,
): { readonly status: 'skipped' | 'inconclusive'; readonly reason: string } | undefined => {
  if (error instanceof NotPermitted || error instanceof CheckSkipped)
    return { status: 'skipped', reason: error.message };
  const isUndecided = error instanceof CheckInconclusive || error instanceof ConfigurationError; // a full disk
  if (isUndecided || (error instanceof RequestFailed && !isInterruption(error)))
    return { status: 'inconclusive', reason: error.message };
  return undefined;
};

/** Takes a failure that decides nothing for a no. @throws any other error again */
export const falseIfUndecided = (error: unknown): false => {
  if (classifyError(error) === undefined) throw error;
  return false;
};

/** Creates the verdict for a broken claim: a documented one fails the run, a derived one is a warning. */
export const failed = (check: Check, failure: Failure): Verdict => ({
  check,
  status: check.level === 'documented' ? 'fail' : 'warn',
  reason: `expected ${failure.expected}, got ${failure.actual}`,
  failure,
});

/** Creates the verdict for an error that a check threw. @throws the error again if the run was interrupted */
export const verdictFor = (check: Check, error: unknown): Verdict => {
  if (error instanceof CheckUnstable)
    return { check, status: 'unstable', reason: error.message, failure: error.failure };
  if (isInterruption(error)) throw error;
  const undecided = classifyError(error);
  if (undecided) return { check, ...undecided };
  return { check, status: 'error', reason: describeFault(error) };
};

/** The verdict of each check on all responses of the run. If the responses decide nothing, the verdict has the reason. */
export const inspectReplies = (
  shared: Shared,
  checks: readonly ReplyCheck[],
  discovery: Discovery,
): readonly Verdict[] => {
  const answers = shared.client.exchanges.filter((exchange) => isAnswer(shared, exchange));
  return checks.map((check) => {
    try {
      return inspect(shared, answers, check, discovery);
    } catch (error) {
      return verdictFor(check, error);
    }
  });
};

const inspect = (
  session: Shared,
  answers: readonly Exchange[],
  check: ReplyCheck,
  discovery: Discovery,
): Verdict => {
  const finding = discovery.get(check.operation);
  const isSuccessCheck = check.id.endsWith('.success') && check.scope !== 'every';
  if (isSuccessCheck && finding?.failure && restsOnService(session, finding.failure))
    return failed(check, finding.failure);
  let inspected = 0;
  const exchanges = answers.filter((exchange) => isRelevant(session, check, exchange));
  const own = new Set(exchanges);
  for (const { exchange, results } of session.history.judged) {
    if (!own.has(exchange)) continue;
    for (const result of results) {
      if (result.check !== check.id) continue;
      if (result.broken) return failed(check, result.broken);
      inspected += 1;
    }
  }
  const failure = check.inspectAll?.(exchanges);
  if (failure) return failed(check, failure);
  if (inspected > 0) return { check, status: 'pass' };
  // The service itself sent no response of this kind.
  if (finding?.inconclusive && (isSuccessCheck || session.circuit.hasStopped()))
    return { check, status: 'inconclusive', reason: finding.inconclusive };
  const [trouble] = session.circuit.troubles();
  if (trouble !== undefined && finding?.skipped === undefined)
    return { check, status: 'inconclusive', reason: trouble };
  const capability = session.capabilities.get(check.operation);
  const reason =
    finding?.skipped ??
    (capability?.available === false ? capability.reason : undefined) ??
    'no response of this kind was seen';
  return { check, status: 'skipped', reason };
};

/**
 * Whether to inspect a response: not if it replaces the service's response, except for a
 * firewall page, which a check must report.
 */
const isAnswer = ({ circuit, client }: Shared, exchange: Exchange): boolean =>
  !circuit.isSuspect(exchange) || isFirewallPage(exchange, client.exchanges);

/** Whether a finding is based on a response of the service, or on no response. */
const restsOnService = ({ circuit }: Shared, { exchange }: Failure): boolean =>
  exchange === undefined || !circuit.isSuspect(exchange);

/**
 * Whether a response belongs to the operation. Responses at a path form that does not exist, or of an absent operation, do not.
 */
const isRelevant = (session: Shared, check: ReplyCheck, exchange: Exchange): boolean => {
  if (!isInScope(check, exchange.operation)) return false;
  const { operation, path } = exchange;
  const capability = session.capabilities.get(operation);
  const isAvailable = capability?.available === true;
  // Responses at other paths, such as a list of leads or a path with a slash at its end, do not belong to the operation.
  const paths = isAvailable ? capability.pathForms : routes[operation].paths;
  return (
    (isAvailable || !isAbsent(exchange)) &&
    (concernsOneLead(operation) ? !path.endsWith('/') : paths.includes(path))
  );
};

/** Removes the key from a verdict: checks compare unredacted values, output must not contain the key. */
export const redactVerdict = (verdict: Verdict, redact: (text: string) => string): Verdict => {
  const { reason, failure } = verdict;
  return {
    ...verdict,
    ...(reason === undefined ? {} : { reason: redact(reason) }),
    ...(failure === undefined
      ? {}
      : { failure: { ...failure, expected: redact(failure.expected), actual: redact(failure.actual) } }),
  };
};
