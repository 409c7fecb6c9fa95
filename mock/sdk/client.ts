import { describeValue } from '../contract/questions.ts';
import type { Answers } from '../generated/questions.ts';
import type { MessageFilter } from '../mail/template.ts';
import type { ClockChange, ClockReading, Time } from '../nouns/clock.ts';
import type { FaultRule, FaultState } from '../nouns/fault-rules.ts';
import type { JournalEntry, RequestFilter } from '../nouns/journal-entry.ts';
import type { StateDocument, WorkspaceState } from '../nouns/state-document.ts';
import { messageFilters, requestFilters } from '../route/parameters.ts';
import { createLogClient } from './log-client.ts';
import { type Eventual, type Port, send } from './port.ts';
import type { CapturedMessage, MockWorkspace, ReceivedRequest } from './workspace.ts';

// One table for each noun: what its methods send. The tables are beside the nouns and not in their files, so that the build of
// the client for browsers has nothing of the routes.

const { count: _count, ...outbox } = createLogClient<MessageFilter, CapturedMessage, CapturedMessage>({
  item: 'message',
  path: '/outbox',
  filters: messageFilters,
  describe: ({ id, to, subject }) =>
    `${id} to ${to ?? 'nobody'}${subject === null ? '' : ` "${cut(subject)}"`}`,
  // The snippet is for lists of the admin API. A copy would read the contents of messages in the same process at once.
  show: (message) => {
    Reflect.deleteProperty(message, 'snippet');
    return message;
  },
});

const maxSubjectLength = 80;

const cut = (subject: string): string =>
  subject.length > maxSubjectLength ? `${subject.slice(0, maxSubjectLength)}…` : subject;

const requests = createLogClient<RequestFilter, JournalEntry, ReceivedRequest>({
  item: 'request',
  path: '/requests',
  filters: requestFilters,
  describe: ({ method, path, status }) => `${method} ${path} → ${status}`,
  show: ({ request, ...rest }) => ({ ...rest, request: { ...request, json: parseJson(request.body) } }),
});

/** A text parsed as JSON; `undefined` if it is not JSON: another media type, broken, or cut. */
const parseJson = (text: string | null): unknown => {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};

const faults = {
  set: (port: Port, rules: FaultRule | readonly FaultRule[]) =>
    send(port, 'PUT /faults', { body: { rules: [rules].flat() } }),
  list: ({ call, chain }: Port) =>
    chain(call<{ readonly rules: FaultState[] }>('GET /faults'), ({ rules }) => rules),
  clear: (port: Port) => send(port, 'DELETE /faults'),
};

const change = (port: Port, body: ClockChange) => send(port, 'PUT /clock', { body });

const clock = {
  now: ({ call }: Port) => call<ClockReading>('GET /clock'),
  freeze: (port: Port, at?: Time) =>
    change(port, at === undefined ? { frozen: true } : { now: toTimeText('freeze', at), frozen: true }),
  set: (port: Port, time: Time) => {
    const now = toTimeText('set', time);
    return port.chain(clock.now(port), ({ frozen }) => change(port, { now, frozen }));
  },
  advance: (port: Port, ms: number) => {
    if (Number.isFinite(ms)) return change(port, { advance_ms: Math.round(ms) });
    throw new TypeError(`clock.advance takes milliseconds, not ${describeValue(ms)}`);
  },
  reset: (port: Port) => send(port, 'DELETE /clock'),
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

const answers = {
  get: ({ call }: Port) => call<Answers>('GET /answers'),
  set: (port: Port, changes: Parameters<MockWorkspace['answers']['set']>[0]) =>
    send(port, 'PATCH /answers', { body: changes }),
};

const whole = {
  seed: (port: Port, data: StateDocument) => send(port, 'PUT /state', { query: { seed: true }, body: data }),
  state: ({ call }: Port) => call<WorkspaceState>('GET /state'),
  reset: (port: Port) => send(port, 'POST /reset'),
};

/** The methods of a part of the SDK, each with the port as its first argument. */
type ClientOf<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends (...args: infer Args) => infer Result
    ? (port: Port, ...args: Args) => Eventual<Awaited<Result>>
    : ClientOf<Part[Name]>;
};

const tables = { outbox, requests, faults, clock, answers, ...whole } satisfies ClientOf<
  Omit<MockWorkspace, 'apiKey'>
>;

type Method = (...args: unknown[]) => unknown;
type Table = { readonly [name: string]: Method | Table };

const bind = (table: Table, wrap: (method: Method) => Method): object =>
  Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [
      name,
      typeof entry === 'function' ? wrap(entry) : bind(entry, wrap),
    ]),
  );

/** All methods of the SDK for a workspace in the same process. */
export const createLocalClient = (port: Port): Omit<MockWorkspace, 'apiKey'> =>
  bind(
    tables as Table,
    (method) =>
      (...args) =>
        method(port, ...args),
  ) as MockWorkspace;

/** All methods of the SDK for a workspace of another process: each returns a promise, which a wrong argument rejects. */
export const createRemoteClient = (port: Port): object =>
  bind(
    tables as Table,
    (method) =>
      async (...args) =>
        method(port, ...args),
  );
