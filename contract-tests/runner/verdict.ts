import { NotPermitted, RequestFailed } from '../client/client.ts';
import type { Check } from '../session/check.ts';
import {
  CheckFailed,
  CheckInconclusive,
  CheckSkipped,
  type Failure,
  RefusalAllowed,
} from '../session/outcome.ts';

/** The result of a check: a broken claim (fail), an undecided claim (inconclusive) and a defect of the suite (error) differ. */
export type Status = 'pass' | 'fail' | 'warn' | 'unstable' | 'inconclusive' | 'skipped' | 'error';

export type Verdict = {
  readonly check: Check;
  readonly status: Status;
  /** Why, for everything but a pass. */
  readonly reason?: string;
  readonly failure?: Failure;
  /** Why a finding does not count, from the waivers. */
  readonly waived?: string;
  /** That a waiver which named it has expired, and when. */
  readonly expiredWaiver?: string;
};

/** Whether somebody stopped the run. */
export const isInterruption = (error: unknown): boolean =>
  error instanceof RequestFailed && error.kind === 'interrupted';

/** Whether an error of a request or a check says nothing of the deployment. One that somebody caused by stopping the run is none. */
export const decidesNothing = (error: unknown): boolean =>
  !isInterruption(error) &&
  [NotPermitted, RequestFailed, CheckSkipped, CheckInconclusive, RefusalAllowed].some(
    (kind) => error instanceof kind,
  );

/** A broken claim: a documented one fails the run, a derived one warns. */
export const failed = (check: Check, failure: Failure): Verdict => ({
  check,
  status: check.level === 'documented' ? 'fail' : 'warn',
  reason: `expected ${failure.expected}, got ${failure.actual}`,
  failure,
});

/** What a check that threw came to. @throws what says that the run was interrupted */
export const verdictFor = (check: Check, error: unknown): Verdict => {
  if (error instanceof CheckFailed) return failed(check, error.failure);
  if (error instanceof RefusalAllowed) return { check, status: 'pass' };
  if (error instanceof CheckSkipped || error instanceof NotPermitted)
    return { check, status: 'skipped', reason: error.message };
  if (error instanceof CheckInconclusive) return { check, status: 'inconclusive', reason: error.message };
  if (isInterruption(error)) throw error;
  if (error instanceof RequestFailed) return { check, status: 'inconclusive', reason: error.message };
  return {
    check,
    status: 'error',
    reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
};

/** Checks compare unredacted values; what people read has the key removed. */
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
