import type { Template, Workspace } from '../state.ts';
import { placeholdersOf } from '../substitute.ts';
import { success } from './documentation.ts';
import { AdminError, type AdminRequest, type AdminRoute } from './route.ts';
import { list, object, ref, time, whole } from './schemas.ts';

const tag = 'Templates';
const filled = { type: 'string', minLength: 1 };
const written = {
  ...object(
    {
      id: { ...filled, maxLength: 1000 },
      name: filled,
      body: filled,
      variables: { ...list({ type: 'string' }), description: 'Those of the body, or left out.' },
      created_at: { ...time, description: 'When it was added; it stays.' },
    },
    'id',
    'variables',
    'created_at',
  ),
  examples: [{ name: 'Welcome', body: '<p>Hello {{first_name}}</p>' }],
};

type Written = Pick<Template, 'name' | 'body'> & Partial<Template>;

/** The templates of the workspace, to be set up for a test: the service itself has no way to write them (§4.8). */
export const templateRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/templates',
    doc: {
      id: 'listTemplates',
      summary: 'The templates',
      description:
        'The service’s own list without its envelope. `variables` are the placeholders of the body, in order.',
      tag,
      replies: success('All of them.', object({ templates: list(ref('Template')), total: whole })),
    },
    run: ({ workspace }) => ({
      body: { templates: [...workspace.templates.values()], total: workspace.templates.size },
    }),
  },
  {
    method: 'GET',
    path: '/templates/:id',
    doc: {
      id: 'getTemplate',
      summary: 'One template',
      description: 'By its id, as an email is sent from it.',
      tag,
      replies: success('The template.', ref('Template')),
    },
    run: ({ workspace, params }) => ({ body: existing(workspace, params) }),
  },
  {
    method: 'POST',
    path: '/templates',
    doc: {
      id: 'addTemplate',
      summary: 'Adds a template',
      description:
        'For a test that needs one: the service itself has no way to write them. `variables` are found in the body; without an `id` it gets the next free number.',
      tag,
      body: written,
      replies: { 201: { description: 'The template.', schema: ref('Template') } },
    },
    run: ({ workspace, body }) => {
      const fields = body as Written;
      const id = fields.id ?? workspace.nextTemplateId();
      if (workspace.templates.has(id)) {
        throw new AdminError(
          409,
          'body/id is the id of a template that exists',
          'Change it with PUT /__admin/templates/{id}.',
        );
      }
      return { status: 201, body: save(workspace, id, fields, fields.created_at ?? workspace.now()) };
    },
  },
  {
    method: 'PUT',
    path: '/templates/:id',
    doc: {
      id: 'putTemplate',
      summary: 'Changes a template; id and date stay',
      description:
        'Name and body anew; `variables` follow from the body. What GET returned is taken with the rest as it is.',
      tag,
      body: written,
      replies: success('The template.', ref('Template')),
    },
    run: ({ workspace, params, body }) => {
      const fields = body as Written;
      const { id, created_at } = existing(workspace, params);
      if (fields.id !== undefined && fields.id !== id) throw stays('id', 'the id in the path');
      return { body: save(workspace, id, fields, created_at) };
    },
  },
  {
    method: 'DELETE',
    path: '/templates/:id',
    doc: {
      id: 'deleteTemplate',
      summary: 'Deletes a template',
      description: 'Emails that were made from it stay in the outbox.',
      tag,
      replies: success('Deleted.', ref('Deleted')),
    },
    run: ({ workspace, params }) => {
      const { id } = existing(workspace, params);
      workspace.deleteTemplate(id);
      return { body: { deleted: id } };
    },
  },
];

const existing = (workspace: Workspace, params: AdminRequest['params']): Template => {
  const template = workspace.templates.get(params.id ?? '');
  if (template) return template;
  throw new AdminError(
    404,
    'there is no such template in this workspace',
    'GET /__admin/templates lists them.',
  );
};

const stays = (field: string, what: string): AdminError =>
  new AdminError(
    400,
    `body/${field} is not ${what}`,
    'Nothing was done. Only name and body can be chosen; leave out the rest, or send it as it is.',
  );

// `variables` always follows from the body, so that the list keeps the promise of §2.2.
const save = (workspace: Workspace, id: string, given: Written, created_at: string): Template => {
  const { name, body } = given;
  const variables = placeholdersOf(body);
  if (given.variables && given.variables.join('\n') !== variables.join('\n'))
    throw stays('variables', 'what the body names, each once in order of appearance');
  if (given.created_at !== undefined && given.created_at !== created_at)
    throw stays('created_at', 'when the template was added');
  const template = { id, name, body, variables, created_at };
  workspace.saveTemplate(template);
  return template;
};
