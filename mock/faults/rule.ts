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
  for (const [index, rule] of rules.entries()) {
    const found = problemsOf(rule).find(([isFound]) => isFound);
    if (found) throw new StateError(`${at}/${index}${found[1]}`, found[2]);
  }
};

// Deeper than any real request, and shallow enough to be serialized.
const maxDepth = 100;
const tooDeep = `is nested more than ${maxDepth} deep`;

const isDeep = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth > maxDepth || Object.values(value).some((member) => isDeep(member, depth + 1)));

type Problem = readonly [isFound: boolean, place: string, problem: string];

/** What a schema cannot say of a rule. The first that is found is named. */
const problemsOf = (rule: FaultRule): readonly Problem[] => {
  const { status = 0, fault, delay_ms, body, retry_after, take_effect, when } = rule;
  const [hasStatus, hasBody] = [status > 0, body !== undefined];
  const answers = hasStatus || fault !== undefined;
  return [
    unreachable(rule),
    [!answers && delay_ms === undefined, '', 'does nothing; give it a status, a fault or a delay_ms'],
    [
      !answers && take_effect === true,
      '',
      'has a take_effect, which needs a status or a fault; what only waits takes effect anyway',
    ],
    [
      hasStatus && fault !== undefined,
      '',
      'has both a status and a fault; a broken connection has no status',
    ],
    [!hasStatus && hasBody, '', 'has a body, which needs a status'],
    [!hasStatus && retry_after !== undefined, '', 'has a retry_after, which needs a status'],
    [hasStatus && status < 400 && !hasBody, '/status', 'is a success, which needs a body'],
    [[204, 304].includes(status) && hasBody, '/status', 'is one of a reply without a body'],
    [typeof delay_ms === 'object' && delay_ms.min > delay_ms.max, '/delay_ms', 'has a min above its max'],
    [isDeep(when), '/when', tooDeep],
    [isDeep(body), '/body', tooDeep],
  ];
};

/** Whether no request can meet the conditions of a rule, with any answers. */
const unreachable = ({ operation, method, path, to, when }: FaultRule): Problem => {
  const known = knownOperations();
  const atPath = known.filter((each) => path === undefined || canMatchPath(each.path, path));
  if (path !== undefined && atPath.length === 0) {
    const paths = known.map((each) => each.path);
    const problem = `is not a path of the service; did you mean ${nearest(path.slice(0, 200), paths)}?`;
    return [true, '/path', problem];
  }
  const needsBody = to !== undefined || when !== undefined;
  const isMet = atPath.some(
    (each) =>
      (operation === undefined || each.id === operation) &&
      (method === undefined || methodsOf(each).includes(method.toUpperCase())) &&
      (!needsBody || each.body !== undefined),
  );
  return [!isMet, '', 'can never match: no operation meets all of its conditions'];
};

const methodsOf = ({ method }: Operation): string[] =>
  method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
