// `email-leads/vite`: a mock that runs with the development server, in the origin of the app.
import { type Mock, type MockOptions, startMock } from './index.ts';

export type PluginOptions = MockOptions & {
  /** The key of requests that have none, so that the page needs no key: `test_key`, or the first of `acceptKeys`, by default. */
  readonly apiKey?: string;
};

type Outgoing = { readonly setHeader: (name: string, value: string) => unknown };
type Incoming = { readonly headers: { readonly authorization?: string | undefined } };
type Proxy = {
  readonly on: (event: 'proxyReq', listener: (outgoing: Outgoing, incoming: Incoming) => void) => unknown;
};

/** What the plugin needs of a server of Vite. These types need no package. */
type DevServer = {
  printUrls: () => void;
  readonly config: { readonly logger: { readonly info: (text: string) => void } };
  readonly httpServer: { readonly once: (event: 'close', listener: () => void) => unknown } | null;
};
type Environment = {
  readonly command: string;
  readonly mode: string;
  readonly isPreview?: boolean | undefined;
};

/** A plugin as Vite takes it. */
export type VitePlugin = {
  readonly name: string;
  readonly apply: (config: object, environment: Environment) => boolean;
  readonly config: () => Promise<object>;
  readonly configureServer: (server: DevServer) => void;
};

type Running = { readonly mock: Promise<Mock>; servers: number };

// When the configuration of Vite changes, a new server starts before the old one ends: both use one mock, which keeps its data.
const running = new Map<string, Running>();

/** Adds the mock to `vite dev`: its API at `/api/v1` of the app, its page at the address that is printed. Not in tests and builds. */
export const emailLeads = ({ apiKey, ...options }: PluginOptions = {}): VitePlugin => {
  const name = JSON.stringify(options);
  const key = apiKey ?? options.acceptKeys?.[0] ?? 'test_key';
  let url = '';
  const release = async (): Promise<void> => {
    const shared = running.get(name);
    if (!shared) return;
    shared.servers -= 1;
    if (shared.servers > 0) return;
    running.delete(name);
    await (await shared.mock).close();
  };
  const configure = (proxy: Proxy): void =>
    void proxy.on('proxyReq', (outgoing, { headers }) => {
      if (headers.authorization === undefined) outgoing.setHeader('authorization', `Bearer ${key}`);
    });
  return {
    name: 'email-leads',
    apply: (_, { command, mode, isPreview }) => command === 'serve' && mode !== 'test' && isPreview !== true,
    config: async () => {
      const shared = running.get(name) ?? { mock: startMock({ unref: true, ...options }), servers: 0 };
      ({ url } = await shared.mock);
      running.set(name, shared);
      return { server: { proxy: { '/api/v1': { target: url, configure } } } };
    },
    configureServer: (server) => {
      const shared = running.get(name);
      if (shared) shared.servers += 1;
      server.httpServer?.once('close', () => void release());
      const { printUrls } = server;
      server.printUrls = () => {
        printUrls();
        server.config.logger.info(`  ➜  Mails:   ${url}/`);
      };
    },
  };
};
