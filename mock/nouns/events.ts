import { AdminError, type Routes, StreamReply } from '../route/noun.ts';
import { filterText, ref } from '../route/schemas.ts';
import { startInterval, stopInterval } from '../runtime/timers.ts';
import { type Shared, writeCursor } from '../store/log.ts';
import { createMeter, limits, type Meter, type Publish } from '../store/store.ts';

/** An event in a workspace: the part that changed, or `reset`, and its data as JSON. */
type WorkspaceEvent = { readonly id: string; readonly kind: string; readonly data: string };

type Watcher = { readonly send: (event: WorkspaceEvent) => void; readonly end: () => void };

/** A `reset` event in place of events that cannot be sent: the client loads everything again. */
const createGap = (id: string, reason: string): WorkspaceEvent => ({
  id,
  kind: 'reset',
  data: JSON.stringify({ reason }),
});

export type Events = ReturnType<typeof createEvents>;

export const createEvents = ({ waiting, nextEpoch }: Shared, meter: Meter) => {
  const watchers = new Set<Watcher>();
  const { add, held } = createMeter(meter);
  const epoch = nextEpoch();
  let recent: WorkspaceEvent[] = [];
  let number = 0;
  let hasWatchers = false;

  const idOf = (eventNumber: number): string => writeCursor(epoch, eventNumber);
  const missedSince = (lastId: string): readonly WorkspaceEvent[] => {
    if (lastId === idOf(number)) return [];
    const last = recent.findIndex(({ id }) => id === lastId);
    return last >= 0 ? recent.slice(last + 1) : [createGap(idOf(number), 'events were missed')];
  };
  return {
    /** Publishes events of a kind. Their data is not computed until the workspace has been watched for the first time. */
    publisher:
      (kind: string): Publish =>
      (data) => {
        number += 1;
        if (!hasWatchers) return;
        const made = { id: idOf(number), kind, data: JSON.stringify(data()) };
        // It may be sent to many streams.
        const event =
          made.data.length > limits.eventLength ? createGap(made.id, 'an event was too large') : made;
        recent.push(event);
        add(event.data.length);
        while (recent.length > limits.events || held() > limits.eventsLength)
          add(-(recent.shift()?.data.length ?? 0));
        for (const watcher of [...watchers]) watcher.send(event);
      },
    /** The number of changes since the workspace was made. */
    changes: () => number,
    /** Whether there are too many open waits and event streams for one more. */
    isFull: () => waiting.count >= waiting.max,
    /**
     * Sends the events after `lastId`, then all new ones, until the returned function is called. If those events are no longer
     * kept, it sends a `reset` first: then load everything again.
     */
    watch: (watcher: Watcher, lastId?: string): (() => void) => {
      hasWatchers = true;
      watchers.add(watcher);
      waiting.count += 1;
      if (lastId !== undefined) for (const event of missedSince(lastId)) watcher.send(event);
      return () => {
        if (watchers.delete(watcher)) waiting.count -= 1;
      };
    },
    /** Forgets earlier events: a client that reconnects must load everything again. */
    forget: (): void => {
      add(-held());
      recent = [];
    },
    /** Ends every watch. */
    end: (): void => {
      for (const watcher of [...watchers]) watcher.end();
    },
  };
};

const heartbeatMs = 15_000;

const formatEvent = ({ id, kind, data }: WorkspaceEvent): string =>
  `id: ${id}\nevent: ${kind}\ndata: ${data}\n\n`;

/** Streams the events of the workspace. */
export const eventRoutes = {
  'GET /events': {
    id: 'watchEvents',
    summary: 'Stream the events of the workspace (server-sent events)',
    description: [
      'Each event has an id, a kind and data.',
      '`outbox`, `leads` and `templates`: `{"change": "added" | "updated" | "deleted", …}` with the id, or `{"change": "cleared"}`.',
      '`requests`: the summary of each request, again if the client closed the connection before the response came; or `{"change": "cleared"}`.',
      '`faults`: `{"rules": 2}`, the number of rules. `clock`: the new clock. `answers`: the new overrides of the workspace.',
      '`reset`: reload everything. The workspace was reset or replaced, or events were missed.',
      `A client that reads so slowly that more than ${limits.streamLength} characters wait for it is disconnected; it may reconnect.`,
    ].join('\n\n'),
    longLived: true,
    headers: { 'Last-Event-ID': filterText('The id of the last event that the client received.') },
    replies: {
      200: {
        description:
          'A stream of events. Reconnecting with `Last-Event-ID` replays missed events, or sends a `reset`.',
        type: 'text/event-stream',
      },
      429: { description: 'Too many open waits and event streams.', schema: ref('Refusal') },
    },
    run: ({ events }, { headers }) => {
      if (events.isFull())
        throw new AdminError(
          429,
          'too many open waits and event streams',
          'Close a connection to /__admin/events before opening another.',
        );
      return new StreamReply((send, end) => {
        send('retry: 1000\n\n');
        const watcher = { send: (event: WorkspaceEvent) => send(formatEvent(event)), end };
        const stop = events.watch(watcher, headers['last-event-id']);
        const heartbeat = startInterval(() => send(': still here\n\n'), heartbeatMs).unref();
        return () => {
          stopInterval(heartbeat);
          stop();
        };
      });
    },
  },
} satisfies Routes<{ readonly events: Events }>;
