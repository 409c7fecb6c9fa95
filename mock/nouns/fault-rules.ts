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

/** @throws StateError for a rule that no request can match, or with contradictory fields, with a pointer that begins with `/rules` */
export const checkRules = (rules: readonly FaultRule[]): void => {
  for (const [index, rule] of rules.entries()) checkRule(`/rules/${index}`, rule);
};

// Deeper than any real request, and shallow enough to be serialized.
const maxDepth = 100;
// A request cannot contain more values.
const maxVisited = 1_000_000;

/** @throws StateError for a rule that no request can match, or with contradictory fields */
export const checkRule = (at: string, rule: FaultRule): void => {
  const { status, fault, delay_ms, body, retry_after } = rule;
  const unreachable = findUnreachable(rule);
  if (unreachable)
    throw new StateError(unreachable.name === '' ? at : `${at}/${unreachable.name}`, unreachable.problem);
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
  if (isDeep(rule.when)) throw new StateError(`${at}/when`, `is nested more than ${maxDepth} deep`);
  if (isDeep(body)) throw new StateError(`${at}/body`, `is nested more than ${maxDepth} deep`);
};

const isDeep = (value: unknown): boolean => {
  let level = [value];
  let visited = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    const children = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
    visited += children.length;
    // Values that occur several times are visited once, or their number would multiply from level to level.
    level = visited > maxVisited ? [...new Set(children)] : children;
  }
  return false;
};

type Conditions = {
  readonly operation?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly to?: string | undefined;
  readonly when?: object | undefined;
};

/** A condition that no request can meet. `name` is empty if only the combination cannot be met. */
type UnreachableCondition = { readonly name: keyof Conditions | ''; readonly problem: string };

/** Why a rule can never match, with any answers; `undefined` if it can. */
const findUnreachable = ({
  operation,
  method,
  path,
  to,
  when,
}: Conditions): UnreachableCondition | undefined => {
  const operations = knownOperations();
  const withOperation = operations.filter(({ id }) => operation === undefined || id === operation);
  if (withOperation.length === 0) {
    const ids = operations.map(({ id }) => id);
    return { name: 'operation', problem: `is not an operation; ${suggest(asAdd(operation ?? ''), ids)}` };
  }
  const upperMethod = method?.toUpperCase();
  const methods = operations.flatMap(methodsOf);
  if (upperMethod !== undefined && !methods.includes(upperMethod))
    return { name: 'method', problem: `is not a method of the service; ${suggest(upperMethod, methods)}` };
  if (path?.includes('?'))
    return { name: 'path', problem: 'has a query; leave it out, a rule is about the path' };
  const atPath = operations.filter((operation) => path === undefined || canMatchPath(operation.path, path));
  if (atPath.length === 0) {
    const paths = operations.map((operation) => operation.path);
    return { name: 'path', problem: `is not a path of the service; ${suggest(path ?? '', paths)}` };
  }
  const candidates = withOperation.filter((operation) => atPath.includes(operation));
  const reachable = candidates.filter(
    (operation) => upperMethod === undefined || methodsOf(operation).includes(upperMethod),
  );
  if (reachable.length === 0)
    return {
      name: '',
      problem: `can never match: there is ${describeOperations(candidates.length > 0 ? candidates : withOperation)}`,
    };
  if ((to !== undefined || when !== undefined) && !reachable.some(({ body }) => body))
    return {
      name: to === undefined ? 'when' : 'to',
      problem: `can never match: ${describeOperations(reachable)} takes no body`,
    };
  return undefined;
};

const methodsOf = ({ method }: Operation): string[] =>
  method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];

/** What others call create is called add here. */
export const asAdd = (name: string): string => name.replace(/^(create|new|insert|post)(?=[A-Z])/, 'add');

const suggest = (value: string, known: readonly string[]): string =>
  `did you mean ${nearest(value.slice(0, 200), [...new Set(known)])}?`;

const describeOperations = (operations: readonly Operation[]): string =>
  operations.map(({ id, method, path }) => `${id}, ${method.toUpperCase()} ${path}`).join(' and ');
