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

/** What is waited for: where, and in which words its items are named. */
type WaitDescription<Filter> = {
  readonly path: string;
  readonly describe: (filter: Filter) => string;
  /** What came, by the reply to a wait. */
  readonly describeFound: (body: never) => string;
  /** What came instead; empty where there was nothing at all. */
  readonly describeNearMisses: (body: never) => string;
};

type Explained = { readonly explanations: readonly string[] };

/** The waits of `MockWorkspace`, in a mock that runs elsewhere. */
const remoteWaits = <Filter extends Query>(
  { wait }: AdminClient,
  { path, describe, describeFound, describeNearMisses }: WaitDescription<Filter>,
) => {
  /** One wait, and what was said at its end. */
  const startWait = (filter: Filter, absent: boolean) => {
    let details = '';
    let explanations: readonly string[] = [];
    return {
      wait: async (options: WaitOptions): Promise<WaitResult> => {
        const { matched, body } = await wait(path, { ...filter }, options, absent);
        if (matched && absent) details = describeFound(body as never);
        if (!matched && !absent) {
          details = describeNearMisses(body as never);
          ({ explanations } = body as Explained);
        }
        return matched ? 'matched' : 'timeout';
      },
      describeResult: () => details,
      explanations: () => explanations,
    };
  };
  return {
    waitFor: async (filter: Filter, options: WaitForOptions): Promise<void> => {
      const remoteWait = startWait(filter, false);
      await waitFor(remoteWait.wait, options, () =>
        describeMisses(describe(filter), remoteWait.describeResult(), remoteWait.explanations()),
      );
    },
    waitForNone: async (filter: Filter, options: WaitForNoneOptions): Promise<void> => {
      const remoteWait = startWait(filter, true);
      await waitForNone(
        remoteWait.wait,
        options,
        () => `${describe(filter)} is ${remoteWait.describeResult()}`,
      );
    },
  };
};

type Summary = Pick<Message, 'id' | 'to' | 'subject'>;
type MessagePage = { readonly messages: readonly Summary[] };
type NearMessages = { readonly near_misses: readonly { readonly message: Summary }[] };

/** The outbox of a mock that runs elsewhere. */
const remoteOutbox = (client: AdminClient): RemoteWorkspace['outbox'] => {
  const { call, read } = client;
  const waits = remoteWaits(client, messages);
  const list = async (filter: MessageFilter, limit = maxListed): Promise<CapturedMessage[]> => {
    const page = await call<MessagePage>('GET', '/outbox', { query: { ...filter, limit } });
    const messages: CapturedMessage[] = [];
    for (const { id } of page.messages) {
      const message = await read<CapturedMessage>('/outbox', id);
      // Otherwise dropped since it was listed.
      if (message) messages.push(withoutSnippet(message));
    }
    return messages;
  };
  return {
    list: async (filter) => list(checkMessageFilter(filter)),
    latest: async (filter) => (await list(checkMessageFilter(filter), 1))[0],
    waitFor: async (requestedFilter, options = {}) => {
      const filter = checkMessageFilter(requestedFilter);
      await waits.waitFor(filter, options);
      return (await list(filter)) as OneOrMore<CapturedMessage>;
    },
    waitForNone: async (filter, options = {}) => waits.waitForNone(checkMessageFilter(filter), options),
    clear: () => client.send('DELETE', '/outbox', { body: { all: true } }),
  };
};

const messages: WaitDescription<MessageFilter> = {
  path: '/outbox/wait',
  describe: describeMessageFilter,
  describeFound: ({ messages: found }: MessagePage) => describeMessages(found),
  describeNearMisses: ({ near_misses }: NearMessages) =>
    describeMessages(near_misses.map(({ message }) => message)),
};

// What a page of the admin API holds at most.
const maxListed = 1000;

/** Without the one thing the admin API says beside it. */
const withoutSnippet = ({
  snippet: _snippet,
  ...message
}: CapturedMessage & { snippet?: string }): CapturedMessage => message;

type RequestPage = { readonly requests: readonly JournalSummary[] };
type NearRequests = { readonly near_misses: readonly { readonly request: JournalSummary }[] };

/** The journal of a mock that runs elsewhere. */
const remoteRequests = (client: AdminClient): RemoteWorkspace['requests'] => {
  const { call, read } = client;
  const waits = remoteWaits(client, requests);
  const list = async (filter: RequestFilter, limit = maxListed): Promise<ReceivedRequest[]> => {
    const page = await call<RequestPage>('GET', '/requests', { query: { ...filter, limit } });
    const requests: ReceivedRequest[] = [];
    for (const { id } of page.requests) {
      const entry = await read<JournalEntry>('/requests', id);
      if (entry) requests.push(toReceivedRequest(entry));
    }
    return requests;
  };
  return {
    list: async (filter) => list(checkRequestFilter(filter)),
    latest: async (filter) => (await list(checkRequestFilter(filter), 1))[0],
    count: async (filter) => {
      const body = checkRequestFilter(filter);
      return (await call<{ count: number }>('POST', '/requests/count', { body })).count;
    },
    waitFor: async (requestedFilter, options = {}) => {
      const filter = checkRequestFilter(requestedFilter);
      await waits.waitFor(filter, options);
      return (await list(filter)) as OneOrMore<ReceivedRequest>;
    },
    waitForNone: async (filter, options = {}) => waits.waitForNone(checkRequestFilter(filter), options),
    clear: () => client.send('DELETE', '/requests', { body: { all: true } }),
  };
};

const requests: WaitDescription<RequestFilter> = {
  path: '/requests/wait',
  describe: describeRequestFilter,
  describeFound: ({ requests: found }: RequestPage) => describeRequests(found),
  describeNearMisses: ({ near_misses }: NearRequests) =>
    describeRequests(near_misses.map(({ request }) => request)),
};

export type ConnectOptions = {
  /** The key whose workspace it is; `test_key` by default. Tests that run side by side each take one of their own. */
  readonly apiKey?: string;
};

/**
 * A workspace of a mock that runs in another process, for tests that do not start it themselves. Nothing is asked of the mock
 * before a method is called.
 * @param url base URL of the mock, e.g. `http://127.0.0.1:4010`
 * @throws TypeError for what is no URL, and for one of the service
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
    outbox: remoteOutbox(client),
    requests: remoteRequests(client),
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
