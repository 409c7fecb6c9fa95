// `email-leads/vite`: a mock that runs with the development server, in the origin of the app.
import type { Plugin, ProxyOptions } from 'vite';
import { type Mock, type MockOptions, startMock } from './index.ts';

export type PluginOptions = MockOptions & {
  /** The key of requests that have none, so that the page needs no key: `test_key`, or the first of `acceptKeys`, by default. */
  readonly apiKey?: string;
};

/** A plugin of Vite, in the form that every version of it takes. */
export type VitePlugin = { readonly name: string };

type Running = { readonly options: MockOptions; readonly mock: Promise<Mock>; servers: number };

// When the configuration of Vite changes, a new server starts before the old one ends: both use one mock, which keeps its data.
const running = new Map<string, Running>();

const end = async (name: string, { mock }: Running): Promise<void> => {
  running.delete(name);
  await (await mock).close();
};

/** Ends the mocks that have the port or the state file: those of a server that is about to end, with other options. */
const endOthers = async ({ port, state }: MockOptions): Promise<void> => {
  const isTaken = ({ options }: Running): boolean =>
    (Boolean(port) && options.port === port) || (state !== undefined && options.state === state);
  for (const [name, other] of [...running]) if (isTaken(other)) await end(name, other);
};

const start = (name: string, options: MockOptions): Running => {
  const mock = endOthers(options).then(() => startMock({ unref: true, ...options }));
  const shared = { options, mock, servers: 0 };
  running.set(name, shared);
  mock.catch(() => running.delete(name));
  return shared;
};

/** Adds the mock to `vite dev`: its API at `/api/v1` of the app, its page at the address that is printed. Not in tests and builds. */
export const emailLeads = ({ apiKey, ...options }: PluginOptions = {}): VitePlugin => {
  const name = JSON.stringify(options);
  const key = apiKey ?? options.acceptKeys?.[0] ?? 'test_key';
  let url = '';
  const release = async (shared: Running): Promise<void> => {
    shared.servers -= 1;
    if (shared.servers === 0 && running.get(name) === shared) await end(name, shared);
  };
  const configure: ProxyOptions['configure'] = (proxy) => {
    proxy.on('proxyReq', (outgoing, { headers }) => {
      if (headers.authorization === undefined) outgoing.setHeader('authorization', `Bearer ${key}`);
    });
    // A broken connection is broken for the page too, where Vite would answer 500.
    proxy.on('error', (_error, _incoming, reply) => void reply.destroy());
  };
  const plugin: Plugin = {
    name: 'email-leads',
    apply: (_, { command, mode, isPreview }) => command === 'serve' && mode !== 'test' && isPreview !== true,
    config: async () => {
      const shared = running.get(name) ?? start(name, options);
      ({ url } = await shared.mock);
      return { server: { proxy: { '/api/v1': { target: url, configure } } } };
    },
    configureServer: (server) => {
      const shared = running.get(name);
      if (!shared) return;
      shared.servers += 1;
      const { logger } = server.config;
      server.httpServer?.once('close', () => {
        release(shared).catch((error: Error) => logger.error(`email-leads: ${error.message}`));
      });
      const { printUrls } = server;
      server.printUrls = () => {
        printUrls();
        logger.info(`  ➜  Mails:   ${url}/`);
      };
    },
  };
  return plugin;
};
