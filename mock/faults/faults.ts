import { knownOperations } from '../contract/in-force.ts';
import { canMatchPath, methodsOf, pathMatcher } from '../contract/path-template.ts';
import { nearest } from '../contract/questions.ts';
import type { components } from '../generated/state.ts';
import { foldCase, matchesAddress } from '../mail/search.ts';
import type { Routes } from '../route/noun.ts';
import { list, object, ref, stored, success } from '../route/schemas.ts';
import { pseudoRandom } from '../store/ids.ts';
import { createMeter, lengthWithin, limits, type Meter, type Publish } from '../store/store.ts';
import { StateError } from '../validation/schema-errors.ts';

type Stored = components['schemas']['FaultRule'];

type CounterName = 'seen' | 'matched' | 'left';

/** Selects requests and defines how they fail. Omitted conditions match every request. */
export type FaultRule = Omit<Stored, CounterName>;

/** A rule and its counters. `seen` counts the requests that met its conditions, including those that another rule handled. */
export type FaultState = FaultRule & Required<Pick<Stored, CounterName>>;

/** Ways to break a connection, with WireMock's names. */
export type ConnectionFault = NonNullable<FaultRule['fault']>;

export type Delay = NonNullable<FaultRule['delay_ms']>;

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
    const next = rules.map(({ seen = 0, matched = 0, left: _left, ...rule }) => ({
      rule,
      path: rule.path === undefined ? undefined : pathMatcher(rule.path),
      seen,
      matched,
    }));
    // The counters change, and what was accepted must fit later too.
    const kept = next.map(({ rule }) => rule);
    add(lengthWithin(faultBounds, kept) - held());
    counters = next;
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
      publish?.({ rules: counters.length });
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

type SavedRules = readonly Stored[];

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

/** @throws StateError for a rule that no request can match, or with contradictory fields */
const checkRules = (at: string, rules: readonly FaultRule[]): void => {
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
    [[204, 304].includes(status) && hasBody, '/body', 'must be left out: 204 and 304 have no body'],
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

// Plain status texts, so that a client sees no difference to a real service.
const statusTexts: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Forbidden',
  404: 'Not found',
  408: 'Request timeout',
  409: 'Conflict',
  413: 'Payload too large',
  422: 'Unprocessable content',
  429: 'Too many requests',
  500: 'Internal server error',
  502: 'Bad gateway',
  503: 'Service unavailable',
  504: 'Gateway timeout',
};

/** What the error response of a fault without a body of its own says. */
export const plainTextOf = (status: number): readonly [error: string, message: string] => [
  statusTexts[status] ?? (status < 500 ? 'The request was refused' : 'The service failed'),
  status < 500 && status !== 429 ? 'Check the request and send it again.' : 'Try again later.',
];

// A text stands for the response of a gateway: an HTML page, or plain text.
const contentTypeOf = (body: unknown): string => {
  if (typeof body !== 'string') return 'application/json; charset=utf-8';
  return body.trimStart().startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
};

/** The response of a rule with a status; without a `body` the sender uses its own error response. */
export const responseOf = ({ status = 500, body, retry_after }: FaultRule) => ({
  status,
  headers: {
    ...(retry_after === undefined ? {} : { 'retry-after': String(retry_after) }),
    ...(body === undefined ? {} : { 'content-type': contentTypeOf(body) }),
  },
  body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
});

const rulesSchema = object({ rules: list(ref('FaultRule')) });

/** Fault rules: which requests fail, and how. */
export const faultRoutes = {
  'GET /faults': {
    id: 'getFaults',
    summary: 'List the fault rules and their counters',
    description:
      '`seen` counts the requests that met the conditions of the rule, `matched` the requests that the rule handled, `left` the remaining uses (`null`: unlimited).',
    replies: success('The rules, in the order of evaluation.', rulesSchema),
    run: ({ faults }) => ({ rules: faults.list() }),
  },
  'PUT /faults': {
    id: 'putFaults',
    summary: 'Replace all fault rules and reset their counters',
    description:
      'The first matching rule handles a request. A rule that can never match is rejected. The response of GET is a valid body; `seen`, `matched` and `left` are then reset.',
    body: {
      ...object({ rules: list(ref('FaultRule')) }),
      examples: [{ rules: [{ operation: 'sendEmail', to: '*@example.com', status: 503, times: 1 }] }],
    },
    replies: stored('The rules.', rulesSchema),
    run: ({ faults }, { body }) => {
      const { rules } = body as { readonly rules: readonly FaultRule[] };
      faults.replace(rules);
      return { rules: faults.list() };
    },
  },
  'DELETE /faults': {
    id: 'deleteFaults',
    summary: 'Delete all fault rules',
    description: 'New requests are handled normally. Requests that are already delayed stay delayed.',
    replies: success('An empty list.', rulesSchema),
    run: ({ faults }) => {
      faults.replace([]);
      return { rules: [] };
    },
  },
} satisfies Routes<{ readonly faults: Faults }>;
