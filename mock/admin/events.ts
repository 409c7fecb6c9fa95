import { PassThrough } from 'node:stream';
import type { WorkspaceEvent } from '../events.ts';
import { startInterval, stopInterval } from '../real-time.ts';
import { filterText } from './documentation.ts';
import { AdminError, type AdminRequest, type AdminRoute } from './route.ts';

// A reader that is so far behind is gone, or asleep; it may come again.
const longestQueue = 1024 * 1024;
const heartbeatMs = 15_000;

const description = [
  'Each event has an id, a kind and data; nothing of another workspace is told.',
  '`outbox`, `leads` and `templates`: `{"change": "added" | "updated" | "deleted", …}` with the id, or `{"change": "cleared"}`.',
  '`requests`: the summary of each, or `{"change": "cleared"}`.',
  '`faults`: `{"rules": 2}`, how many there are now. `clock`: what it shows now. `answers`: what the workspace answers now, other than the server.',
  '`reset`: look at everything anew; the workspace was reset, got another state, or events were missed.',
].join('\n\n');

/** What happens in the workspace, as it happens. */
export const eventRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/events',
    holds: true,
    doc: {
      id: 'watchEvents',
      summary: 'Server-sent events: what happens in the workspace, as it happens',
      description,
      tag: 'Events',
      headers: { 'Last-Event-ID': filterText('The id of the last event that was read.') },
      replies: {
        200: {
          description:
            'Each with an id. Who comes back with `Last-Event-ID` gets what it missed, or a `reset`.',
          type: 'text/event-stream',
        },
        429: {
          description: 'Too many are watching already.',
          schema: { $ref: '#/components/schemas/Refusal' },
        },
      },
    },
    run: (request) => ({
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
      body: watched(request),
    }),
  },
];

const watched = ({ workspace, headers, signal }: AdminRequest): PassThrough => {
  const stream = new PassThrough();
  const send = (text: string): void => {
    if (stream.writableLength + stream.readableLength > longestQueue) stream.destroy();
    else if (stream.writable) stream.write(text);
  };
  stream.write('retry: 1000\n\n');
  const stop = workspace.events.watch(
    { tell: (event) => send(written(event)), end: () => stream.end() },
    headers['last-event-id'],
  );
  if (!stop) {
    stream.destroy();
    throw new AdminError(
      429,
      'too many are watching already',
      'Close a connection to /__admin/events before opening another.',
    );
  }
  const heartbeat = startInterval(() => send(': still here\n\n'), heartbeatMs).unref();
  stream.once('close', () => {
    stopInterval(heartbeat);
    stop();
  });
  signal().addEventListener('abort', () => stream.destroy());
  return stream;
};

const written = ({ id, kind, data }: WorkspaceEvent): string =>
  `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
