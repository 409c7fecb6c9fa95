import { success } from './documentation.ts';
import type { AdminRoute } from './route.ts';
import { object, text, whole } from './schemas.ts';

/** Ready as soon as it answers; no key needed. */
export const healthRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/health',
    doc: {
      id: 'getHealth',
      summary: 'Ready as soon as it answers; no key needed',
      description:
        'For scripts that start the mock and go on when it is there. `waiting` tells whether somebody forgot to hang up.',
      tag: 'Mock',
      replies: success(
        'It is.',
        object({
          status: { const: 'ok' },
          version: text,
          uptime_s: whole,
          workspaces: whole,
          workspaces_dropped: whole,
          waiting: { ...whole, description: 'Connections that wait or watch.' },
        }),
      ),
    },
    run: ({ context: { version, uptime, workspaces } }) => ({
      body: {
        status: 'ok',
        version,
        uptime_s: Math.floor(uptime()),
        workspaces: workspaces.size(),
        workspaces_dropped: workspaces.dropped(),
        waiting: workspaces.waiting(),
      },
    }),
  },
];
