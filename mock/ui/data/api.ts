import type { EventKind } from '../../nouns/events.ts';
import { isProxy } from './router.ts';

/** An error response of the admin API. */
export class AdminApiError extends Error {
  readonly status: number;
  readonly hint: string;

  constructor(status: number, message: string, hint: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

export type Api = {
  readonly key: string;
  readonly get: <T>(path: string, signal?: AbortSignal) => Promise<T>;
  readonly text: (path: string, signal?: AbortSignal) => Promise<string>;
  readonly send: <T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) => Promise<T>;
  /** The URL for something that the browser loads itself: a frame, a download, an event stream. */
  readonly address: (path: string) => string;
};

// The page is at …/__admin/ui/; relative, so that it works behind a proxy that adds a path.
const admin = new URL('../', document.baseURI);

/** The URL of the mock or the proxy, for commands to copy. */
export const mockAddress = new URL('../../', document.baseURI).href.replace(/\/$/, '');

const check = async (response: Response): Promise<Response> => {
  if (response.ok) return response;
  const body = (await response.json().catch(() => ({}))) as { error?: string; message?: string };
  throw new AdminApiError(response.status, body.error ?? `status ${response.status}`, body.message ?? '');
};

/**
 * The admin API for one workspace. The key is sent in a header if possible, because URLs may be logged. The proxy has one
 * journal for all keys and receives no key.
 */
export const createApi = (key: string): Api => {
  const credentials: Record<string, string> = isProxy ? {} : { authorization: `Bearer ${key}` };
  const call = async (path: string, options: RequestInit): Promise<Response> =>
    check(await fetch(new URL(`.${path}`, admin), { cache: 'no-store', ...options }));
  return {
    key,
    get: async (path, signal = null as never) => (await call(path, { headers: credentials, signal })).json(),
    text: async (path, signal = null as never) => (await call(path, { headers: credentials, signal })).text(),
    send: async (method, path, body) => {
      const headers = {
        ...credentials,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const text = body === undefined ? null : JSON.stringify(body);
      return (await call(path, { method, headers, body: text })).json();
    },
    address: (path) => {
      const url = new URL(`.${path}`, admin);
      if (!isProxy) url.searchParams.set('key', key);
      return url.href;
    },
  };
};

export type WorkspaceSummary = {
  readonly key: string;
  readonly messages: number;
  readonly leads: number;
  readonly requests: number;
};
export type WorkspaceList = {
  readonly default: string | null;
  readonly workspaces: readonly WorkspaceSummary[];
};

/** Lists the workspaces. Needs no key. */
export const listWorkspaces = async (): Promise<WorkspaceList> =>
  (await check(await fetch(new URL('./workspaces', admin), { cache: 'no-store' }))).json();

/** Reads the contract in force without a workspace, with the open questions and the server's answers. */
export const readContract = async (signal: AbortSignal): Promise<unknown> =>
  (await check(await fetch(new URL('../openapi.json', admin), { cache: 'no-store', signal }))).json();

export type Connection = {
  readonly state: 'connecting' | 'live' | 'lost' | 'refused';
  /** The error response of the server, if it refuses the event stream. */
  readonly refusal?: AdminApiError;
};

/** What changed in the workspace; `elsewhere`: perhaps requests to other workspaces, or unclaimed ones, which have no events. */
export type LiveKind = EventKind | 'elsewhere';

export type Live = {
  /** Calls the listener for events of these kinds, until the returned function is called. */
  readonly on: (kinds: readonly LiveKind[], listener: () => void) => () => void;
  /** Reports a change made by this page without waiting for the event, which may be lost. */
  readonly notify: (kind: LiveKind) => void;
  readonly close: () => void;
};

const retryMs = 1500;
const elsewhereMs = 2000;
// A browser allows six connections to one address: a hidden tab closes its connection after this time.
const idleMs = 60_000;

/** Server-sent events of one workspace, reconnected for as long as the page is open. */
export const createLive = (address: string, onConnection: (connection: Connection) => void): Live => {
  const listeners = new Map<() => void, ReadonlySet<LiveKind>>();
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isOpen = false;
  let lost = false;
  let idle: ReturnType<typeof setTimeout> | undefined;

  const watched = new Set<LiveKind>(['reset']);
  const watch = (kind: LiveKind): void => source?.addEventListener(kind, () => notify(kind));

  const notify = (kind: LiveKind): void => {
    for (const [listener, kinds] of listeners) if (kind === 'reset' || kinds.has(kind)) listener();
  };
  const open = (): void => {
    clearTimeout(retry);
    source?.close();
    source = new EventSource(address);
    for (const kind of watched) watch(kind);
    source.onopen = () => {
      isOpen = true;
      onConnection({ state: 'live' });
      // Events were missed while the connection was lost: load everything again.
      if (lost) notify('reset');
      lost = false;
    };
    source.onerror = () => {
      if (isOpen) onConnection({ state: 'lost' });
      isOpen = false;
      lost = true;
      source?.close();
      void findReason();
      retry = setTimeout(open, retryMs);
    };
  };
  // An event stream gives no reason for its failure, so the same URL is requested once more.
  const findReason = async (): Promise<void> => {
    const failed = source;
    const request = new AbortController();
    try {
      await check(await fetch(address, { cache: 'no-store', signal: request.signal }));
    } catch (error) {
      if (source !== failed) return;
      onConnection(error instanceof AdminApiError ? { state: 'refused', refusal: error } : { state: 'lost' });
    } finally {
      request.abort();
    }
  };
  const followVisibility = (): void => {
    clearTimeout(idle);
    if (document.visibilityState === 'hidden') {
      idle = setTimeout(() => {
        clearTimeout(retry);
        source?.close();
        source = undefined;
        lost = true;
      }, idleMs);
    } else if (!source) open();
  };
  document.addEventListener('visibilitychange', followVisibility);
  const elsewhere = setInterval(() => {
    if (isOpen && !document.hidden) notify('elsewhere');
  }, elsewhereMs);
  open();
  return {
    on: (kinds, listener) => {
      listeners.set(listener, new Set(kinds));
      for (const kind of kinds) {
        if (watched.has(kind)) continue;
        watched.add(kind);
        watch(kind);
      }
      return () => void listeners.delete(listener);
    },
    notify,
    close: () => {
      document.removeEventListener('visibilitychange', followVisibility);
      clearTimeout(retry);
      clearTimeout(idle);
      clearInterval(elsewhere);
      source?.close();
      source = undefined;
    },
  };
};
