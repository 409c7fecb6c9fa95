import type { AdminRoute } from './route.ts';

/** Back to the seed: leads, templates and outbox; ids start over. */
export const resetRoutes: readonly AdminRoute[] = [
  {
    method: 'POST',
    path: '/reset',
    run: ({ workspace }) => {
      workspace.reset();
      return { body: { status: 'reset', templates: workspace.templates.size } };
    },
  },
];
