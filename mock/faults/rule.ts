import type { Operation } from '../contract/document.ts';
import { knownOperations } from '../contract/in-force.ts';
import type { OperationName } from '../contract/operation-id.ts';
import { canMatchPath } from '../contract/path-template.ts';
import { nearest } from '../contract/questions.ts';
import { StateError } from '../validation/schema-errors.ts';

/** Ways to break a connection, with WireMock's names. */
export type ConnectionFault =
  | 'EMPTY_RESPONSE'
  | 'CONNECTION_RESET_BY_PEER'
  | 'MALFORMED_RESPONSE_CHUNK'
  | 'RANDOM_DATA_THEN_CLOSE';

export type Delay = number | { readonly min: number; readonly max: number };

/** Selects requests and defines how they fail. Omitted conditions match every request. */
export type FaultRule = {
  readonly operation?: OperationName;
  readonly method?: string;
  /** A concrete path, or a path template: `/api/v1/leads/{id}`. */
  readonly path?: string;
  /** The recipient in the body of the request; `*` stands for any characters: `*@example.com`. */
  readonly to?: string;
  /** Fields that the request body must have with these values, beside any others: `{"name":"Slow Joe"}`. */
  readonly when?: Readonly<Record<string, unknown>>;
  /** Only the nth request that meets the conditions above, counted from 1 since the rule was set. */
  readonly nth?: number;
  readonly status?: number;
  readonly fault?: ConnectionFault;
  readonly delay_ms?: Delay;
  /** Replaces the mock's own error response: an object is sent as JSON, a text as it is. */
  readonly body?: unknown;
  /**
   * The operation of a valid request takes effect, and only the response is lost: as with a gateway timeout or a connection
   * that breaks late. Shows how a client behaves that then repeats the request.
   */
  readonly take_effect?: boolean;
  /** Seconds, or an HTTP date. */
  readonly retry_after?: number | string;
  /** Maximum number of uses. */
  readonly times?: number;
};

/** A rule and its counters. */
export type FaultState = FaultRule & {
  /** Requests that met its conditions, including those that another rule handled. */
  readonly seen: number;
  /** Requests it handled. */
  readonly matched: number;
  /** Remaining uses; `null` if unlimited. */
  readonly left: number | null;
};

/** @throws StateError for a rule that no request can match, or with contradictory fields */
export const checkRules = (at: string, rules: readonly FaultRule[]): void => {
  for (const [index, rule] of rules.entries()) checkRule(`${at}/${index}`, rule);
};

// Deeper than any real request, and shallow enough to be serialized.
const maxDepth = 100;

const checkRule = (at: string, rule: FaultRule): void => {
  const { status, fault, delay_ms, body, retry_after } = rule;
  const unreachable = findUnreachable(rule);
  if (unreachable) throw new StateError(`${at}${unreachable[0]}`, unreachable[1]);
  if (status === undefined && fault === undefined && delay_ms === undefined)
    throw new StateError(at, 'does nothing; give it a status, a fault or a delay_ms');
  if (rule.take_effect && status === undefined && fault === undefined)
    throw new StateError(
      at,
      'has a take_effect, which needs a status or a fault; what only waits takes effect anyway',
    );
  if (status !== undefined && fault !== undefined)
    throw new StateError(at, 'has both a status and a fault; a broken connection has no status');
  if (status === undefined && (body !== undefined || retry_after !== undefined))
    throw new StateError(at, `has a ${body === undefined ? 'retry_after' : 'body'}, which needs a status`);
  if (status !== undefined && status < 400 && body === undefined)
    throw new StateError(`${at}/status`, 'is a success, which needs a body');
  if ((status === 204 || status === 304) && body !== undefined)
    throw new StateError(`${at}/status`, 'is one of a reply without a body');
  if (typeof delay_ms === 'object' && delay_ms.min > delay_ms.max)
    throw new StateError(`${at}/delay_ms`, 'has a min above its max');
  for (const name of ['when', 'body'] as const)
    if (isDeep(rule[name])) throw new StateError(`${at}/${name}`, `is nested more than ${maxDepth} deep`);
};

const isDeep = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth > maxDepth || Object.values(value).some((member) => isDeep(member, depth + 1)));

/** Why no request can meet the conditions of a rule, with any answers, and the place of the condition. */
const findUnreachable = ({
  operation,
  method,
  path,
  to,
  when,
}: FaultRule): readonly [string, string] | undefined => {
  const operations = knownOperations();
  const isAtPath = (known: Operation): boolean => path === undefined || canMatchPath(known.path, path);
  if (path !== undefined && !operations.some(isAtPath)) {
    const suggestion = nearest(
      path.slice(0, 200),
      operations.map((known) => known.path),
    );
    return ['/path', `is not a path of the service; did you mean ${suggestion}?`];
  }
  const conditions = [
    (known: Operation): boolean => operation === undefined || known.id === operation,
    isAtPath,
    (known: Operation): boolean => method === undefined || methodsOf(known).includes(method.toUpperCase()),
    ({ body }: Operation): boolean => (to === undefined && when === undefined) || body !== undefined,
  ];
  // In this order: a wrong recipient is nearer than another operation.
  const unmetBy = (known: Operation): number => conditions.findIndex((isMetBy) => !isMetBy(known));
  if (operations.some((known) => unmetBy(known) < 0)) return undefined;
  const closest = operations.reduce((best, known) => (unmetBy(known) > unmetBy(best) ? known : best));
  const [name = ''] = methodsOf(closest);
  const body = closest.body ? 'with a body' : 'without a body';
  return ['', `can never match; the closest operation is ${closest.id}, ${name} ${closest.path}, ${body}`];
};

const methodsOf = ({ method }: Operation): string[] =>
  method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
