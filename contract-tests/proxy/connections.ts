import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';

/** One upstream connection for each connection of a client: what happens to one happens to the other. */
export const createAgents = (secure: boolean) => {
  const agents = new WeakMap<Socket, Agent>();
  return (client: Socket): Agent => {
    const known = agents.get(client);
    if (known) return known;
    const agent = secure
      ? new TlsAgent({ keepAlive: true, maxSockets: 1 })
      : new Agent({ keepAlive: true, maxSockets: 1 });
    agents.set(client, agent);
    client.once('close', () => agent.destroy());
    return agent;
  };
};

/** Requests under way, by path: which of two that overlap took effect first is not known. */
export const createOverlaps = () => {
  type Entry = { overlaps: boolean };
  const active = new Map<string, Set<Entry>>();
  return (path: string): { readonly overlaps: () => boolean; readonly end: () => void } => {
    const entries = active.get(path) ?? new Set<Entry>();
    active.set(path, entries);
    const entry: Entry = { overlaps: entries.size > 0 };
    for (const other of entries) other.overlaps = true;
    entries.add(entry);
    return {
      overlaps: () => entry.overlaps,
      end: () => {
        entries.delete(entry);
        if (entries.size === 0) active.delete(path);
      },
    };
  };
};
