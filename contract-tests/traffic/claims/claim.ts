import type { OperationId } from '../../../mock/contract/operation-id.ts';
import { isObject } from '../../client/exchange.ts';
import type { Failure } from '../../session/outcome.ts';
import type { Context } from '../exchanges/history.ts';

/** What a claim says of one exchange. */
export type Judgement = Failure | 'fine' | 'not applicable';

/** A claim that an exchange shows together with what the session has seen before it; by the id of the check that makes it. */
export type HistoryClaim = {
  readonly check: string;
  /** Whose exchanges it is about. */
  readonly operation: OperationId;
  readonly inspect: (context: Context) => Judgement;
};

export const hasSucceeded = ({ exchange }: Context): boolean => exchange.outcome === 'success';

export const sentFields = ({ request }: Context): Readonly<Record<string, unknown>> =>
  isObject(request) ? request : {};
