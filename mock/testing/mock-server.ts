import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Mock, MockOptions } from '../index.ts';
import type { Lead } from '../nouns/leads.ts';
import { startCheckedMock } from './checked-mock.ts';

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
  const reply = await request(url, { method: method as 'GET', ...toRequest(sent) });
  return toReceived(reply.statusCode, reply.headers, await reply.body.text());
};

const toRequest = ({ key = 'test_key', body, headers = {} }: Sent) => ({
  headers: {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  },
  body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
});

const toReceived = (status: number, headers: Received['headers'], text: string): Received => {
  const json = String(headers['content-type']).startsWith('application/json') && text !== '';
  return { status, headers, text, body: json ? JSON.parse(text) : undefined };
};

/** The same without a connection. */
export const exchangeByFetch = async (fetch: Mock['fetch'], url: string, method: string, sent: Sent = {}) => {
  const { headers, body } = toRequest(sent);
  const reply = await fetch(new Request(url, { method, headers, body }));
  return toReceived(reply.status, Object.fromEntries(reply.headers), await reply.text());
};

/** A mail that lacks nothing but a recipient. */
export const mailInTest = { subject: 'Hi', from: 'a@example.com', html: '<p>Hi</p>' };

/** A refused request, for `toMatchObject`. @param error a part of what the response says */
export const rejectedWith = (status: number, error: string) => ({
  status,
  body: { error: expect.stringContaining(error) },
});

/** A mock for the tests of one file; every reply is held against the contract, unless `start` is `startMock`. */
export const useMock = (options: MockOptions = {}, start = startCheckedMock) => {
  let mock: Mock;
  let own = 'test_key';
  beforeAll(async () => {
    mock = await start(options);
  });
  beforeEach(() => {
    if (!options.acceptKeys) own = mock.key();
  });
  afterAll(() => mock.close());
  const call = (method: string, path: string, sent?: Sent) =>
    exchange(mock.url + path, method, { key: own, ...sent });
  /** Calls the admin API. */
  const admin = (method: string, path: string, sent?: Sent) => call(method, `/__admin${path}`, sent);
  return {
    get url() {
      return mock.url;
    },
    get port() {
      return mock.port;
    },
    /** The workspace of the running test, which nobody else uses: the key of every call that names none. */
    get own() {
      return own;
    },
    /** Another workspace nobody else uses. */
    key: () => mock.key(),
    call,
    admin,
    /** The body that a GET of the admin API returns. */
    read: async <Body = unknown>(path: string, key = own) => (await admin('GET', path, { key })).body as Body,
    /** Adds a lead and returns it. */
    lead: async (body: object = { name: 'Lena Fischer' }, key = own) => {
      const added = await call('POST', '/api/v1/leads', { key, body });
      return (added.body as { data: Lead }).data;
    },
    /** Sends a mail. */
    mail: (fields: object = {}, key = own) =>
      call('POST', '/api/v1/email/send', { key, body: { ...mailInTest, ...fields } }),
  };
};
