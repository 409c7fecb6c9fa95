import { once, setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Behaviour, defaultBehaviour } from './behaviour.ts';
import { carriesKey, createJudge, listRoutes, match } from './routes.ts';
import { createStore } from './store.ts';
import { createTime, type Time } from './time.ts';
import { readCall, send, toRawResponse } from './transport.ts';
import type { Call, Mutation, RawResponse, RunningDeployment, ServiceContext } from './types.ts';

/** What lies outside §4 belongs to whatever stands in front of the service; the document promises nothing there. */
const page = (status: number, text: string): RawResponse => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  payload: Buffer.from(`<!doctype html><title>${text}</title><h1>${text}</h1><hr><center>nginx</center>\n`),
});

const outsideService = (behaviour: Behaviour): RawResponse | undefined => {
  if (behaviour.outsideService === 'html') return page(404, '404 Not Found');
  if (behaviour.outsideService === 'home-page') return page(200, 'Welcome to the academy');
  if (behaviour.outsideService === 'redirect')
    return { status: 302, headers: { location: '/login' }, payload: Buffer.alloc(0) };
  return undefined;
};

/** Refuses what comes too fast, as a gateway does: before any key is looked at (§8). */
const createGate = ({ rate }: Behaviour, { now }: Time): (() => RawResponse | undefined) => {
  let second = 0;
  let taken = 0;
  return () => {
    const current = Math.floor(now() / 1000);
    if (current !== second) [second, taken] = [current, 0];
    taken += 1;
    if (!rate || taken <= rate.perSecond) return undefined;
    return {
      status: rate.status,
      headers: {
        'content-type': 'application/json',
        ...(rate.retryAfter ? { 'retry-after': rate.retryAfter(new Date(now())) } : {}),
      },
      payload: Buffer.from(JSON.stringify({ success: false, error: 'slow down' })),
    };
  };
};

export type BehaviourOverrides = Partial<Behaviour>;

/** A service as the document describes it, its open questions answered by `overrides`, with a `mutation` if it is to be broken. */
export const createService = (overrides: BehaviourOverrides = {}, mutation: Mutation = {}) => ({
  start: async (): Promise<RunningDeployment> => {
    const behaviour: Behaviour = { ...defaultBehaviour, ...overrides };
    const time = createTime();
    const store = createStore(behaviour, time);
    const { judge } = createJudge(behaviour, store);
    const routes = listRoutes(behaviour);
    const gate = createGate(behaviour, time);
    const counts = new Map<unknown, number>();
    const closing = new AbortController();
    setMaxListeners(0, closing.signal); // every request that is answered slowly listens
    const sleep = (ms: number) => delay(ms, undefined, { signal: closing.signal });

    const pathOf = (request: IncomingMessage) => {
      const [path = '/'] = (request.url ?? '/').split('?');
      const inside = path.startsWith(behaviour.prefix) ? path.slice(behaviour.prefix.length) : '/';
      return behaviour.trailingSlash === 'accepted' ? inside.replace(/\/$/, '') : inside;
    };

    const judgeCall = (call: Call, admitted: (call: Call) => boolean) =>
      judge(call, match(routes, call.method, call.path), admitted(call));
    const context: ServiceContext = {
      store,
      key: behaviour.key,
      sleep,
      after: time.after,
      memory: new Map(),
      perform: (call) => judgeCall(call, () => true),
    };
    const admitted = (call: Call) => {
      const expected = carriesKey(call, behaviour);
      return mutation.admit?.(call, expected, context) ?? expected;
    };

    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const path = pathOf(request);
      const route = match(routes, request.method ?? 'GET', path);
      const read = await readCall(request, path, route);
      const nth = (counts.get(route.operation) ?? 0) + 1;
      counts.set(route.operation, nth);
      const call: Call = { ...read, nth, at: time.now() };
      if (behaviour.latencyMs > 0) await sleep(behaviour.latencyMs);

      const respond = (raw: RawResponse) => send(request, response, raw, behaviour, { sleep, now: time.now });
      const outside = gate() ?? (route.operation ? undefined : outsideService(behaviour));
      if (outside) return respond(outside);

      const next = (changed: Call) => judgeCall(changed, admitted);
      const reply = await (mutation.handle?.(call, next, context) ?? next(call));
      const raw = toRawResponse(reply, behaviour);
      return respond(mutation.rewrite?.(raw, call, reply) ?? raw);
    };

    // A busy machine may take longer than Node's five seconds from one request of a run to the next.
    const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      answer(request, response).catch(() => response.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;

    return {
      url: `http://127.0.0.1:${port}${behaviour.prefix}`,
      key: behaviour.key,
      leads: () => store.living().length,
      mails: () => [...store.mails],
      advance: time.advance,
      close: async () => {
        closing.abort();
        server.close().closeAllConnections();
        await once(server, 'close');
      },
    };
  },
});
