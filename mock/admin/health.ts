import type { AdminRoute } from './route.ts';

/** Ready as soon as it answers; no key needed. */
export const healthRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/health',
    run: ({ context }) => ({
      body: { status: 'ok', version: context.version, uptime_s: Math.round(process.uptime()) },
    }),
  },
];
