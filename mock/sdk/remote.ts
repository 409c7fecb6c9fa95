import { describeValue } from '../contract/questions.ts';
import type { Message, MessageFilter } from '../mail/template.ts';
import { URL } from '../runtime/platform.ts';
import {
  advanceChange,
  checkFields,
  checkMessageFilter,
  checkRequestFilter,
  freezeChange,
  text,
  toTimeText,
} from '../validation/arguments.ts';
import type { ClockChange, ClockReading } from '../workspace/clock.ts';
import type { FaultState } from '../workspace/faults.ts';
import type { JournalEntry, JournalSummary, RequestFilter } from '../workspace/journal-entry.ts';
import type { WaitOptions, WaitResult } from '../workspace/waiters.ts';
import { type AdminClient, createAdminClient, type Query } from './admin-client.ts';
import {
  describeMessageFilter,
  describeMessages,
  describeMisses,
  describeRequestFilter,
  describeRequests,
  toReceivedRequest,
  waitFor,
  waitForNone,
} from './wait.ts';
import type {
  CapturedMessage,
  OneOrMore,
  ReceivedRequest,
  RemoteWorkspace,
  WaitForNoneOptions,
  WaitForOptions,
} from './workspace.ts';

/** How the admin API names and sends messages or requests. */
type Noun<Filter, Summary, Stored, Item> = {
  readonly path: string;
  readonly singular: string;
  readonly plural: string;
  /** @throws TypeError for an invalid filter */
  readonly check: (filter?: Filter) => Filter;
  readonly describeFilter: (filter: Filter) => string;
  readonly describeItems: (items: readonly Summary[]) => string;
  readonly toItem: (stored: Stored) => Item;
};

type WaitReply<Summary> = Readonly<Record<string, readonly Summary[]>> & {
  readonly near_misses: readonly Readonly<Record<string, Summary>>[];
  readonly explanations: readonly string[];
};

// The longest page of the admin API.
const maxListed = 1000;

/** The outbox or the journal of a mock in another process. */
const remoteCollection = <Filter extends Query, Summary extends { readonly id: string }, Stored, Item>(
  { call, read, send, wait }: AdminClient,
  {
    path,
    singular,
    plural,
    check,
    describeFilter,
    describeItems,
    toItem,
  }: Noun<Filter, Summary, Stored, Item>,
) => {
  const list = async (filter: Filter, limit = maxListed): Promise<Item[]> => {
    const page = await call<Record<string, Summary[]>>('GET', path, { query: { ...filter, limit } });
    const items: Item[] = [];
    for (const { id } of page[plural] ?? []) {
      const stored = await read<Stored>(path, id);
      // An item may have been dropped since it was listed.
      if (stored) items.push(toItem(stored));
    }
    return items;
  };
  /** Starts one wait and keeps the response at its end. */
  const startWait = (filter: Filter, absent: boolean) => {
    let reply: WaitReply<Summary>;
    return {
      wait: async (options: WaitOptions): Promise<WaitResult> => {
        const { matched, body } = await wait(`${path}/wait`, { ...filter }, options, absent);
        reply = body as WaitReply<Summary>;
        return matched ? 'matched' : 'timeout';
      },
      reply: () => reply,
    };
  };
  return {
    list: async (filter?: Filter) => list(check(filter)),
    latest: async (filter?: Filter) => (await list(check(filter), 1))[0],
    waitFor: async (requestedFilter?: Filter, options: WaitForOptions = {}) => {
      const filter = check(requestedFilter);
      const { wait, reply } = startWait(filter, false);
      await waitFor(wait, options, () => {
        const { near_misses, explanations } = reply();
        const misses = near_misses.flatMap((miss) => miss[singular] ?? []);
        return describeMisses(describeFilter(filter), describeItems(misses), explanations);
      });
      return (await list(filter)) as OneOrMore<Item>;
    },
    waitForNone: async (requestedFilter?: Filter, options: WaitForNoneOptions = {}) => {
      const filter = check(requestedFilter);
      const { wait, reply } = startWait(filter, true);
      const describeFound = (): string =>
        `${describeFilter(filter)} is ${describeItems(reply()[plural] ?? [])}`;
      await waitForNone(wait, options, describeFound);
    },
    clear: () => send('DELETE', path, { body: { all: true } }),
  };
};

const messages: Noun<
  MessageFilter,
  Pick<Message, 'id' | 'to' | 'subject'>,
  CapturedMessage & { readonly snippet?: string },
  CapturedMessage
> = {
  path: '/outbox',
  singular: 'message',
  plural: 'messages',
  check: checkMessageFilter,
  describeFilter: describeMessageFilter,
  describeItems: describeMessages,
  // Without the snippet, which only the admin API adds.
  toItem: ({ snippet: _snippet, ...message }) => message,
};

const requests: Noun<RequestFilter, JournalSummary, JournalEntry, ReceivedRequest> = {
  path: '/requests',
  singular: 'request',
  plural: 'requests',
  check: checkRequestFilter,
  describeFilter: describeRequestFilter,
  describeItems: describeRequests,
  toItem: toReceivedRequest,
};

export type ConnectOptions = {
  /** The key of the workspace; `test_key` by default. Parallel tests should each use their own. */
  readonly apiKey?: string;
};

/**
 * A workspace of a mock in another process, for tests that do not start it themselves. Sends no request until a method is
 * called.
 * @param url base URL of the mock, e.g. `http://127.0.0.1:4010`
 * @throws TypeError for an invalid URL, and for a URL with the path of the service
 */
export const connectMock = (url: string, options: ConnectOptions = {}): RemoteWorkspace => {
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new TypeError(
      `the URL of a mock is, for example, http://127.0.0.1:4010, not ${describeValue(url)}`,
    );
  if (new URL(url).pathname.includes('/api/v1'))
    throw new TypeError(`the URL of a mock must end before /api/v1: ${describeValue(url)}`);
  checkFields('the options of connectMock', options, { apiKey: text });
  const { apiKey = 'test_key' } = options;
  const base = url.replace(/\/+$/, '');
  const client = createAdminClient(base, apiKey);
  const { call, send } = client;
  return {
    url: base,
    apiKey,
    outbox: remoteCollection(client, messages),
    requests: {
      ...remoteCollection(client, requests),
      count: async (filter) => {
        const body = checkRequestFilter(filter);
        return (await call<{ count: number }>('POST', '/requests/count', { body })).count;
      },
    },
    faults: {
      set: (rules) => send('PUT', '/faults', { body: { rules: [rules].flat() } }),
      list: async () => (await call<{ rules: FaultState[] }>('GET', '/faults')).rules,
      clear: () => send('DELETE', '/faults'),
    },
    clock: remoteClock(client),
    answers: {
      get: () => call('GET', '/answers'),
      set: (changes) => send('PATCH', '/answers', { body: changes }),
    },
    seed: (data) => send('PUT', '/state', { query: { seed: true }, body: data }),
    state: () => call('GET', '/state'),
    reset: () => send('POST', '/reset'),
  };
};

const remoteClock = ({ call, send }: AdminClient): RemoteWorkspace['clock'] => {
  const now = (): Promise<ClockReading> => call('GET', '/clock');
  const change = (body: ClockChange): Promise<void> => send('PUT', '/clock', { body });
  return {
    now,
    freeze: async (at) => change(freezeChange(at)),
    set: async (time) => change({ now: toTimeText('set', time), frozen: (await now()).frozen }),
    advance: async (ms) => change(advanceChange(ms)),
    reset: () => send('DELETE', '/clock'),
  };
};
