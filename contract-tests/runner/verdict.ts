import type { Check } from '../facts/check.ts';
import { describeActual, type Failure } from '../facts/fact.ts';

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
  /** Why a waiver of this check does not apply. */
  readonly waiverNote?: string;
};

/** Why a check has no result if the run was interrupted. */
export const notReached = 'the run was interrupted before this check';

/** Why a check has no result if nothing could be tested. */
export const notStarted = 'the run did not start';

/** Creates the verdict for a broken claim: a documented one fails the run, a derived one is a warning. */
export const failed = (check: Check, failure: Failure): Verdict => ({
  check,
  status: check.level === 'documented' ? 'fail' : 'warn',
  reason: `expected ${failure.expected}, got ${describeActual(failure)}`,
  failure,
});

/** Creates the verdict for a claim that one response broke, and that was not broken again. */
export const seenOnce = (check: Check, failure: Failure): Verdict => ({
  check,
  status: 'unstable',
  reason: `seen once, and not when its requests were sent again: ${failure.actual}`,
  failure: { ...failure, sporadic: true },
});

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
