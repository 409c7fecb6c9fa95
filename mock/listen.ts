import type { Server } from 'node:http';
import type { MockOptions } from './program/mock-options.ts';

type Listening = {
  readonly server: Server;
  readonly listen: (at: { host: string; port: number }) => Promise<unknown>;
};

/**
 * Takes connections.
 * @returns the port and the address to reach it under
 * @throws Error with the `code` of the system and its reason in words
 */
export const listen = async (
  app: Listening,
  options: MockOptions,
): Promise<{ port: number; url: string }> => {
  const { host = '127.0.0.1', port = 0, unref = false } = options;
  if (unref) app.server.unref().on('connection', (socket) => socket.unref());
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw inWords(error as NodeJS.ErrnoException, host, port);
  }
  const address = app.server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  return { port: bound, url: `http://${reachable(host)}:${bound}` };
};

const inWords = (error: NodeJS.ErrnoException, host: string, port: number): Error => {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is taken; choose another, or 0 for any`,
    EACCES: `port ${port} needs more rights; choose one above 1023`,
    EADDRNOTAVAIL: `${host} is not an address of this machine`,
    ENOTFOUND: `${host} is not an address of this machine`,
  };
  const reason = reasons[error.code ?? ''];
  return reason === undefined
    ? error
    : Object.assign(new Error(reason, { cause: error }), { code: error.code });
};

/** An address to connect to, for one to listen on. */
const reachable = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};
