import { rangeOf } from '../input.ts';
import { paging, requireItem, success, tagged } from '../route.ts';
import { list, object, ref, text, wholeNumber } from '../schemas.ts';

const tag = { name: 'Leads', description: 'Stored leads.' };

const leadFields = {
  name: text,
  source: text,
  note: text,
};

const requireLead = <Item>(lead: Item | undefined): Item =>
  requireItem(lead, 'there is no such lead in this workspace', 'GET /__admin/leads lists them.');

type LeadInput = { readonly name?: string; readonly source?: string; readonly note?: string };

/** The stored leads. The service itself may have no operation to read them (§4.8). */
export const leadRoutes = tagged(tag, [
  {
    method: 'GET',
    path: '/leads',
    doc: {
      id: 'listLeads',
      summary: 'List the leads, oldest first',
      description:
        'All leads of the workspace, for use in tests. Whether a deployment itself can list leads is an open question.',
      // This list is in order of creation.
      query: { ...paging, start: { ...paging.start, description: 'Number of oldest leads to skip.' } },
      replies: success('A page of leads.', object({ leads: list(ref('Lead')), total: wholeNumber })),
    },
    run: ({ workspace, query }) => {
      const { start, limit } = rangeOf(query);
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
      summary: 'Get a lead',
      description: 'By the id that Add Lead returned. A deleted lead is not found.',
      replies: success('The lead.', ref('Lead')),
    },
    run: ({ workspace, params }) => ({ body: requireLead(workspace.leads.get(params.id ?? '')) }),
  },
  {
    method: 'POST',
    path: '/leads',
    doc: {
      id: 'addStoredLead',
      summary: 'Add a lead',
      description: 'Simulates a change by another user: no fault rule applies, and the journal has no entry.',
      body: {
        ...object(leadFields, 'source', 'note'),
        examples: [{ name: 'Lena Fischer', source: 'Webinar' }],
      },
      replies: { 201: { description: 'The lead.', schema: ref('Lead') } },
    },
    run: ({ workspace, body, context }) => {
      const { name = '', source = '', note = '' } = body as LeadInput;
      const answers = { ...context.contract.answers, ...workspace.answerOverrides.values() };
      return { status: 201, body: workspace.addLead({ name, source, note }, answers['lead.id-format']) };
    },
  },
  {
    method: 'PATCH',
    path: '/leads/:id',
    doc: {
      id: 'updateStoredLead',
      summary: 'Change a lead',
      description: 'Omitted fields keep their values.',
      body: {
        ...object(leadFields, 'name', 'source', 'note'),
        minProperties: 1,
        examples: [{ note: 'Call back after 17:00' }],
      },
      replies: success('The lead.', ref('Lead')),
    },
    run: ({ workspace, params, body }) => {
      const { name, source, note } = body as LeadInput;
      return { body: requireLead(workspace.updateLead(params.id ?? '', { name, source, note })) };
    },
  },
  {
    method: 'DELETE',
    path: '/leads/:id',
    doc: {
      id: 'deleteStoredLead',
      summary: 'Delete a lead',
      description: 'Simulates a change by another user.',
      replies: success('The id of the deleted lead.', ref('Deleted')),
    },
    run: ({ workspace, params }) => {
      const { lead_id } = requireLead(workspace.leads.get(params.id ?? ''));
      workspace.deleteLead(lead_id);
      return { body: { deleted: lead_id } };
    },
  },
]);
