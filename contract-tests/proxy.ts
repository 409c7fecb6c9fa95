import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';

/** Where requests go through, by the variables that curl reads as well. */
export type Proxies = { readonly http: string; readonly https: string; readonly none: string };

/** A proxy that cannot be used; the message names the variable, never a password in it. */
export class ProxyError extends Error {}

const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether a host is this machine. */
export const isLoopback = (hostname: string): boolean => loopback.test(hostname);

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in small letters first, as curl does.
 * @throws ProxyError for a proxy that is no http address
 */
export const proxiesFrom = (environment: NodeJS.ProcessEnv): Proxies => {
  const read = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  return {
    http: checked('HTTP_PROXY', read('HTTP_PROXY')),
    https: checked('HTTPS_PROXY', read('HTTPS_PROXY')),
    none: read('NO_PROXY'),
  };
};

const checked = (name: string, value: string): string => {
  if (value === '') return '';
  const address = value.includes('://') ? value : `http://${value}`;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  throw new ProxyError(`${name} is not the http address of a proxy`);
};

/** The proxy a deployment is reached through, to stand in a message: without a password. */
export const proxyFor = (base: string, proxies: Proxies): string | undefined => {
  const { protocol, hostname } = new URL(base);
  const proxy = protocol === 'https:' ? proxies.https : proxies.http;
  return proxy === '' || isLoopback(hostname) ? undefined : new URL(proxy).host;
};

/**
 * The way to a deployment. Loopback is never reached through a proxy: whoever sets one for the company network does not
 * mean the mock on this machine. Unlike curl, and like Go and browsers.
 */
export const dispatcherFor = (base: string, proxies: Proxies, options: Agent.Options): Dispatcher => {
  if (proxyFor(base, proxies) === undefined) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy: proxies.http,
    httpsProxy: proxies.https,
    noProxy: proxies.none,
    // A plain http request is handed to the proxy as it is; many refuse to tunnel to port 80.
    proxyTunnel: false,
  });
};
