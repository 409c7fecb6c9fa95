import { greatest } from './numbering.ts';
import type { OperationName } from './operation-id.ts';
import { pathMatcher } from './path-pattern.ts';

/** Ways to break a connection, by WireMock's names. */
export const connectionFaults = [
  'EMPTY_RESPONSE',
  'CONNECTION_RESET_BY_PEER',
  'MALFORMED_RESPONSE_CHUNK',
  'RANDOM_DATA_THEN_CLOSE',
] as const;

export type ConnectionFault = (typeof connectionFaults)[number];

export type Delay = number | { readonly min: number; readonly max: number };

/** Which requests go wrong, and how. Conditions that are left out hold for every request. */
export type FaultRule = {
  readonly operation?: OperationName;
  readonly method?: string;
  /** A path as it is called, or as the contract writes it: `/api/v1/leads/{id}`. */
  readonly path?: string;
  /** The recipient in the body of the request. */
  readonly to?: string;
  /** Only the nth request that meets the conditions above, counted from 1 since the rule was set. */
  readonly nth?: number;
  readonly status?: number;
  readonly fault?: ConnectionFault;
  readonly delay_ms?: Delay;
  /** Sent instead of a refusal of the mock: an object as JSON, a text as it is. */
  readonly body?: unknown;
  /**
   * Carries the operation out all the same, where the request is valid, and loses only the reply: what a gateway that gives
   * up, or a connection that breaks too late, looks like to a client that then asks again.
   */
  readonly take_effect?: boolean;
  /** Seconds, or an HTTP date. */
  readonly retry_after?: number | string;
  /** How often the rule is used at most. */
  readonly times?: number;
};

/** A rule and what became of it. */
export type FaultState = FaultRule & {
  /** Requests that met its conditions, whether this rule took them or not. */
  readonly seen: number;
  /** Requests it took. */
  readonly matched: number;
  /** How often it can still be used; `null` for ever. */
  readonly left: number | null;
};

export type FaultedRequest = {
  readonly operation: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The recipient, once the body was read. */
  readonly to?: string | undefined;
};

/** The rule that takes a request. */
export type Taken = {
  readonly rule: FaultRule;
  /** Its place in the list, counted from 1. */
  readonly place: number;
  readonly delay: number | undefined;
};

export type Faults = {
  readonly list: () => FaultState[];
  /** These and no others; counting starts over but for what `counted` says of a rule. */
  readonly replace: (rules: readonly (FaultRule & Partial<Counted>)[]) => void;
  /** Whether there are any rules: most requests ask no further. */
  readonly any: () => boolean;
  /** Whether a rule can take the request only when its body was read. */
  readonly needsBody: (request: FaultedRequest) => boolean;
  /** The first rule that takes the request, which counts as one use of it. */
  readonly take: (request: FaultedRequest) => Taken | undefined;
};

type Counted = { readonly seen: number; readonly matched: number };

type Counter = {
  readonly rule: FaultRule;
  readonly path: ((path: string) => boolean) | undefined;
  seen: number;
  matched: number;
};

/** The fault rules of one workspace. Nothing here waits, so requests that come at once never share a use. */
export const createFaults = (): Faults => {
  let counters: Counter[] = [];
  const take = (request: FaultedRequest): Taken | undefined => {
    let taken: Taken | undefined;
    for (const [index, counter] of counters.entries()) {
      if (!meets(counter, request)) continue;
      // Counted by every rule, also by those after the one that takes it: `nth` means the nth request, not the nth left over.
      counter.seen = Math.min(counter.seen + 1, greatest);
      if (taken || !isDue(counter)) continue;
      counter.matched = Math.min(counter.matched + 1, greatest);
      taken = { rule: counter.rule, place: index + 1, delay: delayOf(counter, index) };
    }
    return taken;
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
      counters = rules.map(({ seen = 0, matched = 0, ...rule }) => {
        const { left: _left, ...own } = rule as FaultRule & { left?: unknown };
        return { rule: own, path: own.path === undefined ? undefined : pathMatcher(own.path), seen, matched };
      });
    },
    any: () => counters.length > 0,
    needsBody: (request) =>
      counters.some(({ rule, path }) => rule.to !== undefined && meetsHead({ rule, path }, request)),
    take,
  };
};

const meetsHead = ({ rule, path }: Pick<Counter, 'rule' | 'path'>, request: FaultedRequest): boolean =>
  (rule.operation === undefined || rule.operation === request.operation) &&
  (rule.method === undefined || rule.method.toUpperCase() === request.method) &&
  (path === undefined || path(request.path));

const meets = (counter: Counter, request: FaultedRequest): boolean =>
  meetsHead(counter, request) &&
  (counter.rule.to === undefined || counter.rule.to.toLowerCase() === request.to?.toLowerCase());

const isDue = ({ rule, seen, matched }: Counter): boolean =>
  (rule.nth === undefined || rule.nth === seen) && (rule.times === undefined || matched < rule.times);

const delayOf = ({ rule: { delay_ms }, matched }: Counter, index: number): number | undefined =>
  typeof delay_ms === 'object'
    ? delay_ms.min + (scrambled(index, matched) % (delay_ms.max - delay_ms.min + 1))
    : delay_ms;

// Looks random, and is the same in every run: it depends on which rule is used for which time, and on nothing else.
const scrambled = (rule: number, use: number): number => {
  let mixed = Math.imul(rule + 1, 0x9e3779b1) ^ Math.imul(use, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 13)) >>> 0;
};
