import { METHODS } from 'node:http';
import type { Journal, RequestFilter } from './journal.ts';
import { knownOperations, operationIds } from './known-operations.ts';
import { nearest } from './questions.ts';

/** A filter that no request can ever pass, and so a slip of the pen. */
export type Hopeless = {
  readonly name: 'operation' | 'method' | 'path';
  readonly what: string;
  readonly hint: string;
};

/**
 * What of a filter can never find anything. Any method of HTTP may come, and a state may bring requests of operations this
 * mock has not: what is there may be asked for.
 */
export const hopelessFilter = (filter: RequestFilter, journal: Journal): Hopeless | undefined => {
  const { operation, method, path } = filter;
  const there = (part: RequestFilter): boolean => journal.count(part) > 0;
  if (operation !== undefined && !operationIds().includes(operation) && !there({ operation }))
    return hopeless('operation', 'is no operation of the service', operation, operationIds());
  if (method !== undefined && !METHODS.includes(method.toUpperCase()) && !there({ method }))
    return hopeless('method', 'is no method of HTTP', method.toUpperCase(), METHODS);
  if (path !== undefined && !/^\/[^?]*$/.test(path) && !there({ path }))
    return hopeless('path', 'is no path without a query', `/${path.replace(/\?.*|^\/+/g, '')}`, paths());
  return undefined;
};

const paths = (): string[] => knownOperations().map(({ path }) => path);

const hopeless = (
  name: Hopeless['name'],
  what: string,
  given: string,
  known: readonly string[],
): Hopeless => ({
  name,
  what,
  hint: `Did you mean ${nearest(given.slice(0, 200), known)}? Such a filter would never find anything.`,
});
