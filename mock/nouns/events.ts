import { waitErrors } from '../route/logs.ts';
import { AdminError, type OpenStream, RawReply, type Routes } from '../route/noun.ts';
import { ref } from '../route/schemas.ts';
import { startInterval, stopInterval } from '../runtime/timers.ts';
import type { Waiting } from '../store/log.ts';
import { limits, type Publish } from '../store/store.ts';

type Watcher = { readonly send: (event: string) => void; readonly end: () => void };

export type Events = ReturnType<typeof createEvents>;

export const createEvents = (waiting: Waiting) => {
  const watchers = new Set<Watcher>();
  let number = 0;

  return {
    /** Publishes events of a kind. */
    publisher:
      (kind: string): Publish =>
      (change) => {
        number += 1;
        if (watchers.size === 0) return;
        // Once for all streams.
        const event = `event: ${kind}\ndata: ${JSON.stringify(change)}\n\n`;
        for (const watcher of [...watchers]) watcher.send(event);
      },
    /** The number of changes since the workspace was made. */
    changes: () => number,
    /** Whether there are too many open waits and event streams for one more. */
    isFull: () => waiting.count >= waiting.max,
    /** Sends all new events until the returned function is called. Earlier ones are not kept. */
    watch: (watcher: Watcher): (() => void) => {
      watchers.add(watcher);
      waiting.count += 1;
      return () => {
        if (watchers.delete(watcher)) waiting.count -= 1;
      };
    },
    /** Ends every watch. */
    end: (): void => {
      for (const watcher of [...watchers]) watcher.end();
    },
  };
};

const heartbeatMs = 15_000;

/** Streams the events of the workspace. */
export const eventRoutes = {
  'GET /events': {
    id: 'watchEvents',
    summary: 'Stream the events of the workspace (server-sent events)',
    description: [
      'Each event has a kind and data, which say what to load. A client that connects again loads everything again: it may have missed some.',
      '`outbox`, `requests`, `leads` and `templates`: `{"change": "added" | "updated" | "deleted", …}` with the id, or `{"change": "cleared"}`. A request is updated if the client closed the connection before the response came.',
      '`faults`: `{"rules": 2}`, the number of rules. `clock`: the new clock. `answers`: the new overrides of the workspace.',
      '`reset`: reload everything. The workspace was reset or replaced.',
      `A client that reads so slowly that more than ${limits.streamLength} characters wait for it is disconnected; it may reconnect.`,
    ].join('\n\n'),
    longLived: true,
    replies: {
      200: { description: 'A stream of events.', type: 'text/event-stream' },
      429: { description: 'Too many open waits and event streams.', schema: ref('Refusal') },
    },
    run: ({ events }) => {
      if (events.isFull()) throw new AdminError(...waitErrors['limit-reached']);
      const open: OpenStream = (send, end) => {
        send('retry: 1000\n\n');
        const stop = events.watch({ send, end });
        const heartbeat = startInterval(() => send(': still here\n\n'), heartbeatMs).unref();
        return () => {
          stopInterval(heartbeat);
          stop();
        };
      };
      const type = 'text/event-stream; charset=utf-8';
      return new RawReply(open, { 'content-type': type, 'x-accel-buffering': 'no' });
    },
  },
} satisfies Routes<{ readonly events: Events }>;
