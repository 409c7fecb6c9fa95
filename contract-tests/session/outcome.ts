import type { OperationId } from '../../mock/contract/operation-id.ts';
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
