import { parseJson } from '../contract/document.ts';
import { describeValue } from '../contract/questions.ts';
import { httpCall } from '../runtime/http-call.ts';
import { URL } from '../runtime/platform.ts';
import { checkFields, object, text } from '../validation/fields.ts';
import { createClient, type Port } from './client.ts';
import type { RemoteWorkspace } from './mock.ts';

type Fields = Readonly<Record<string, unknown>>;

/** `body` is `undefined` if the response was not a JSON object. */
type Response = { readonly status: number; readonly body: Fields | undefined };

// The longest wait of one request, in ms.
const maxWaitMs = 120_000;

/** Reaches a workspace by the admin API of a running mock. */
const createHttpPort = (url: string, apiKey: string): Port => {
  const request = async (address: string, query: object = {}, body?: unknown): Promise<Response> => {
    const [method = '', path = ''] = address.split(' ');
    const defined = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(
      defined.map(([name, value]): [string, string] => [name, String(value)]),
    );
    const reply = await httpCall(`${url}/__admin${path}${search.size > 0 ? `?${search}` : ''}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    }).catch((cause) => {
      throw new Error(`no mock answers at ${url}: ${cause.code ?? cause.message}`, { cause });
    });
    // Another server may send any text.
    const parsed = parseJson(reply.text);
    return { status: reply.status, body: object.accepts(parsed) ? (parsed as Fields) : undefined };
  };
  return {
    call: async (address, { query, body } = {}) => {
      const response = await request(address, query, body);
      if (response.status === 200 && response.body) return response.body as never;
      throw toError(url, response);
    },
    chain: async (value, next) => next(await value),
    wait: async (item, filter, { count = 1, timeoutMs, absent }) => {
      const path = item === 'message' ? '/outbox/wait' : '/requests/wait';
      for (let left = Math.ceil(timeoutMs); ; left -= maxWaitMs) {
        const query = { ...filter, count, timeout_ms: Math.min(left, maxWaitMs), absent };
        const response = await request(`GET ${path}`, query);
        const { status, body = {} } = response;
        if (status === (absent ? 409 : 200) && 'cursor' in body)
          return { isMatched: true, items: body[`${item}s`] as never[], explanations: [] };
        if (status !== 200 && !('near_misses' in body)) throw toError(url, response);
        if (left > maxWaitMs) continue;
        const { near_misses = [], explanations = [] } = body as Readonly<Record<string, never[]>>;
        return { isMatched: false, items: near_misses.map(({ [item]: missed }) => missed), explanations };
      }
    },
  };
};

const toError = (url: string, { status, body }: Response): Error =>
  new Error(
    typeof body?.error === 'string'
      ? `${body.error}. ${body.message}`
      : `the server at ${url} is not a mock of email-leads: ${body ? '' : 'no JSON, '}status ${status}`,
  );

export type ConnectOptions = {
  /** The key of the workspace; `test_key` by default. Parallel tests should each use their own. */
  readonly apiKey?: string;
};

/**
 * A workspace of a mock in another process, for tests that do not start it themselves. Sends no request until a method is
 * called.
 * @param url base URL of the mock, e.g. `http://127.0.0.1:4010`
 * @throws TypeError for an invalid URL, and for a URL with the path of the service
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
  return { url: base, apiKey, ...createClient(createHttpPort(base, apiKey)) } as RemoteWorkspace;
};
