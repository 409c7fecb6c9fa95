import { knownOperations, operationIds } from '../contract/in-force.ts';
import { nearest } from '../contract/questions.ts';
import { methods } from '../runtime/platform.ts';
import type { Journal } from '../workspace/journal.ts';
import type { RequestFilter } from '../workspace/journal-entry.ts';

/** A filter that no request can ever pass, and so a slip of the pen. */
type UnknownFilterValue = {
  readonly name: 'operation' | 'method' | 'path';
  readonly problem: string;
  readonly hint: string;
};

/**
 * What of a filter can never find anything. Any method of HTTP may come, and a state may bring requests of operations this
 * mock has not: what is there may be asked for.
 */
export const findUnknownFilterValue = (
  filter: RequestFilter,
  journal: Journal,
): UnknownFilterValue | undefined => {
  const { operation, method, path } = filter;
  const isRecorded = (filterPart: RequestFilter): boolean => journal.count(filterPart) > 0;
  if (operation !== undefined && !operationIds().includes(operation) && !isRecorded({ operation }))
    return unknownValue('operation', 'is no operation of the service', operation, operationIds());
  if (method !== undefined && !methods.includes(method.toUpperCase()) && !isRecorded({ method }))
    return unknownValue('method', 'is no method of HTTP', method.toUpperCase(), methods);
  if (path !== undefined && !/^\/[^?]*$/.test(path) && !isRecorded({ path }))
    return unknownValue('path', 'is no path without a query', `/${path.replace(/\?.*|^\/+/g, '')}`, paths());
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
