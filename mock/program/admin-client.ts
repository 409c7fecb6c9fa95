import type { WaitOptions } from '../waiters.ts';
import { httpCall } from './http-call.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

type Given = { readonly query?: Query; readonly body?: unknown };

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** The admin API of a running mock, as a key may use it. */
export type AdminClient = {
  /** @throws Error with what the mock says of a refused call, or that there is none */
  readonly call: <Body>(method: string, path: string, given?: Given) => Promise<Body>;
  /** The same where nobody asks what the mock replies. */
  readonly tell: (method: string, path: string, given?: Given) => Promise<void>;
  /**
   * Holds until enough is there or the time is over, and tells which, with what the mock said of it.
   * @param absent lets the mock say what came, and not what came near
   */
  readonly wait: (
    path: string,
    query: Query,
    options: WaitOptions,
    absent?: boolean,
  ) => Promise<{ readonly met: boolean; readonly body: Answer['body'] }>;
};

// What one call may wait at most.
const longestMs = 120_000;

export const adminClient = (url: string, apiKey: string): AdminClient => {
  const base = `${url.replace(/\/+$/, '')}/__admin`;
  const ask = async (method: string, path: string, query: Query, body?: unknown): Promise<Answer> => {
    const named = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(named.map(([name, value]): [string, string] => [name, String(value)]));
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
    return { status: reply.status, body: parsed(reply.text) };
  };
  const call: AdminClient['call'] = async (method, path, { query = {}, body } = {}) => {
    const answer = await ask(method, path, query, body);
    if (answer.status === 200) return answer.body as never;
    throw refusal(url, answer);
  };
  return {
    call,
    tell: async (...given) => void (await call(...given)),
    wait: async (path, query, { count = 1, timeoutMs = 10_000 }, absent = false) => {
      for (let left = Math.ceil(timeoutMs); ; left -= longestMs) {
        const asked = { ...query, count, timeout_ms: Math.min(left, longestMs), absent };
        const answer = await ask('GET', path, asked);
        const { status, body } = answer;
        if (status === (absent ? 409 : 200) && 'cursor' in body) return { met: true, body };
        if (status !== 200 && !('near_misses' in body)) throw refusal(url, answer);
        if (left <= longestMs) return { met: false, body };
      }
    },
  };
};

const refusal = (url: string, { status, body: { error, message } }: Answer): Error =>
  new Error(
    typeof error === 'string'
      ? `${error}. ${message}`
      : `what answers at ${url} is no mock: status ${status}`,
  );

const parsed = (text: string): Answer['body'] => {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
};
