import type { Operation } from './spec.ts';
import { possibleOperations } from './view.ts';

let operations: readonly Operation[] | undefined;

/** Every path form of every operation that any answers could ask for. Worked out once. */
export const knownOperations = (): readonly Operation[] => {
  operations ??= possibleOperations();
  return operations;
};

/** Their names, each once. */
export const operationIds = (): string[] => [...new Set(knownOperations().map(({ id }) => id))];
