/** The admin API said no. */
export class Refused extends Error {
  readonly status: number;
  readonly hint: string;

  constructor(status: number, what: string, hint: string) {
    super(what);
    this.status = status;
    this.hint = hint;
  }
}

export type Api = {
  readonly key: string;
  readonly get: <T>(path: string, signal?: AbortSignal) => Promise<T>;
  readonly text: (path: string, signal?: AbortSignal) => Promise<string>;
  readonly send: <T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) => Promise<T>;
  /** The address of something the browser loads by itself: a frame, a download, a stream of events. */
  readonly address: (path: string) => string;
};

// The page is at …/__admin/ui/; relative, so that it works behind a proxy that adds a path.
const admin = new URL('../', document.baseURI);

/** The address of the mock, for lines to copy. */
export const mockAddress = new URL('../../', document.baseURI).href.replace(/\/$/, '');

const check = async (response: Response): Promise<Response> => {
  if (response.ok) return response;
  const said = (await response.json().catch(() => ({}))) as { error?: string; message?: string };
  throw new Refused(response.status, said.error ?? `status ${response.status}`, said.message ?? '');
};

/** The admin API for one workspace. Headers carry the key where they can: addresses end up in logs. */
export const createApi = (key: string): Api => {
  const authorization = `Bearer ${key}`;
  const call = async (path: string, options: RequestInit): Promise<Response> =>
    check(await fetch(new URL(`.${path}`, admin), { cache: 'no-store', ...options }));
  return {
    key,
    get: async (path, signal = null as never) =>
      (await call(path, { headers: { authorization }, signal })).json(),
    text: async (path, signal = null as never) =>
      (await call(path, { headers: { authorization }, signal })).text(),
    send: async (method, path, body) => {
      const headers = {
        authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const sent = body === undefined ? null : JSON.stringify(body);
      return (await call(path, { method, headers, body: sent })).json();
    },
    address: (path) => {
      const url = new URL(`.${path}`, admin);
      url.searchParams.set('key', key);
      return url.href;
    },
  };
};

export type Seen = { readonly key: string; readonly messages: number; readonly leads: number };
export type Workspaces = { readonly default: string | null; readonly workspaces: readonly Seen[] };

/** The workspaces there are. Needs no key. */
export const listWorkspaces = async (): Promise<Workspaces> =>
  (await check(await fetch(new URL('./workspaces', admin), { cache: 'no-store' }))).json();

/** The contract in force, which holds the open questions. */
export const readContract = async (): Promise<unknown> =>
  (await check(await fetch(new URL('../openapi.json', admin), { cache: 'no-store' }))).json();
