import { parseJson } from '../contract/document.ts';
import { describeValue } from '../contract/questions.ts';
import { httpCall } from '../runtime/http-call.ts';
import { URL } from '../runtime/platform.ts';
import { isObject } from '../validation/json-schema.ts';
import { checkArgument, fieldsSchema } from '../validation/schema-errors.ts';
import { createClient, type Port } from './client.ts';
import type { RemoteWorkspace } from './mock.ts';

/** Reaches a workspace by the admin API of a running mock. */
const createHttpPort = (url: string, apiKey: string): Port => ({
  request: async (address, { query = {}, body } = {}) => {
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
    const isJson = isObject(parsed);
    if (isJson && (reply.status === 200 || 'error' in parsed)) return { status: reply.status, body: parsed };
    throw new Error(
      `the server at ${url} is not a mock of email-leads: ${isJson ? '' : 'no JSON, '}status ${reply.status}`,
    );
  },
  chain: async (value, next) => next(await value),
});

/** The methods as promises, which a wrong argument rejects. */
const asPromises = (methods: object): object =>
  Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      typeof method === 'function'
        ? async (...args: unknown[]) => method(...args)
        : asPromises(method as object),
    ]),
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
  checkArgument('the options of connectMock', options, fieldsSchema({ apiKey: { type: 'string' } }));
  const { apiKey = 'test_key' } = options;
  const base = url.replace(/\/+$/, '');
  return { url: base, apiKey, ...asPromises(createClient(createHttpPort(base, apiKey))) } as RemoteWorkspace;
};
