import type { OperationId } from '../../mock/contract/operation-id.ts';
import { UsageError } from '../../mock/contract/system-errors.ts';
import { NotPermitted, RequestFailed } from '../client/errors.ts';
import type { Failure } from '../facts/fact.ts';

/** What discovery found of one operation. */
export type Discovered = {
  /** The paths at which it works, if it works. */
  readonly pathForms?: readonly string[] | undefined;
  readonly failure?: Failure;
  /** The failure is that the operation does not exist. */
  readonly absent?: true;
  /** Why it is unknown whether it works. */
  readonly inconclusive?: string;
  /** Why it was not tested: something that it needs is missing, or not permitted. */
  readonly skipped?: string;
};

export type Discovery = Map<OperationId, Discovered>;

/** The check has nothing to inspect on this deployment, or lacks a permission. */
export class CheckSkipped extends Error {}

/** The responses of the deployment do not show whether the claim holds. */
export class CheckInconclusive extends Error {}

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
  const isUndecided = error instanceof CheckInconclusive || error instanceof UsageError; // a full disk
  if (isUndecided || (error instanceof RequestFailed && !isInterruption(error)))
    return { status: 'inconclusive', reason: error.message };
  return undefined;
};

/** Turns an error that `classifyError` classifies into `false`. @throws any other error again */
export const falseIfUndecided = (error: unknown): false => {
  if (classifyError(error) === undefined) throw error;
  return false;
};
