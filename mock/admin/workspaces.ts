import type { AdminRoute } from './route.ts';

const mostListed = 200;

/**
 * The workspaces there are, the most recently used first; no key needed. A key that does not begin `test_` may be a real one: it
 * is counted, not told.
 */
export const workspaceRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/workspaces',
    run: ({ context: { workspaces } }) => {
      const used = workspaces.used();
      const told = used.filter(({ key }) => key.startsWith('test_')).slice(0, mostListed);
      return {
        body: {
          default: workspaces.defaultKey ?? null,
          workspaces: told.map(({ key, outbox, leads }) => ({
            key,
            messages: outbox.size(),
            leads: leads.size,
          })),
          total: used.length,
        },
      };
    },
  },
];
