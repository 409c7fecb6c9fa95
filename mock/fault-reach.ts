import { knownOperations } from './known-operations.ts';
import { pathMatcher } from './path-pattern.ts';
import { nearest } from './questions.ts';
import type { Operation } from './spec.ts';

export type Conditions = {
  readonly operation?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly to?: string | undefined;
};

/** What of a rule's conditions no request can ever meet. `name` is empty where each by itself could be met. */
export type Unmet = { readonly name: keyof Conditions | ''; readonly what: string };

/** Why a rule would never be used, whatever answers are given; `undefined` where it could be. */
export const unmetConditions = ({ operation, method, path, to }: Conditions): Unmet | undefined => {
  const operations = knownOperations();
  const named = operations.filter(({ id }) => operation === undefined || id === operation);
  if (named.length === 0) {
    const ids = operations.map(({ id }) => id);
    return { name: 'operation', what: `is no operation; ${guess(operation ?? '', ids)}` };
  }
  const called = method?.toUpperCase();
  const methods = operations.flatMap(methodsOf);
  if (called !== undefined && !methods.includes(called))
    return { name: 'method', what: `is no method of the service; ${guess(called, methods)}` };
  if (path?.includes('?'))
    return { name: 'path', what: 'has a query; leave it out, a rule is about the path' };
  const there = operations.filter((one) => path === undefined || mayBeAt(one, path));
  if (there.length === 0) {
    const paths = operations.map((one) => one.path);
    return { name: 'path', what: `is no path of the service; ${guess(path ?? '', paths)}` };
  }
  const both = named.filter((one) => there.includes(one));
  const met = both.filter((one) => called === undefined || methodsOf(one).includes(called));
  if (met.length === 0)
    return { name: '', what: `can never match: there is ${listed(both.length > 0 ? both : named)}` };
  if (to !== undefined && !met.some(({ body }) => body))
    return { name: 'to', what: `can never match: ${listed(met)} takes no body` };
  return undefined;
};

const methodsOf = ({ method }: Operation): string[] =>
  method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];

const guess = (given: string, known: readonly string[]): string =>
  `did you mean ${nearest(given.slice(0, 200), [...new Set(known)])}?`;

const listed = (operations: readonly Operation[]): string =>
  operations.map(({ id, method, path }) => `${id}, ${method.toUpperCase()} ${path}`).join(' and ');

/** Whether a path of a rule can be one of an operation. What varies in the operation's may be anything but nothing. */
const mayBeAt = (operation: Operation, path: string): boolean => {
  const own = operation.path.split('/');
  const wanted = path.split('/');
  return (
    own.length === wanted.length &&
    own.every((segment, at) => {
      const text = wanted[at] ?? '';
      return segment.startsWith('{') ? text !== '' : pathMatcher(decoded(text))(segment);
    })
  );
};

// A client may write any letter of a path percent-encoded.
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
