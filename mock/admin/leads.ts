import { paging, success } from './documentation.ts';
import { numberOf } from './query.ts';
import { AdminError, type AdminRoute } from './route.ts';
import { list, object, ref, whole } from './schemas.ts';

/** What the mock holds; to look at, because §4.8 leaves reading leads open on the service itself. */
export const leadRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/leads',
    doc: {
      id: 'listLeads',
      summary: 'The leads, in the order they were added',
      description:
        'What the service holds, to look at in a test: whether a deployment can list leads itself is an open question.',
      tag: 'Leads',
      // The order of this list is that in which they were added.
      query: { ...paging, start: { ...paging.start, description: 'How many of the oldest to pass over.' } },
      replies: success('A page of them.', object({ leads: list(ref('Lead')), total: whole })),
    },
    run: ({ workspace, query }) => {
      const start = numberOf(query.start, 0);
      const limit = numberOf(query.limit, 50);
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
    doc: {
      id: 'getLead',
      summary: 'One lead',
      description: 'By the id that Add Lead replied with. A lead that was deleted is not there.',
      tag: 'Leads',
      replies: success('The lead.', ref('Lead')),
    },
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
