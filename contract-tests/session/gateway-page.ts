import type { Exchange } from '../client/exchange.ts';

const serverOf = ({ headers }: Exchange): string | undefined =>
  typeof headers.server === 'string' && headers.server !== '' ? headers.server : undefined;

/** A page that names its server: perhaps not written by the service, but by what stands in front of it. */
export const isForeignPage = (exchange: Exchange): boolean =>
  exchange.json === undefined &&
  serverOf(exchange) !== undefined &&
  /^text\/html\b/i.test(String(exchange.headers['content-type'] ?? ''));

/** `<center>nginx/1.25</center>`: the pages of common gateways end with their own name. */
const signature = /<center>\s*(nginx|openresty|cloudflare|awselb|tengine)[^<]*<\/center>/i;

/** The `Server` of a gateway that wrote this page: one that no JSON response has, or that signs its pages. */
export const gatewayName = (page: Exchange, exchanges: readonly Exchange[]): string | undefined => {
  const server = serverOf(page);
  const ofService = new Set(exchanges.filter(({ json }) => json !== undefined).map(serverOf));
  return ofService.has(server) && !signature.test(page.rawText) ? undefined : server;
};

const blocked = new Set([403, 406]);

/**
 * A page in place of JSON where the good key is refused, and not by the server that answers in JSON: a firewall dislikes
 * the text, and the service never saw it. A page of the service itself is an error response of the service.
 */
export const isFirewallPage = (exchange: Exchange, exchanges: readonly Exchange[]): boolean =>
  exchange.credentials === 'key' &&
  blocked.has(exchange.status) &&
  isForeignPage(exchange) &&
  gatewayName(exchange, exchanges) !== undefined;

/** What to do where a firewall answers some requests in place of the service. */
export const firewallAdvice = 'let the texts of the run pass there';
