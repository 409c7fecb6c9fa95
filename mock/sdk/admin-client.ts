import { parseJson } from '../runtime/json-parts.ts';
import type { WaitOptions } from '../workspace/waiters.ts';
import { httpCall } from './http-call.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

type CallOptions = { readonly query?: Query; readonly body?: unknown };

/** `body` is empty if the response was not a JSON object. */
type AdminResponse = {
  readonly status: number;
  readonly isJson: boolean;
  readonly body: Readonly<Record<string, unknown>>;
};

/** A client of the admin API of a running mock, with one key. */
export type AdminClient = {
  /** @throws Error with the mock's error message, or if no mock responds */
  readonly call: <Body>(method: string, path: string, options?: CallOptions) => Promise<Body>;
  /** As `call`, ignoring the response body. */
  readonly send: (method: string, path: string, options?: CallOptions) => Promise<void>;
  /** Reads an item by its id; `undefined` if it does not exist. */
  readonly read: <Item>(list: string, id: string) => Promise<Item | undefined>;
  /**
   * Waits until there are enough items or the time is over. Returns which, with the response of the mock.
   * @param absent waits for absence: the response contains matching items instead of near misses
   */
  readonly wait: (
    path: string,
    query: Query,
    options: WaitOptions,
    absent?: boolean,
  ) => Promise<{ readonly matched: boolean; readonly body: AdminResponse['body'] }>;
};

// The longest wait of one call, in ms.
const maxWaitMs = 120_000;

export const createAdminClient = (url: string, apiKey: string): AdminClient => {
  const base = `${url.replace(/\/+$/, '')}/__admin`;
  const request = async (
    method: string,
    path: string,
    query: Query,
    body?: unknown,
  ): Promise<AdminResponse> => {
    const definedParameters = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(
      definedParameters.map(([name, value]): [string, string] => [name, String(value)]),
    );
    const reply = await httpCall(`${base}${path}${search.size > 0 ? `?${search}` : ''}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    }).catch((cause) => {
      throw new Error(`no mock answers at ${url}: ${cause.code ?? cause.message}`, { cause });
    });
    return { status: reply.status, ...parseObject(reply.text) };
  };
  const call: AdminClient['call'] = async (method, path, { query = {}, body } = {}) => {
    const response = await request(method, path, query, body);
    if (response.status === 200 && response.isJson) return response.body as never;
    throw toError(url, response);
  };
  return {
    call,
    read: async (list, id) => {
      const response = await request('GET', `${list}/${encodeURIComponent(id)}`, {});
      if (response.status === 200 && response.isJson) return response.body as never;
      if (response.status === 404 && 'error' in response.body) return undefined;
      throw toError(url, response);
    },
    send: async (...args) => void (await call(...args)),
    wait: async (path, query, { count = 1, timeoutMs = 10_000 }, absent = false) => {
      for (let left = Math.ceil(timeoutMs); ; left -= maxWaitMs) {
        const waitQuery = { ...query, count, timeout_ms: Math.min(left, maxWaitMs), absent };
        const response = await request('GET', path, waitQuery);
        const { status, body } = response;
        if (status === (absent ? 409 : 200) && 'cursor' in body) return { matched: true, body };
        if (status !== 200 && !('near_misses' in body)) throw toError(url, response);
        if (left <= maxWaitMs) return { matched: false, body };
      }
    },
  };
};

const toError = (url: string, { status, isJson, body: { error, message } }: AdminResponse): Error =>
  new Error(
    typeof error === 'string'
      ? `${error}. ${message}`
      : `the server at ${url} is not a mock of email-leads: ${isJson ? '' : 'no JSON, '}status ${status}`,
  );

const parseObject = (text: string): Pick<AdminResponse, 'isJson' | 'body'> => {
  const value = parseJson(text);
  const isJson = typeof value === 'object' && value !== null;
  return { isJson, body: isJson ? (value as AdminResponse['body']) : {} };
};
