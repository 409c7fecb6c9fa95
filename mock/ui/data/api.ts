import { isProxy, workspaceKey } from './router.ts';

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

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

// The page is at …/__admin/ui/; relative, so that it works behind a proxy that adds a path.
const admin = new URL('../', document.baseURI);

/** The URL of the mock or the proxy, for commands to copy. */
export const mockAddress = new URL('../../', document.baseURI).href.replace(/\/$/, '');

/** The contract with the answers of the server; those of the workspace come with its key. */
export const serverContract = '/../openapi.json';

const hasKey = (path: string): boolean => !isProxy && path !== serverContract && workspaceKey() !== '';

/** The URL of something that the browser loads itself: a frame, a download, an event stream. */
export const addressOf = (path: string): string => {
  const url = new URL(`.${path}`, admin);
  if (hasKey(path)) url.searchParams.set('key', workspaceKey());
  return url.href;
};

type Options = { readonly method?: Method; readonly body?: unknown; readonly signal?: AbortSignal };

/**
 * Calls the admin API for the workspace. The key is sent in a header if possible, because URLs may be logged. The proxy has one
 * journal for all keys and receives no key.
 * @throws AdminApiError for an error response
 */
export const request = async (path: string, options: Options = {}): Promise<Response> => {
  const { method = 'GET', body, signal = null } = options;
  const response = await fetch(new URL(`.${path}`, admin), {
    method,
    signal,
    cache: 'no-store',
    headers: {
      ...(hasKey(path) ? { authorization: `Bearer ${workspaceKey()}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.ok) return response;
  const problem = (await response.json().catch(() => ({}))) as { error?: string; message?: string };
  throw new AdminApiError(
    response.status,
    problem.error ?? `status ${response.status}`,
    problem.message ?? '',
  );
};
