import { limits, textBytes } from '../runtime/limits.ts';
import type { AnswerOverrides } from './answers.ts';
import { type StoreResources, writeCursor } from './bounded-log.ts';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Journal } from './journal.ts';
import type { Outbox } from './outbox.ts';
import type { WorkspaceState } from './snapshot.ts';

/** The part of the state that changed; `reset`: all of it. */
export type EventKind = Exclude<keyof WorkspaceState, 'counters'> | 'reset';

/** An event in a workspace, with its data as JSON. */
export type WorkspaceEvent = { readonly id: string; readonly kind: EventKind; readonly data: string };

type Watcher = { readonly send: (event: WorkspaceEvent) => void; readonly end: () => void };

export type Events = {
  /** Publishes an event. `data` is not called until the workspace has been watched for the first time. */
  readonly publish: (kind: EventKind, data: () => object) => void;
  /**
   * Sends the events after `lastId`, then all new ones, until the returned function is called. If those events are no longer
   * kept, it sends a `reset` first: then load everything again.
   * @returns `undefined` if there are too many watchers
   */
  readonly watch: (watcher: Watcher, lastId?: string) => (() => void) | undefined;
  /**
   * Calls the listener after requests to other workspaces or without an accepted key, until the returned function is called.
   * The app under test may use another key than the page.
   */
  readonly watchElsewhere: (listener: () => void) => () => void;
  /** Forgets earlier events: a client that reconnects must load everything again. */
  readonly forget: () => void;
  readonly heldBytes: () => number;
  /** Ends every watch. */
  readonly end: () => void;
};

// Enough for a browser that reconnects after a few seconds.
const maxReplayed = 256;
const overhead = 200;

/** A `reset` event in place of events that cannot be sent: the client loads everything again. */
export const createGap = (id: string, reason: string): WorkspaceEvent => ({
  id,
  kind: 'reset',
  data: JSON.stringify({ reason }),
});

/** Tells the watchers of a workspace about requests to other workspaces and unclaimed requests. */
export type Elsewhere = {
  /** Called after every request, with an object that identifies its workspace, if it has one. */
  readonly tell: (workspace?: object) => void;
  /** Calls the listener after requests outside the workspace, until the returned function is called. */
  readonly watch: (workspace: object, listener: () => void) => () => void;
};

export const createElsewhere = (): Elsewhere => {
  const listeners = new Map<() => void, object>();
  return {
    tell: (workspace) => {
      for (const [listener, own] of listeners) if (own !== workspace) listener();
    },
    watch: (workspace, listener) => {
      listeners.set(listener, workspace);
      return () => void listeners.delete(listener);
    },
  };
};

export const createEvents = (
  { account, connectionLimit }: StoreResources,
  epoch: number,
  elsewhere = createElsewhere(),
): Events => {
  const watchers = new Set<Watcher>();
  let recentEvents: WorkspaceEvent[] = [];
  let held = 0;
  let number = 0;
  let hasWatchers = false;

  const idOf = (eventNumber: number): string => writeCursor(epoch, eventNumber);
  const missedSince = (lastId: string): readonly WorkspaceEvent[] => {
    if (lastId === idOf(number)) return [];
    const last = recentEvents.findIndex(({ id }) => id === lastId);
    return last >= 0 ? recentEvents.slice(last + 1) : [createGap(idOf(number), 'events were missed')];
  };
  const adjustHeld = (difference: number): void => {
    held += difference;
    account.charge(difference);
  };
  const remember = (event: WorkspaceEvent): void => {
    recentEvents.push(event);
    adjustHeld(eventBytes(event));
    while (recentEvents.length > maxReplayed || held > limits.eventsBytes) {
      const oldest = recentEvents.shift();
      if (oldest) adjustHeld(-eventBytes(oldest));
    }
  };
  const forget = (): void => {
    adjustHeld(-held);
    recentEvents = [];
  };
  return {
    publish: (kind, data) => {
      if (kind === 'requests') elsewhere.tell(watchers);
      number += 1;
      if (!hasWatchers) return;
      const event = { id: idOf(number), kind, data: JSON.stringify(data()) };
      remember(event);
      for (const watcher of [...watchers]) watcher.send(event);
    },
    watch: (watcher, lastId) => {
      if (connectionLimit.used >= connectionLimit.max) return undefined;
      hasWatchers = true;
      watchers.add(watcher);
      connectionLimit.used += 1;
      if (lastId !== undefined) for (const event of missedSince(lastId)) watcher.send(event);
      return () => {
        if (watchers.delete(watcher)) connectionLimit.used -= 1;
      };
    },
    watchElsewhere: (listener) => elsewhere.watch(watchers, listener),
    forget,
    heldBytes: () => held,
    end: () => {
      for (const watcher of [...watchers]) watcher.end();
    },
  };
};

const eventBytes = ({ data }: WorkspaceEvent): number => overhead + textBytes(data);

type Parts = {
  readonly outbox: Outbox;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly answerOverrides: AnswerOverrides;
};

/**
 * Wraps the parts of a workspace so that every change publishes an event. A reset or a new state changes them without
 * events and then publishes one itself.
 */
export const publishChanges = (
  { publish }: Events,
  { outbox, journal, faults, clock, answerOverrides }: Parts,
): Parts => ({
  outbox: {
    ...outbox,
    remove: (id) => {
      const removed = outbox.remove(id);
      if (removed) publish('outbox', () => ({ change: 'deleted', id }));
      return removed;
    },
    clear: withNotification(outbox.clear, () => publish('outbox', () => ({ change: 'cleared' }))),
  },
  journal: {
    ...journal,
    clear: withNotification(journal.clear, () => publish('requests', () => ({ change: 'cleared' }))),
  },
  faults: {
    ...faults,
    replace: withNotification(faults.replace, () =>
      publish('faults', () => ({ rules: faults.list().length })),
    ),
  },
  clock: {
    ...clock,
    change: withNotification(clock.change, () => publish('clock', clock.reading)),
    restore: withNotification(clock.restore, () => publish('clock', clock.reading)),
  },
  answerOverrides: {
    ...answerOverrides,
    change: withNotification(answerOverrides.change, () => publish('answers', answerOverrides.values)),
    replace: withNotification(answerOverrides.replace, () => publish('answers', answerOverrides.values)),
  },
});

/** Notifies only after a successful change: a rejected one throws. */
const withNotification =
  <Args extends unknown[]>(change: (...args: Args) => void, notify: () => void) =>
  (...args: Args): void => {
    change(...args);
    notify();
  };
