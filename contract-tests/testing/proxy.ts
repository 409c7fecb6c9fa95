import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { rawExchange } from '../../mock/testing/raw-http.ts';
import { readFaults } from '../proxy/faults.ts';
import { createProxyJournal } from '../proxy/journal.ts';
import { type ProxyOptions, startProxy } from '../proxy/server.ts';
import type { ObservedExchange } from '../traffic/exchanges/observed.ts';

export const nobodyListens = 'http://127.0.0.1:1';

/** A proxy on a free port of 127.0.0.1 that keeps what passes, until the test ends. */
export const startProxyInTest = async (upstream: string, options: Partial<ProxyOptions> = {}) => {
  /** What passed, in order. */
  const observed: ObservedExchange[] = [];
  const proxy = await startProxy({
    upstream: new URL(upstream),
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    onExchange: (exchange) => void observed.push(exchange),
    onReport: async () => ({}),
    journal: createProxyJournal((text) => text),
    page: undefined,
    faults: readFaults(),
    ...options,
  });
  onTestFinished(proxy.close);
  return { ...proxy, observed };
};

/** Sends a request, on a connection of its own, as Node.js writes it: fetch would change some headers and paths. */
export const ask = async (url: string, options: RequestOptions, body = '') => {
  const req = request(url, { agent: false, ...options }).end(body);
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  return { status: res.statusCode, headers: res.headers, body: await text(res) };
};

/** Sends bytes and returns what comes back until the connection ends. */
export const exchangeBytes = async (url: string, bytes: string): Promise<string> =>
  (await rawExchange(Number(new URL(url).port), bytes)).text;
