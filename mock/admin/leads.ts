import { AdminError, type AdminRoute, wholeNumber } from './route.ts';

/** What the mock holds; to look at, because §4.8 leaves reading leads open on the service itself. */
export const leadRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/leads',
    run: ({ workspace, query }) => {
      const start = wholeNumber(query, 'start', 0, 999_999_999);
      const limit = wholeNumber(query, 'limit', 50, 1000);
      return {
        body: {
          leads: [...workspace.leads.values()].slice(start, start + limit),
          total: workspace.leads.size,
        },
      };
    },
  },
  {
    method: 'GET',
    path: '/leads/:id',
    run: ({ workspace, params }) => {
      const lead = workspace.leads.get(params.id ?? '');
      if (!lead)
        throw new AdminError(
          404,
          'there is no such lead in this workspace',
          'GET /__admin/leads lists them.',
        );
      return { body: lead };
    },
  },
];
