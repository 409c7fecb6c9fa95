import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Failure } from '../facts/failure.ts';

/** The result of discovery for one operation. */
export type DiscoveryResult = {
  readonly failure?: Failure;
  /** The failure is that the operation does not exist. */
  readonly absent?: true;
  readonly inconclusive?: string;
  readonly skipped?: string;
};

/** The check has nothing to inspect on this deployment, or lacks a permission. */
export class CheckSkipped extends Error {}

/** The responses of the deployment do not show whether the claim holds. */
export class CheckInconclusive extends Error {}

/**
 * The error for a check that cannot use an operation: skipped if the operation is known not
 * to work, inconclusive if that is unknown.
 */
export const cannotUse = (
  reason: string,
  capability: { readonly isUndecided?: boolean } | undefined,
): CheckSkipped | CheckInconclusive =>
  capability?.isUndecided ? new CheckInconclusive(reason) : new CheckSkipped(reason);

export type Discovery = Map<OperationId, DiscoveryResult>;
