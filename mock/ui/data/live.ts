import { useEffect, useState } from 'preact/hooks';
import type { EventKind } from '../../nouns/index.ts';
import { AdminApiError, addressOf, request } from './api.ts';
import { createStore } from './store.ts';
import { views } from './views.ts';

export type Connection = {
  readonly state: 'connecting' | 'live' | 'lost' | 'refused';
  /** The error response of the server, if it refuses the event stream. */
  readonly refusal?: AdminApiError;
};

export const connection = createStore<Connection>({ state: 'connecting' });

/** What changed in the workspace; `polled`: every two seconds, for requests with other keys or without one, which have no events. */
export type LiveKind = EventKind | 'polled';

const listeners = new Map<() => void, readonly LiveKind[]>();

/** Tells that something changed. The page does so itself for what it changed, because the event may be lost. */
export const notify = (kind: LiveKind): void => {
  for (const [listener, kinds] of listeners) if (kind === 'reset' || kinds.includes(kind)) listener();
};

const pollMs = 2000;
// A browser allows six connections to one address: a hidden tab closes its connection after this time.
const idleMs = 60_000;

/** Follows the events of the workspace. The browser connects again by itself when the connection is lost. */
export const connect = (): void => {
  let source: EventSource | undefined;
  let missedEvents = false;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    const opened = new EventSource(addressOf('/events'));
    source = opened;
    for (const { event } of Object.values(views)) opened.addEventListener(event, () => notify(event));
    opened.onopen = () => {
      connection.set({ state: 'live' });
      if (missedEvents) notify('reset');
      missedEvents = false;
    };
    opened.onerror = () => {
      missedEvents = true;
      if (opened.readyState === EventSource.CLOSED) void findReason().then(connection.set);
      else connection.set({ state: 'lost' });
    };
  };
  document.addEventListener('visibilitychange', () => {
    clearTimeout(idle);
    if (!document.hidden && !source) open();
    if (document.hidden)
      idle = setTimeout(() => {
        source?.close();
        source = undefined;
        missedEvents = true;
      }, idleMs);
  });
  setInterval(() => {
    if (source?.readyState === EventSource.OPEN && !document.hidden) notify('polled');
  }, pollMs);
  open();
};

/** An event stream gives no reason for an error response, which ends it, so the same URL is requested once more. */
const findReason = async (): Promise<Connection> => {
  const stop = new AbortController();
  try {
    await request('/events', { signal: stop.signal });
    return { state: 'refused' };
  } catch (error) {
    return error instanceof AdminApiError ? { state: 'refused', refusal: error } : { state: 'lost' };
  } finally {
    stop.abort();
  }
};

type Loaded<T> = { readonly data: T | undefined; readonly error: AdminApiError | undefined };

/** Loads JSON from the admin API, and again after each of the events. Old data is shown until the new data is loaded. */
export const useLoaded = <T>(path: string | undefined, events: readonly LiveKind[]): Loaded<T> => {
  const [state, setState] = useState<{ path?: string; data?: T; error?: AdminApiError }>({});
  const eventList = events.join();
  useEffect(() => {
    if (path === undefined) return;
    const { reload, stop } = createReloader(async (signal) => {
      try {
        const data: T = await (await request(path, { signal })).json();
        if (!signal.aborted) setState({ path, data });
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof AdminApiError) setState({ path, error });
        // No response: data already loaded stays, except for another path.
        else setState((last) => (last.path === path ? last : {}));
      }
    });
    reload();
    listeners.set(reload, eventList.split(',') as LiveKind[]);
    return () => {
      listeners.delete(reload);
      stop();
    };
  }, [path, eventList]);
  const { error } = state.path === path ? state : {};
  return { data: path === undefined ? undefined : state.data, error };
};

// Events come in bursts: the first one reloads immediately, the rest together.
const pauseMs = 200;

/** Runs one load at a time with a pause in between. Calls in the meantime cause one more load. */
const createReloader = (load: (signal: AbortSignal) => Promise<void>) => {
  const stopped = new AbortController();
  let isBusy = false;
  let isStale = false;
  const reload = async (): Promise<void> => {
    isStale = true;
    if (isBusy) return;
    isBusy = true;
    while (isStale && !stopped.signal.aborted) {
      isStale = false;
      await load(stopped.signal);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    isBusy = false;
  };
  return { reload: () => void reload(), stop: () => stopped.abort() };
};
