import { AdminError, type OpenStream, RawReply, type Routes } from '../route/noun.ts';
import { ref } from '../route/schemas.ts';
import { startInterval, stopInterval } from '../runtime/timers.ts';
import type { Waiting } from '../store/log.ts';
import { limits, type Publish } from '../store/store.ts';

/** An event in a workspace: the part that changed, or `reset`, and its data as JSON. */
type WorkspaceEvent = { readonly kind: string; readonly data: string };

type Watcher = { readonly send: (event: WorkspaceEvent) => void; readonly end: () => void };

/** In place of an event that cannot be sent: the client loads everything again. */
const tooLarge: WorkspaceEvent = {
  kind: 'reset',
  data: JSON.stringify({ reason: 'an event was too large' }),
};

export type Events = ReturnType<typeof createEvents>;

export const createEvents = (waiting: Waiting) => {
  const watchers = new Set<Watcher>();
  let number = 0;

  return {
    /** Publishes events of a kind. Their data is computed only if somebody watches. */
    publisher:
      (kind: string): Publish =>
      (data) => {
        number += 1;
        if (watchers.size === 0) return;
        const made = { kind, data: JSON.stringify(data()) };
        // It may be sent to many streams.
        const event = made.data.length > limits.eventLength ? tooLarge : made;
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

const formatEvent = ({ kind, data }: WorkspaceEvent): string => `event: ${kind}\ndata: ${data}\n\n`;

/** Streams the events of the workspace. */
export const eventRoutes = {
  'GET /events': {
    id: 'watchEvents',
    summary: 'Stream the events of the workspace (server-sent events)',
    description: [
      'Each event has a kind and data. A client that connects again loads everything again: it may have missed some.',
      '`outbox`, `leads` and `templates`: `{"change": "added" | "updated" | "deleted", …}` with the id, or `{"change": "cleared"}`.',
      '`requests`: the summary of each request, again if the client closed the connection before the response came; or `{"change": "cleared"}`.',
      '`faults`: `{"rules": 2}`, the number of rules. `clock`: the new clock. `answers`: the new overrides of the workspace.',
      '`reset`: reload everything. The workspace was reset or replaced, or an event was too large.',
      `A client that reads so slowly that more than ${limits.streamLength} characters wait for it is disconnected; it may reconnect.`,
    ].join('\n\n'),
    longLived: true,
    replies: {
      200: {
        description: 'A stream of events.',
        type: 'text/event-stream',
      },
      429: { description: 'Too many open waits and event streams.', schema: ref('Refusal') },
    },
    run: ({ events }) => {
      if (events.isFull())
        throw new AdminError(
          429,
          'too many open waits and event streams',
          'Close a connection to /__admin/events before opening another.',
        );
      const open: OpenStream = (send, end) => {
        send('retry: 1000\n\n');
        const watcher = { send: (event: WorkspaceEvent) => send(formatEvent(event)), end };
        const stop = events.watch(watcher);
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
