import { pathMatcher } from '../contract/path-template.ts';
import { foldCase, matchesAddress } from '../mail/search.ts';
import type { Part } from '../route/noun.ts';
import { pseudoRandom } from '../store/ids.ts';
import { createMeter, lengthWithin, limits, type Meter, type Publish } from '../store/store.ts';
import { checkRules, type FaultRule, type FaultState } from './rule.ts';

type FaultedRequest = {
  readonly operation: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The body as parsed JSON; `undefined` if it is none. */
  readonly body: () => unknown;
};

/** The rule that handles a request. */
export type MatchedFault = {
  readonly rule: FaultRule;
  /** Its position in the list, counted from 1. */
  readonly position: number;
  readonly delay: number | undefined;
};

type Counter = {
  readonly rule: FaultRule;
  readonly path: ((path: string) => boolean) | undefined;
  seen: number;
  matched: number;
};

const faultBounds = { name: 'fault rules', count: limits.faultRules, length: limits.faultRulesLength };

export type Faults = ReturnType<typeof createFaults>;

/** The fault rules of one workspace, or of a proxy. All of it is synchronous, so that parallel requests never share a use. */
export const createFaults = (
  { meter, publish }: { readonly meter?: Meter; readonly publish?: Publish } = {},
  saved: SavedRules = [],
) => {
  let counters: Counter[] = [];
  const { add, held } = createMeter(meter);
  /** Replaces all rules and their counters. */
  const set = (at: string, rules: SavedRules): void => {
    checkRules(at, rules);
    add(lengthWithin(faultBounds, rules) - held());
    counters = rules.map(({ seen = 0, matched = 0, left: _left, ...rule }) => ({
      rule,
      path: rule.path === undefined ? undefined : pathMatcher(rule.path),
      seen,
      matched,
    }));
  };
  set('/faults', saved);
  return {
    list: (): FaultState[] =>
      counters.map(({ rule, seen, matched }) => ({
        ...rule,
        seen,
        matched,
        left: rule.times === undefined ? null : Math.max(0, rule.times - matched),
      })),
    /** Replaces all rules; counters restart. @throws StateError for a contradictory rule, StoreFull; with nothing changed */
    replace: (rules: readonly FaultRule[]): void => {
      set(
        '/rules',
        rules.map((rule) => ({ ...rule, seen: 0, matched: 0 })),
      );
      publish?.(() => ({ rules: counters.length }));
    },
    /** Whether there are any rules. */
    hasRules: () => counters.length > 0,
    /** The first matching rule; counts as one use of it. */
    match: (request: FaultedRequest): MatchedFault | undefined => {
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
    },
  };
};

type SavedRules = readonly (FaultRule & Partial<FaultState>)[];

export const faultPart = {
  create: createFaults,
  save: (faults) => faults.list(),
} satisfies Part<Faults, SavedRules, SavedRules>;

const matchesRule = ({ rule, path }: Counter, request: FaultedRequest): boolean =>
  (rule.operation === undefined || rule.operation === request.operation) &&
  (rule.method === undefined || rule.method.toUpperCase() === request.method) &&
  (path === undefined || path(request.path)) &&
  (rule.to === undefined || matchesRecipient(rule.to, request.body())) &&
  (rule.when === undefined || includesValue(request.body(), rule.when));

const matchesRecipient = (pattern: string, body: unknown): boolean => {
  const { to } = Object(body) as { readonly to?: unknown };
  return typeof to === 'string' && matchesAddress(to, foldCase(pattern));
};

/** Whether a value equals the expected one. An object must contain the expected members, and may have others. */
const includesValue = (value: unknown, expected: unknown): boolean => {
  if (typeof expected !== 'object' || expected === null) return value === expected;
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(expected))
    return false;
  if (Array.isArray(expected) && expected.length !== (value as unknown[]).length) return false;
  return Object.entries(expected).every(
    ([name, member]) => Object.hasOwn(value, name) && includesValue(value[name as never], member),
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
