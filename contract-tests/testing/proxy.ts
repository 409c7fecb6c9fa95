import { type ProxyOptions, type RunningProxy, startProxy } from '../proxy/server.ts';
import type { ObservedExchange } from '../traffic/exchanges/observed.ts';

type ProxyInTest = RunningProxy & {
  /** What passed, in order. */
  readonly observed: readonly ObservedExchange[];
};

/**
 * A proxy on a free port of 127.0.0.1 that keeps what passes.
 * @param problem what enforcement says of every response
 */
export const startProxyInTest = async (
  upstream: string,
  options: Partial<ProxyOptions> = {},
  problem?: string,
): Promise<ProxyInTest> => {
  const observed: ObservedExchange[] = [];
  const proxy = await startProxy({
    upstream: new URL(upstream),
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    onExchange: (exchange) => {
      observed.push(exchange);
      return problem;
    },
    onReport: async () => ({}),
    ...options,
  });
  return { ...proxy, observed };
};
