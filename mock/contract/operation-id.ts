import type { OperationId } from '../generated/operations.ts';

export { type OperationId, operationIds } from '../generated/operations.ts';

/** The documented operations and those that answers may add (§4.8). */
export type OperationName = OperationId | 'listLeads' | 'retrieveLead';
