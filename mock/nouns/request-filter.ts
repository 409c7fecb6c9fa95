import type { OperationName } from '../contract/operation-id.ts';
import { pathMatcher } from '../contract/path-template.ts';
import { foldCase, wordsOf } from '../mail/search.ts';
import type { Tests } from '../store/log.ts';
import type { JournalEntry } from './journal.ts';

/** Selects requests: all given fields must match. */
export type RequestFilter = {
  /** `sendEmail`, `addLead`, …, for both path forms of an operation. */
  readonly operation?: OperationName | undefined;
  readonly method?: string | undefined;
  /** A concrete path without its query, or a path template: `/api/v1/leads/{id}`. */
  readonly path?: string | undefined;
  /** A status like `503` or a class like `4xx`; `0` for a request that a connection fault left without a response. */
  readonly status?: number | string | undefined;
  /** Only requests that reached no operation: unknown path or method, no accepted key. */
  readonly unmatched?: boolean | undefined;
  /** Words in method, path, operation, status, reason or body. */
  readonly q?: string | undefined;
};

/** Why a request reached no operation. */
const unmatchedCodes: ReadonlySet<string> = new Set([
  'route_not_found',
  'method_not_allowed',
  'authentication_missing',
  'authentication_malformed',
  'key_unknown',
]);

/** Whether a status is that of a filter, or of its class. */
export const statusTest = (expected: number | string): ((status: number) => boolean) => {
  const [digit = ''] = String(expected);
  return /xx$/i.test(String(expected))
    ? (status) => String(status).startsWith(digit)
    : (status) => String(status) === String(expected);
};

/** Whether a text has every word of a search. */
export const wordsTest = (query: string): ((text: string) => boolean) => {
  const words = wordsOf(query);
  return (text) => {
    const folded = foldCase(text);
    return words.every((word) => folded.includes(word));
  };
};

type Test = (entry: JournalEntry) => boolean;

const tests: {
  readonly [Name in keyof RequestFilter]-?: (expected: NonNullable<RequestFilter[Name]>) => Test;
} = {
  operation: (expected) => (entry) => entry.operation === expected,
  method: (expected) => {
    const method = expected.toUpperCase();
    return (entry) => entry.method === method;
  },
  path: (expected) => {
    const matches = expected.includes('{') ? pathMatcher(expected) : (path: string) => path === expected;
    return ({ path }) => matches(path.split('?', 1)[0] ?? '');
  },
  status: (expected) => {
    const isMeant = statusTest(expected);
    return ({ status }) => isMeant(status);
  },
  unmatched:
    (expected) =>
    ({ why }) =>
      !expected || (why !== null && unmatchedCodes.has(why.code)),
  q: (query) => {
    const hasWords = wordsTest(query);
    return (entry) => hasWords(searchedText(entry));
  },
};

/** Prepares the tests of a filter once, for many requests. */
export const requestTests = (filter: RequestFilter): Tests<JournalEntry> =>
  Object.entries(tests).flatMap(([name, prepare]) => {
    const expected = filter[name as keyof RequestFilter];
    return expected === undefined || expected === '' ? [] : [[name, prepare(expected as never)] as const];
  });

// Number of characters of a body that a search reads.
const maxSearched = 2000;

const searchedText = ({ operation, method, path, status, why, request }: JournalEntry): string =>
  `${method} ${path} ${operation ?? ''} ${status} ${why?.what ?? ''} ${request.body?.slice(0, maxSearched) ?? ''}`;
