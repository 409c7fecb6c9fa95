import { knownOperations, operationIds } from '../contract/in-force.ts';
import { nearest } from '../contract/questions.ts';
import { methods } from '../runtime/platform.ts';
import type { Journal } from '../workspace/journal.ts';
import type { RequestFilter } from '../workspace/journal-entry.ts';

/** A filter value that no request can match, and that is therefore a mistake. */
type UnknownFilterValue = {
  readonly name: 'operation' | 'method' | 'path';
  readonly problem: string;
  readonly hint: string;
};

/**
 * Finds a filter value that can never match. All HTTP methods are valid, and so are operations in the journal, because an
 * imported state may contain requests of other operations.
 */
export const findUnknownFilterValue = (
  filter: RequestFilter,
  journal: Journal,
): UnknownFilterValue | undefined => {
  const { operation, method, path } = filter;
  const isRecorded = (filterPart: RequestFilter): boolean => journal.count(filterPart) > 0;
  if (operation !== undefined && !operationIds().includes(operation) && !isRecorded({ operation }))
    return unknownValue('operation', 'is not an operation of the service', operation, operationIds());
  if (method !== undefined && !methods.includes(method.toUpperCase()) && !isRecorded({ method }))
    return unknownValue('method', 'is not an HTTP method', method.toUpperCase(), methods);
  if (path !== undefined && !/^\/[^?]*$/.test(path) && !isRecorded({ path }))
    return unknownValue(
      'path',
      'is not a path without a query',
      `/${path.replace(/\?.*|^\/+/g, '')}`,
      paths(),
    );
  return undefined;
};

const paths = (): string[] => knownOperations().map(({ path }) => path);

const unknownValue = (
  name: UnknownFilterValue['name'],
  problem: string,
  value: string,
  known: readonly string[],
): UnknownFilterValue => ({
  name,
  problem,
  hint: `Did you mean ${nearest(value.slice(0, 200), known)}? Such a filter would never find anything.`,
});
