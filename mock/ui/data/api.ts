import type { EventKind } from '../../nouns/index.ts';
import { isProxy } from './router.ts';
import { views } from './views.ts';

/** An error response of the admin API. */
export class AdminApiError extends Error {
  readonly status: number;
  readonly hint: string;

  get text(): string {
    return `${this.message}. ${this.hint}`;
  }

  constructor(status: number, message: string, hint: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Api = {
  readonly key: string;
  /** The JSON of a path, or its text if it is of another type. */
  readonly get: <T>(path: string, signal?: AbortSignal) => Promise<T>;
  readonly send: (method: Method, path: string, body?: unknown) => Promise<unknown>;
  /** The URL for something that the browser loads itself: a frame, a download, an event stream. */
  readonly address: (path: string) => string;
};

// The page is at …/__admin/ui/; relative, so that it works behind a proxy that adds a path.
const admin = new URL('../', document.baseURI);

/** The URL of the mock or the proxy, for commands to copy. */
export const mockAddress = new URL('../../', document.baseURI).href.replace(/\/$/, '');

const request = async (url: URL | string, options: RequestInit): Promise<Response> => {
  const response = await fetch(url, { cache: 'no-store', ...options });
  if (response.ok) return response;
  const body = (await response.json().catch(() => ({}))) as { error?: string; message?: string };
  throw new AdminApiError(response.status, body.error ?? `status ${response.status}`, body.message ?? '');
};

/**
 * The admin API for one workspace. The key is sent in a header if possible, because URLs may be logged. The proxy has one
 * journal for all keys and receives no key.
 */
export const createApi = (key: string): Api => {
  const credentials: Record<string, string> = isProxy || key === '' ? {} : { authorization: `Bearer ${key}` };
  const call = async (path: string, options: RequestInit) => {
    const response = await request(new URL(`.${path}`, admin), { headers: credentials, ...options });
    return response.headers.get('content-type')?.includes('json') ? response.json() : response.text();
  };
  return {
    key,
    get: (path, signal) => call(path, { signal: signal ?? null }),
    send: (method, path, body) => {
      if (body === undefined) return call(path, { method });
      const headers = { ...credentials, 'content-type': 'application/json' };
      return call(path, { method, headers, body: JSON.stringify(body) });
    },
    address: (path) => {
      const url = new URL(`.${path}`, admin);
      if (!isProxy) url.searchParams.set('key', key);
      return url.href;
    },
  };
};

/** The admin API without a workspace: the list of all, and the contract with the answers of the server. */
export const serverApi = createApi('');

export type Connection = {
  readonly state: 'connecting' | 'live' | 'lost' | 'refused';
  /** The error response of the server, if it refuses the event stream. */
  readonly refusal?: AdminApiError;
};

/** What changed in the workspace; `polled`: every two seconds, for requests with other keys or without one, which have no events. */
export type LiveKind = EventKind | 'polled';

export type Live = {
  /** Calls the listener for events of these kinds, until the returned function is called. */
  readonly on: (kinds: readonly LiveKind[], listener: () => void) => () => void;
  /** Reports a change made by this page without waiting for the event, which may be lost. */
  readonly notify: (kind: LiveKind) => void;
  readonly close: () => void;
};

const pollMs = 2000;
// A browser allows six connections to one address: a hidden tab closes its connection after this time.
const idleMs = 60_000;

/** Server-sent events of one workspace. The browser connects again by itself when the connection is lost. */
export const createLive = (address: string, onConnection: (connection: Connection) => void): Live => {
  const listeners = new Map<() => void, readonly LiveKind[]>();
  let source: EventSource | undefined;
  let missedEvents = false;
  let idle: ReturnType<typeof setTimeout> | undefined;

  const notify = (kind: LiveKind): void => {
    for (const [listener, kinds] of listeners) if (kind === 'reset' || kinds.includes(kind)) listener();
  };
  const open = (): void => {
    const opened = new EventSource(address);
    source = opened;
    for (const { event } of Object.values(views)) opened.addEventListener(event, () => notify(event));
    opened.onopen = () => {
      onConnection({ state: 'live' });
      if (missedEvents) notify('reset');
      missedEvents = false;
    };
    opened.onerror = () => {
      missedEvents = true;
      if (opened.readyState === EventSource.CLOSED) void findReason(address).then(onConnection);
      else onConnection({ state: 'lost' });
    };
  };
  const close = (): void => {
    source?.close();
    source = undefined;
    missedEvents = true;
  };
  const followVisibility = (): void => {
    clearTimeout(idle);
    if (document.hidden) idle = setTimeout(close, idleMs);
    else if (!source) open();
  };
  document.addEventListener('visibilitychange', followVisibility);
  const poll = setInterval(() => {
    if (source?.readyState === EventSource.OPEN && !document.hidden) notify('polled');
  }, pollMs);
  open();
  return {
    on: (kinds, listener) => {
      listeners.set(listener, kinds);
      return () => void listeners.delete(listener);
    },
    notify,
    close: () => {
      document.removeEventListener('visibilitychange', followVisibility);
      clearTimeout(idle);
      clearInterval(poll);
      close();
    },
  };
};

/** An event stream gives no reason for an error response, which ends it, so the same URL is requested once more. */
const findReason = async (address: string): Promise<Connection> => {
  const stop = new AbortController();
  try {
    await request(address, { signal: stop.signal });
    return { state: 'refused' };
  } catch (error) {
    return error instanceof AdminApiError ? { state: 'refused', refusal: error } : { state: 'lost' };
  } finally {
    stop.abort();
  }
};
