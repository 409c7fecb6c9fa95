import { request } from 'undici';
import { afterAll, beforeAll } from 'vitest';
import { type Mock, type MockOptions, startMock } from './index.ts';
import type { Lead } from './state.ts';

/** What a test sends. An object is sent as JSON, a text as it is. */
export type Sent = {
  readonly key?: string | null;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Received = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The parsed JSON, `undefined` where there is none. */
  readonly body: unknown;
};

/** One HTTP exchange, for tests. `key: null` leaves the Authorization header out. */
export const exchange = async (url: string, method: string, sent: Sent = {}): Promise<Received> => {
  const { key = 'test_key', body, headers = {} } = sent;
  const reply = await request(url, {
    method: method as 'GET',
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
  });
  const text = await reply.body.text();
  const json = String(reply.headers['content-type']).startsWith('application/json') && text !== '';
  return {
    status: reply.statusCode,
    headers: reply.headers,
    text,
    body: json ? JSON.parse(text) : undefined,
  };
};

export type MockInTest = {
  readonly url: string;
  readonly port: number;
  /** A workspace nobody else uses. */
  readonly key: () => string;
  readonly call: (method: string, path: string, sent?: Sent) => Promise<Received>;
  /** Adds a lead and returns it. */
  readonly lead: (key: string, fields?: object) => Promise<Lead>;
};

/** A mock for the tests of one file, every reply held against the contract. */
export const useMock = (options: MockOptions = {}): MockInTest => {
  let mock: Mock;
  beforeAll(async () => {
    mock = await startMock({ validateReplies: true, ...options });
  });
  afterAll(() => mock.close());
  const call: MockInTest['call'] = (method, path, sent) => exchange(mock.url + path, method, sent);
  return {
    get url() {
      return mock.url;
    },
    get port() {
      return mock.port;
    },
    key: () => mock.key(),
    call,
    lead: async (key, fields = { name: 'Lena Fischer' }) => {
      const { body } = await call('POST', '/api/v1/leads', { key, body: fields });
      return (body as { data: Lead }).data;
    },
  };
};
