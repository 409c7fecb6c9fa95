import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Gateway } from '../../mock/contract/gateway.ts';

/** Creates one upstream connection per client connection, so that both close together. */
export const createAgents = (secure: boolean, tls: Gateway['tls'] = {}) => {
  const agents = new WeakMap<Socket, Agent>();
  return (client: Socket): Agent => {
    const known = agents.get(client);
    if (known) return known;
    const agent = secure
      ? new TlsAgent({ ...tls, keepAlive: true, maxSockets: 1 })
      : new Agent({ keepAlive: true, maxSockets: 1 });
    agents.set(client, agent);
    client.once('close', () => agent.destroy());
    return agent;
  };
};

/**
 * The open connections to the upstream. If one of them arrives at the proxy, the upstream is the proxy itself. They are compared
 * by the addresses and ports of both ends, because the proxy must not add a header to requests.
 */
export const createLoopDetector = () => {
  const outgoing = new Set<string>();
  const between = (...ends: readonly (string | number | undefined)[]): string =>
    ends.join(' ').replaceAll('::ffff:', '');
  return {
    watch: (request: ClientRequest): void => {
      request.once('socket', (socket) => {
        // A connection that is already open has been recorded.
        if (!socket.connecting) return;
        socket.once('connect', () => {
          const { localAddress, localPort, remoteAddress, remotePort } = socket;
          const connection = between(localAddress, localPort, remoteAddress, remotePort);
          outgoing.add(connection);
          socket.once('close', () => outgoing.delete(connection));
        });
      });
    },
    hasSent: ({ socket }: IncomingMessage): boolean => {
      const { localAddress, localPort, remoteAddress, remotePort } = socket;
      return outgoing.has(between(remoteAddress, remotePort, localAddress, localPort));
    },
  };
};

type Handle = (req: IncomingMessage, res: ServerResponse) => void;

/** Number of requests of one connection that may wait before no more are read. */
const maxWaiting = 10;

/**
 * Handles the requests of a connection one after the other. A client may send the next ones at once (pipelining); Node.js would
 * read and start any number of them.
 */
export const oneAtATime = (handle: Handle): Handle => {
  const queues = new WeakMap<Socket, (() => void)[]>();
  return (req, res) => {
    const { socket } = req;
    const waiting = queues.get(socket) ?? [];
    const start = (): void => {
      res.once('close', () => {
        const next = waiting.shift();
        if (!next || !socket.writable) return void queues.delete(socket);
        if (waiting.length < maxWaiting) socket.resume();
        next();
      });
      handle(req, res);
    };
    if (!queues.has(socket)) {
      queues.set(socket, waiting);
      return start();
    }
    waiting.push(start);
    // Later, because the parser resumes the socket at the end of each request.
    if (waiting.length >= maxWaiting) setImmediate(() => waiting.length >= maxWaiting && socket.pause());
  };
};
