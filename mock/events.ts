import { writeCursor } from './cursor.ts';
import type { Room } from './waiters.ts';

export type EventKind =
  | 'outbox'
  | 'leads'
  | 'templates'
  | 'requests'
  | 'faults'
  | 'clock'
  | 'answers'
  | 'reset';

/** Something that happened in a workspace, for those who watch it. */
export type WorkspaceEvent = { readonly id: string; readonly kind: EventKind; readonly data: object };

type Watcher = { readonly tell: (event: WorkspaceEvent) => void; readonly end: () => void };

export type Events = {
  /** Costs next to nothing while nobody ever watched: what happened is then not even put together. */
  readonly publish: (kind: EventKind, data: () => object) => void;
  /**
   * What happened after the event `lastId`, then everything that happens, until the returned function is called.
   * Where that cannot be told any more, a `reset` says so: look at everything anew.
   * @returns undefined where too many are watching
   */
  readonly watch: (watcher: Watcher, lastId?: string) => (() => void) | undefined;
  /** Ends every watch. */
  readonly end: () => void;
};

// Enough for a browser that reconnects after a few seconds.
const mostRemembered = 256;

export const createEvents = (room: Room, epoch: number): Events => {
  const watchers = new Set<Watcher>();
  const recent: WorkspaceEvent[] = [];
  let number = 0;
  let watched = false;

  const idOf = (of: number): string => writeCursor(epoch, of);
  const missed = (lastId: string): readonly WorkspaceEvent[] => {
    if (lastId === idOf(number)) return [];
    const last = recent.findIndex(({ id }) => id === lastId);
    const gap: WorkspaceEvent = { id: idOf(number), kind: 'reset', data: { reason: 'events were missed' } };
    return last >= 0 ? recent.slice(last + 1) : [gap];
  };
  return {
    publish: (kind, data) => {
      number += 1;
      if (!watched) return;
      const event = { id: idOf(number), kind, data: data() };
      recent.push(event);
      if (recent.length > mostRemembered) recent.shift();
      for (const watcher of [...watchers]) watcher.tell(event);
    },
    watch: (watcher, lastId) => {
      if (room.taken >= room.most) return undefined;
      watched = true;
      watchers.add(watcher);
      room.taken += 1;
      if (lastId !== undefined) for (const event of missed(lastId)) watcher.tell(event);
      return () => {
        if (watchers.delete(watcher)) room.taken -= 1;
      };
    },
    end: () => {
      for (const watcher of [...watchers]) watcher.end();
    },
  };
};
