import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Choices, defaults } from './choices.ts';
import type { RunningDeployment } from './deployment.ts';
import { createGate, elsewhere, preflight } from './elsewhere.ts';
import type { Call, Fault, Tools } from './exchange.ts';
import { carriesKey, createJudge } from './judge.ts';
import { listRoutes, match } from './routes.ts';
import { createStore } from './store.ts';
import { readCall, send, toLetter } from './transport.ts';

export type SomeChoices = Partial<Choices>;

/** A service as the document describes it, its open points decided by `choices`, damaged by `fault` if there is one. */
export const createService = (some: SomeChoices = {}, fault: Fault = {}) => ({
  start: async (): Promise<RunningDeployment> => {
    const choices: Choices = { ...defaults, ...some };
    const store = createStore(choices);
    const { judge } = createJudge(choices, store);
    const routes = listRoutes(choices);
    const gate = createGate(choices);
    const counts = new Map<unknown, number>();
    const closing = new AbortController();
    setMaxListeners(0, closing.signal); // every request that is answered slowly listens
    const sleep = (ms: number) => delay(ms, undefined, { signal: closing.signal });

    const pathOf = (request: IncomingMessage) => {
      const [path = '/'] = (request.url ?? '/').split('?');
      const inside = path.startsWith(choices.prefix) ? path.slice(choices.prefix.length) : '/';
      return choices.trailingSlash === 'accepted' ? inside.replace(/\/$/, '') : inside;
    };

    const judged = (call: Call, admitted: (call: Call) => boolean) =>
      judge(call, match(routes, call.method, call.path), admitted(call));
    const tools: Tools = {
      store,
      key: choices.key,
      sleep,
      memory: new Map(),
      perform: (call) => judged(call, () => true),
    };
    const admitted = (call: Call) => {
      const honest = carriesKey(call, choices);
      return fault.admits?.(call, honest, tools) ?? honest;
    };

    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const path = pathOf(request);
      const found = match(routes, request.method ?? 'GET', path);
      const read = await readCall(request, path, found);
      const nth = (counts.get(found.operation) ?? 0) + 1;
      counts.set(found.operation, nth);
      const call: Call = { ...read, nth };
      if (choices.latencyMs > 0) await sleep(choices.latencyMs);

      const foreign =
        gate() ??
        (call.method === 'OPTIONS' && choices.preflight === 'cors' ? preflight : undefined) ??
        (found.operation ? undefined : elsewhere(choices));
      if (foreign) return send(request, response, foreign, choices, sleep);

      const next = (asked: Call) => judged(asked, admitted);
      const reply = await (fault.around?.(call, next, tools) ?? next(call));
      const letter = toLetter(reply, choices);
      return send(request, response, fault.letter?.(letter, call, reply) ?? letter, choices, sleep);
    };

    const server = createServer((request, response) => {
      answer(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;

    return {
      url: `http://127.0.0.1:${port}${choices.prefix}`,
      key: choices.key,
      leads: () => store.living().length,
      mails: () => [...store.mails],
      close: () =>
        new Promise((resolve) => {
          closing.abort();
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    };
  },
});
