import type { AdminRoute } from './route.ts';

/** Ready as soon as it answers; no key needed. */
export const healthRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/health',
    run: ({ context: { version, uptime, workspaces } }) => ({
      body: {
        status: 'ok',
        version,
        uptime_s: Math.floor(uptime()),
        workspaces: workspaces.size(),
        workspaces_dropped: workspaces.dropped(),
      },
    }),
  },
];
