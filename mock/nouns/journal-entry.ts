import { knownOperations, operationIds } from '../contract/in-force.ts';
import type { OperationName } from '../contract/operation-id.ts';
import { pathMatcher } from '../contract/path-template.ts';
import { nearest } from '../contract/questions.ts';
import { foldCase } from '../mail/text.ts';
import { methods } from '../runtime/platform.ts';
import { parseSearchQuery, type SearchTerm } from '../runtime/text-search.ts';
import { passesAll, type Tests } from '../store/log.ts';
import { asAdd } from './fault-rules.ts';

/** The reason for a response that is not a plain success. */
export type Why = {
  /** The kind of reason: `validation_failed`, `asked_for` (by `Prefer`), `fault`, … */
  readonly code: string;
  /** What was wrong and where, or which rule handled the request. */
  readonly what: string;
  /** The open question whose answer decided the status, and that answer. */
  readonly question?: string;
  readonly answer?: string | number;
};

export type JournalSummary = {
  readonly id: string;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly created_at: string;
  readonly duration_ms: number;
  readonly why: Why | null;
};

/** The request or the response of an exchange: keys are redacted, and a long body is cut. */
export type Side = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly body_cut: boolean;
};

export type JournalEntry = JournalSummary & { readonly request: Side; readonly response: Side };

/** An entry for a list, without headers and bodies. */
export const toSummary = ({
  request: _request,
  response: _response,
  ...summary
}: JournalEntry): JournalSummary => summary;

/** Selects requests: all given fields must match. */
export type RequestFilter = {
  /** `sendEmail`, `addLead`, …, for both path forms of an operation. Any text, because an imported state may contain others. */
  readonly operation?: OperationName | (string & {}) | undefined;
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
    const [digit = ''] = String(expected);
    return /xx$/i.test(String(expected))
      ? ({ status }) => String(status).startsWith(digit)
      : ({ status }) => String(status) === String(expected);
  },
  unmatched:
    (expected) =>
    ({ why }) =>
      !expected || (why !== null && unmatchedCodes.has(why.code)),
  q: (query) => {
    const terms = parseSearchQuery(query, ['to', 'from', 'subject']).map((term) => ({
      ...term,
      text: foldCase(term.text),
    }));
    return (entry) => terms.every((term) => hasTerm(entry, term) !== term.isExcluded);
  },
};

/** Prepares the tests of a filter once, for many requests. */
export const requestTests = (filter: RequestFilter): Tests<JournalEntry> =>
  Object.entries(tests).flatMap(([name, prepare]) => {
    const expected = filter[name as keyof RequestFilter];
    return expected === undefined || expected === '' ? [] : [[name, prepare(expected as never)] as const];
  });

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
  { operation, method, path }: RequestFilter,
  entries: readonly JournalEntry[],
): UnknownFilterValue | undefined => {
  const isRecorded = (filter: RequestFilter): boolean => {
    const tests = requestTests(filter);
    return entries.some((entry) => passesAll(tests, entry));
  };
  if (operation !== undefined && !operationIds().includes(operation) && !isRecorded({ operation }))
    return unknownValue('operation', 'is not an operation of the service', asAdd(operation), operationIds());
  if (method !== undefined && !methods.includes(method.toUpperCase()) && !isRecorded({ method }))
    return unknownValue('method', 'is not an HTTP method', method.toUpperCase(), methods);
  if (path !== undefined && !/^\/[^?]*$/.test(path) && !isRecorded({ path }))
    return unknownValue(
      'path',
      'is not a path without a query',
      `/${path.replace(/\?.*|^\/+/g, '')}`,
      knownOperations().map((operation) => operation.path),
    );
  return undefined;
};

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

// Number of characters of a request that a search reads.
const maxSearched = 2000;
const maxBodySearched = 16_000;

const hasTerm = (entry: JournalEntry, { field, text }: SearchTerm): boolean => {
  const body = entry.request.body ?? '';
  if (field !== undefined) return foldCase(fieldOf(body.slice(0, maxBodySearched), field)).includes(text);
  const { operation, method, path, status, why } = entry;
  const head = `${method} ${path} ${operation ?? ''} ${status} ${why?.what ?? ''}`;
  return foldCase(head).includes(text) || foldCase(body.slice(0, maxSearched)).includes(text);
};

/** The text of a field in a body. The body is not parsed, because it may be cut or invalid JSON. */
const fieldOf = (body: string, field: string): string =>
  new RegExp(`"${field}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`, 's').exec(body)?.[1] ?? '';
