import { isLoopback } from '../client/transport.ts';

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** Whether a URL has the address to listen on. `localhost` is the only name with several addresses. */
export const isOwn = (
  { protocol, hostname, port }: URL,
  own: { readonly host: string; readonly port: number },
): boolean => {
  const name = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'http:' || own.port === 0 || Number(port || 80) !== own.port) return false;
  if (name === own.host) return true;
  if (!isLoopback(hostname)) return false;
  return isWildcard(own.host) || (isLoopback(own.host) && [name, own.host].includes('localhost'));
};
