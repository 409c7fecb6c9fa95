import { parseJson } from '../contract/document.ts';
import { describeValue, quoted } from '../contract/questions.ts';
import type { FaultState } from '../faults/faults.ts';
import type { Answers } from '../generated/questions.ts';
import type { CapturedMessage } from '../mail/captured.ts';
import type { MessageFilter } from '../mail/template.ts';
import type { ClockChange, ClockReading, Time } from '../nouns/clock.ts';
import type { JournalEntry, RequestFilter } from '../nouns/journal.ts';
import type { WorkspaceState } from '../nouns/state.ts';
import type { Item } from '../route/logs.ts';
import { messageFilters, requestBodyFilters } from '../route/schemas.ts';
import type { JsonSchema } from '../validation/json-schema.ts';
import { checkArgument, fieldsSchema } from '../validation/schema-errors.ts';
import type {
  MockWorkspace,
  OneOrMore,
  ReceivedRequest,
  WaitForNoneOptions,
  WaitForOptions,
} from './mock.ts';

/** A value, or the promise of one: a workspace in the same process answers at once. */
type Eventual<Value> = Value | Promise<Value>;

export type ClientRequest = { readonly query?: object; readonly body?: unknown };

export type ClientReply = { readonly status: number; readonly body: unknown };

/** How the SDK reaches a workspace: in the same process, or over HTTP. */
export type Port = {
  /** Requests a route of the admin API, named as in the tables of routes. */
  readonly request: (address: string, request?: ClientRequest) => Eventual<ClientReply>;
  readonly chain: <Value, Next>(
    value: Eventual<Value>,
    next: (value: Value) => Eventual<Next>,
  ) => Eventual<Next>;
};

/** How a client offers the messages or the requests. */
type LogClient<Filter extends object, Stored, Shown> = {
  readonly item: Item;
  readonly path: string;
  readonly filters: { readonly [Name in keyof Filter]-?: JsonSchema };
  readonly describe: (item: Stored) => string;
  readonly show: (stored: Stored) => Shown;
};

// The longest page of the admin API.
const maxListed = 1000;
// The longest wait of one request, in ms.
const maxWaitMs = 120_000;
const maxDescribed = 3;

/** Below the timeout of test runners, four or five seconds, so that the error message here is seen. */
const defaultTimeoutMs = 3000;

const timeout = { type: 'number', minimum: 0, 'x-form': 'a number of milliseconds, 0 or more' };
const waitOptions = fieldsSchema({ timeout, count: { type: 'integer', minimum: 1, maximum: maxListed } });

/** The lists that the reply to a wait may have: the items, or near misses and explanations. */
type Waited = Readonly<Record<string, readonly never[] | undefined>>;

const toError = (body: unknown): Error => {
  const { error, message } = body as { readonly error: string; readonly message: string };
  return new Error(`${error}. ${message}`);
};

// Also accepts a Date of another realm or of a fake timer library.
const isDate = (time: unknown): time is Date => Object.prototype.toString.call(time) === '[object Date]';

/** @throws TypeError for an invalid time */
const toTimeText = (method: string, time: Time): string => {
  if (typeof time === 'string') return time;
  const ms = isDate(time) ? time.getTime() : time;
  if (typeof ms === 'number' && Math.abs(ms) <= 8.64e15) return new Date(ms).toISOString();
  throw new TypeError(
    `clock.${method} takes a time as ISO 8601, a Date or milliseconds since 1970, not ${describeValue(time)}`,
  );
};

/** Calls of routes. */
const callsOf = ({ request, chain }: Port) => {
  /** Calls a route. @throws Error that says what is wrong */
  const call = <Body>(address: string, sent?: ClientRequest): Eventual<Body> =>
    chain(request(address, sent), ({ status, body }) => {
      if (status !== 200) throw toError(body);
      return body as Body;
    });
  /** Calls a route for its effect only. */
  const send = (address: string, sent?: ClientRequest): Eventual<void> =>
    chain(call(address, sent), () => undefined);
  return { request, chain, call, send };
};

type Calls = ReturnType<typeof callsOf>;

