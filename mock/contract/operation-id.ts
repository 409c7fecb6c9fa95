import { type OperationId, operationIds } from '../generated/operations.ts';

export { type OperationId, operationIds };

/** The documented operations and those that answers may add (§4.8). */
export const operationNames = [...operationIds, 'listLeads', 'retrieveLead'] as const;

export type OperationName = (typeof operationNames)[number];
