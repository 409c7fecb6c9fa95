import type { OperationName } from '../contract/operation-id.ts';
import { pathMatcher } from '../contract/path-template.ts';
import { foldCase, matchesAddress } from '../mail/text.ts';
import { type Account, limits, StorageFull, textBytes } from '../runtime/limits.ts';
import { pseudoRandom } from '../runtime/pseudo-random.ts';
import { createUnsharedResources } from './bounded-log.ts';

/** Ways to break a connection, with WireMock's names. */
const connectionFaults = [
  'EMPTY_RESPONSE',
  'CONNECTION_RESET_BY_PEER',
  'MALFORMED_RESPONSE_CHUNK',
  'RANDOM_DATA_THEN_CLOSE',
] as const;

export type ConnectionFault = (typeof connectionFaults)[number];

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

export type FaultedRequest = {
  readonly operation: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Parsed JSON, once the body is read. */
  readonly body?: unknown;
};

/** The rule that handles a request. */
export type MatchedFault = {
  readonly rule: FaultRule;
  /** Its position in the list, counted from 1. */
  readonly position: number;
  readonly delay: number | undefined;
};

export type Faults = {
  readonly list: () => FaultState[];
  /** Replaces all rules. Counters restart unless a rule includes its own. @throws StorageFull with nothing changed */
  readonly replace: (rules: readonly (FaultRule & Partial<RuleCounts>)[]) => void;
  /** Whether there are any rules. */
  readonly hasRules: () => boolean;
  /** Whether a rule can match the request only after its body is read. */
  readonly needsBody: (request: FaultedRequest) => boolean;
  /** The first matching rule; counts as one use of it. */
  readonly match: (request: FaultedRequest) => MatchedFault | undefined;
};

type RuleCounts = { readonly seen: number; readonly matched: number };

type Counter = {
  readonly rule: FaultRule;
  readonly path: ((path: string) => boolean) | undefined;
  seen: number;
  matched: number;
};

// A parsed value takes more memory than its JSON text.
const bytesPerLetter = 4;

/** What a fault rule takes in memory. */
export const ruleBytes = (rule: FaultRule): number => bytesPerLetter * textBytes(JSON.stringify(rule));

/** The fault rules of one workspace. All of it is synchronous, so that parallel requests never share a use. */
export const createFaults = (account: Account = createUnsharedResources().account): Faults => {
  let counters: Counter[] = [];
  let held = 0;
  const match = (request: FaultedRequest): MatchedFault | undefined => {
    let matchedFault: MatchedFault | undefined;
    for (const [index, counter] of counters.entries()) {
      if (!matchesRule(counter, request)) continue;
      // Every rule counts, also those after the matching one: `nth` means the nth request that meets the conditions.
      counter.seen += 1;
      if (matchedFault || !isDue(counter)) continue;
      counter.matched += 1;
      matchedFault = { rule: counter.rule, position: index + 1, delay: delayOf(counter, index) };
    }
    return matchedFault;
  };
  return {
    list: () =>
      counters.map(({ rule, seen, matched }) => ({
        ...rule,
        seen,
        matched,
        left: rule.times === undefined ? null : Math.max(0, rule.times - matched),
      })),
    replace: (rules) => {
      const bytes = rules.reduce((sum, rule) => sum + ruleBytes(rule), 0);
      if (bytes > limits.faultsBytes) throw new StorageFull('fault rules', limits.faultsBytes);
      account.charge(bytes - held);
      held = bytes;
      counters = rules.map(({ seen = 0, matched = 0, ...rule }) => {
        const { left: _left, ...own } = rule as FaultRule & { left?: unknown };
        return { rule: own, path: own.path === undefined ? undefined : pathMatcher(own.path), seen, matched };
      });
      account.settle();
    },
    hasRules: () => counters.length > 0,
    needsBody: (request) =>
      counters.some(
        ({ rule, path }) =>
          (rule.to !== undefined || rule.when !== undefined) && matchesWithoutBody({ rule, path }, request),
      ),
    match,
  };
};

const matchesWithoutBody = (
  { rule, path }: Pick<Counter, 'rule' | 'path'>,
  request: FaultedRequest,
): boolean =>
  (rule.operation === undefined || rule.operation === request.operation) &&
  (rule.method === undefined || rule.method.toUpperCase() === request.method) &&
  (path === undefined || path(request.path));

const matchesRule = (counter: Counter, request: FaultedRequest): boolean => {
  const { to, when } = counter.rule;
  return (
    matchesWithoutBody(counter, request) &&
    (to === undefined || matchesRecipient(to, request.body)) &&
    (when === undefined || includesValue(request.body, when))
  );
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const matchesRecipient = (pattern: string, body: unknown): boolean =>
  isObject(body) && typeof body.to === 'string' && matchesAddress(body.to, foldCase(pattern));

/** Whether a value equals the expected one. An object must contain the expected members, and may have others. */
const includesValue = (value: unknown, expected: unknown): boolean => {
  if (!isObject(expected)) return value === expected;
  if (!isObject(value) || Array.isArray(value) !== Array.isArray(expected)) return false;
  if (Array.isArray(expected) && expected.length !== (value as unknown as unknown[]).length) return false;
  return Object.entries(expected).every(
    ([name, member]) => Object.hasOwn(value, name) && includesValue(value[name], member),
  );
};

const isDue = ({ rule, seen, matched }: Counter): boolean =>
  (rule.nth === undefined || rule.nth === seen) && (rule.times === undefined || matched < rule.times);

// The same delay in every run: it depends only on the position of the rule and its number of uses.
const delayOf = ({ rule: { delay_ms }, matched }: Counter, index: number): number | undefined => {
  if (typeof delay_ms !== 'object') return delay_ms;
  const [bits = 0] = pseudoRandom(`${index}\n${matched}`);
  return delay_ms.min + (bits % (delay_ms.max - delay_ms.min + 1));
};
