import { Agent } from 'node:http';
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