/** The methods of a log. `waitFor` and `waitForNone` are promises in the same process too. */
const createLog = <Filter extends object, Stored, Shown>(
  { request, chain, call, send }: Calls,
  { item, path, filters, describe, show }: LogClient<Filter, Stored, Shown>,
) => {
  const check = (filter: Filter = {} as Filter): Filter => {
    checkArgument(`a filter of ${item}s`, filter, fieldsSchema(filters));
    return filter;
  };
  /** One request, unless the items are so large that a page ends before the last one. */
  const find = (filter: Filter, limit?: number, found: readonly Shown[] = []): Eventual<Shown[]> => {
    const query = { ...filter, full: true, start: found.length, limit: limit ?? maxListed };
    const reply = call<{ readonly total: number } & Record<string, Stored[]>>(`GET ${path}`, { query });
    return chain(reply, ({ total, [`${item}s`]: more = [] }) => {
      const all = [...found, ...more.map(show)];
      const isComplete = more.length === 0 || all.length >= Math.min(limit ?? total, total);
      return isComplete ? all : find(filter, limit, all);
    });
  };
  /**
   * How a wait ended: with the items that matched, or with the nearest ones and what may explain that they do not.
   * @throws Error if it ended for another reason than its items or its time
   */
  const wait = async (filter: Filter, timeout: number, absent: boolean, count = 1) => {
    for (let left = Math.ceil(timeout); ; left -= maxWaitMs) {
      const query = { ...filter, count, timeout_ms: Math.min(left, maxWaitMs), absent };
      const { status, body } = await request(`GET ${path}/wait`, { query });
      const { [`${item}s`]: items, near_misses: misses = [], explanations = [] } = body as Waited;
      const shown = (found: readonly Stored[]): string =>
        found.slice(0, maxDescribed).map(describe).join(', ');
      if (items && status === (absent ? 409 : 200))
        return { isMatched: true, shown: shown(items), explanations };
      if (status !== 200 && !('near_misses' in (body as object))) throw toError(body);
      if (left > maxWaitMs) continue;
      return { isMatched: false, shown: shown(misses.map(({ [item]: missed }) => missed)), explanations };
    }
  };
  const describeFilter = (filter: Filter): string => `a ${item} with ${JSON.stringify(filter)}`;
  return {
    list: (filter?: Filter) => find(check(filter)),
    latest: (filter?: Filter): Eventual<Shown | undefined> =>
      chain(find(check(filter), 1), ([first]) => first),
    /** @throws Error after the timeout, with the expected items, those that arrived instead, and possible reasons */
    waitFor: async (given?: Filter, options: WaitForOptions = {}): Promise<OneOrMore<Shown>> => {
      const filter = check(given);
      checkArgument('the options of waitFor', options, waitOptions);
      const { timeout: ms = defaultTimeoutMs, count = 1 } = options;
      const { isMatched, shown, explanations } = await wait(filter, ms, false, count);
      if (isMatched) return (await find(filter)) as OneOrMore<Shown>;
      const times = count === 1 ? '' : ` ${count} times`;
      const nearest = shown === '' ? 'there was nothing' : `the nearest are ${shown}`;
      const problem = `not found${times} within ${ms} ms: ${describeFilter(filter)}; ${nearest}`;
      throw new Error([problem, ...explanations].join('\n  '));
    },
    /** @throws Error as soon as an item matches */
    waitForNone: async (given?: Filter, options: WaitForNoneOptions = {}): Promise<void> => {
      const filter = check(given);
      checkArgument('the options of waitForNone', options, fieldsSchema({ timeout }));
      const { isMatched, shown } = await wait(filter, options.timeout ?? 1000, true);
      if (isMatched) throw new Error(`found, but none was expected: ${describeFilter(filter)} is ${shown}`);
    },
    count: (filter?: Filter): Eventual<number> => {
      const query = { ...check(filter), limit: 0 };
      const reply = call<{ readonly total: number }>(`GET ${path}`, { query });
      return chain(reply, ({ total }) => total);
    },
    clear: () => send(`DELETE ${path}`, { body: { all: true } }),
  };
};

/** The methods of a workspace, which are promises over HTTP. */
type Client<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Eventual<Awaited<Result>>
    : Client<Part[Name]>;
};

// What the methods send is here and not in the files of the nouns, so that the build of the client for browsers has nothing of
// the routes.

/** All methods of the SDK for a workspace. */
export const createClient = (port: Port): Client<Omit<MockWorkspace, 'apiKey'>> => {
  const calls = callsOf(port);
  const { chain, call, send } = calls;
  const changeClock = (body: ClockChange) => send('PUT /clock', { body });
  const readClock = () => call<ClockReading>('GET /clock');
  return {
    outbox: createLog<MessageFilter, CapturedMessage, CapturedMessage>(calls, {
      item: 'message',
      path: '/outbox',
      filters: messageFilters,
      describe: ({ id, to, subject }) =>
        `${id} to ${to ?? 'nobody'}${subject === null ? '' : ` ${quoted(subject)}`}`,
      show: (message) => message,
    }),
    requests: createLog<RequestFilter, JournalEntry, ReceivedRequest>(calls, {
      item: 'request',
      path: '/requests',
      filters: requestBodyFilters,
      describe: ({ method, path, status }) => `${method} ${path} → ${status}`,
      show: ({ request: sent, ...rest }) => ({ ...rest, request: { ...sent, json: parseJson(sent.body) } }),
    }),
    faults: {
      set: (rules) => send('PUT /faults', { body: { rules: [rules].flat() } }),
      list: () => chain(call<{ readonly rules: FaultState[] }>('GET /faults'), ({ rules }) => rules),
      clear: () => send('DELETE /faults'),
    },
    clock: {
      now: readClock,
      freeze: (at) =>
        changeClock(at === undefined ? { frozen: true } : { now: toTimeText('freeze', at), frozen: true }),
      set: (time) => {
        const now = toTimeText('set', time);
        return chain(readClock(), ({ frozen }) => changeClock({ now, frozen }));
      },
      advance: (ms) => {
        if (Number.isFinite(ms)) return changeClock({ advance_ms: Math.round(ms) });
        throw new TypeError(`clock.advance takes milliseconds, not ${describeValue(ms)}`);
      },
      reset: () => send('DELETE /clock'),
    },
    answers: {
      get: () => call<Answers>('GET /answers'),
      set: (changes) => send('PATCH /answers', { body: changes }),
    },
    seed: (data) => send('PUT /state', { query: { seed: true }, body: data }),
    state: () => call<WorkspaceState>('GET /state'),
    reset: () => send('POST /reset'),
  };
};
