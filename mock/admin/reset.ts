import { success } from './documentation.ts';
import type { AdminRoute } from './route.ts';
import { object, whole } from './schemas.ts';

/** Back to the seed: leads, templates, outbox, journal, faults, clock and answers; ids start over. */
export const resetRoutes: readonly AdminRoute[] = [
  {
    method: 'POST',
    path: '/reset',
    doc: {
      id: 'reset',
      summary: 'Back to the seed: all that is in the workspace; ids start over',
      description:
        'Leads, templates, outbox, journal, faults, clock and answers, of this workspace only. Who waits is told so, and cursors from before are void.',
      tag: 'State',
      replies: success('Done.', object({ status: { const: 'reset' }, templates: whole })),
    },
    run: ({ workspace }) => {
      workspace.reset();
      return { body: { status: 'reset', templates: workspace.templates.size } };
    },
  },
];
