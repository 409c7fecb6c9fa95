import { Readable } from 'node:stream';
import { limits, textBytes } from '../../runtime/limits.ts';
import { startInterval, startTimer, stopInterval, stopTimer } from '../../runtime/timers.ts';
import { createGap, type Events, type WorkspaceEvent } from '../../workspace/events.ts';
import { AdminError, type AdminRequest, filterText, tagged } from '../route.ts';

const heartbeatMs = 15_000;
// Interval in ms for one event about all requests outside the workspace: others may be busy.
const elsewhereMs = 500;

const description = [
  'Each event has a kind and data, and an id where it is of this workspace.',
  '`outbox`, `leads` and `templates`: `{"change": "added" | "updated" | "deleted", …}` with the id, or `{"change": "cleared"}`.',
  '`requests`: the summary of each request, or `{"change": "cleared"}`.',
  '`faults`: `{"rules": 2}`, the number of rules. `clock`: the new clock. `answers`: the new overrides of the workspace.',
  '`reset`: reload everything. The workspace was reset or replaced, or events were missed.',
  '`elsewhere`: requests came with another key, or without an accepted one. It is sent at most twice a second, has no id and is not replayed.',
  'A client that reads so slowly that more than 1 MiB waits for it is disconnected; it may reconnect.',
].join('\n\n');

const tag = { name: 'Events', description: 'A live stream of changes in the workspace.' };

/** Streams the events of the workspace. */
export const eventRoutes = tagged(tag, [
  {
    method: 'GET',
    path: '/events',
    longLived: true,
    doc: {
      id: 'watchEvents',
      summary: 'Stream the events of the workspace (server-sent events)',
      description,
      headers: { 'Last-Event-ID': filterText('The id of the last event that the client received.') },
      replies: {
        200: {
          description:
            'A stream of events. Reconnecting with `Last-Event-ID` replays missed events, or sends a `reset`.',
          type: 'text/event-stream',
        },
        429: {
          description: 'Too many open waits and event streams.',
          schema: { $ref: '#/components/schemas/Refusal' },
        },
      },
    },
    run: (request) => ({
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
      body: openEventStream(request),
    }),
  },
]);

const openEventStream = ({ workspace: { events }, headers, signal, context }: AdminRequest): Readable => {
  const { stream, send } = createQueue(context.workspaces.streams);
  const stop = events.watch(
    { send: (event) => send(fitting(event)), end: () => stream.push(null) },
    headers['last-event-id'],
  );
  if (!stop) {
    stream.destroy();
    throw new AdminError(
      429,
      'too many open waits and event streams',
      'Close a connection to /__admin/events before opening another.',
    );
  }
  const stopElsewhere = watchElsewhere(events, () => send(elsewhereEvent));
  const heartbeat = startInterval(() => send(': still here\n\n'), heartbeatMs).unref();
  stream.once('close', () => {
    stopInterval(heartbeat);
    stopElsewhere();
    stop();
  });
  signal().addEventListener('abort', () => stream.destroy());
  return stream;
};

// Without an id: a client that reconnects sends the id of the last event of its workspace.
const elsewhereEvent = 'event: elsewhere\ndata: {}\n\n';

const watchElsewhere = (events: Events, send: () => void): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  const stop = events.watchElsewhere(() => {
    timer ??= startTimer(() => {
      timer = undefined;
      send();
    }, elsewhereMs).unref();
  });
  return () => {
    stop();
    if (timer) stopTimer(timer);
  };
};

/** A stream of texts. It ends if the client reads so slowly that too much is undelivered. */
const createQueue = (all: { held: number; readonly max: number }) => {
  const queue: string[] = ['retry: 1000\n\n'];
  let held = 0;
  let isReading = false;
  const adjustHeld = (bytes: number): void => {
    held += bytes;
    all.held += bytes;
  };
  const deliver = (): void => {
    while (isReading && queue.length > 0) {
      const text = queue.shift() ?? '';
      adjustHeld(-textBytes(text));
      isReading = stream.push(text);
    }
  };
  const stream = new Readable({
    read: () => {
      isReading = true;
      deliver();
    },
    destroy: (error, done) => {
      adjustHeld(-held);
      queue.length = 0;
      done(error);
    },
  });
  adjustHeld(textBytes(queue[0]));
  const send = (text: string): void => {
    const bytes = textBytes(text);
    if (stream.destroyed || stream.readableEnded) return;
    if (held + bytes > limits.streamBytes || all.held + bytes > all.max) return void stream.destroy();
    queue.push(text);
    adjustHeld(bytes);
    deliver();
  };
  return { stream, send };
};

/** The text of an event. An event that is too large for many streams is replaced by one to load everything again. */
const fitting = (event: WorkspaceEvent): string =>
  textBytes(event.data) <= limits.eventBytes
    ? formatEvent(event)
    : formatEvent(createGap(event.id, 'an event was too large'));

const formatEvent = ({ id, kind, data }: WorkspaceEvent): string =>
  `id: ${id}\nevent: ${kind}\ndata: ${data}\n\n`;
