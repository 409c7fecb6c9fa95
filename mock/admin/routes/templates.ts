import type { Template } from '../../mail/template.ts';
import { hasTooManyPlaceholders, maxPlaceholders, placeholdersOf } from '../../mail/template.ts';
import type { TemplateInput } from '../../workspace/templates.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { AdminError, type AdminRequest, requireItem, success, tagged } from '../route.ts';
import { list, object, ref, time, wholeNumber } from '../schemas.ts';

const tag = { name: 'Templates', description: 'Email templates.' };
const nonEmptyText = { type: 'string', minLength: 1 };
const templateInput = {
  ...object(
    {
      id: { ...nonEmptyText, maxLength: 1000 },
      name: nonEmptyText,
      body: nonEmptyText,
      variables: {
        ...list({ type: 'string' }),
        description: 'The placeholders of the body; may be omitted.',
      },
      created_at: { ...time, description: 'The time of creation; it cannot be changed.' },
    },
    'id',
    'variables',
    'created_at',
  ),
  examples: [{ name: 'Welcome', body: '<p>Hello {{first_name}}</p>' }],
};

/** The templates of the workspace. The service itself has no operation to change them (§4.8). */
export const templateRoutes = tagged(tag, [
  {
    method: 'GET',
    path: '/templates',
    doc: {
      id: 'listTemplates',
      summary: 'List the templates',
      description:
        'The list of the service, without its envelope. `variables` are the placeholders of the body, in order.',
      replies: success('All templates.', object({ templates: list(ref('Template')), total: wholeNumber })),
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
      summary: 'Get a template',
      description: 'By its id, the `template_id` of a request to send an email.',
      replies: success('The template.', ref('Template')),
    },
    run: ({ workspace, params }) => ({ body: templateOf(workspace, params) }),
  },
  {
    method: 'POST',
    path: '/templates',
    doc: {
      id: 'addTemplate',
      summary: 'Add a template',
      description:
        'For tests; the service itself cannot create templates. `variables` are taken from the body. Without an `id`, the template gets the next free number.',
      body: templateInput,
      replies: { 201: { description: 'The template.', schema: ref('Template') } },
    },
    run: ({ workspace, body }) => {
      const fields = body as TemplateInput;
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
      summary: 'Replace the name and body of a template',
      description:
        'Replaces name and body; `variables` are taken from the body. The response of GET is a valid body if the other fields are unchanged.',
      body: templateInput,
      replies: success('The template.', ref('Template')),
    },
    run: ({ workspace, params, body }) => {
      const fields = body as TemplateInput;
      const { id, created_at } = templateOf(workspace, params);
      if (fields.id !== undefined && fields.id !== id) throw immutableField('id', 'the id in the path');
      return { body: save(workspace, id, fields, created_at) };
    },
  },
  {
    method: 'DELETE',
    path: '/templates/:id',
    doc: {
      id: 'deleteTemplate',
      summary: 'Delete a template',
      description: 'Emails created from it stay in the outbox.',
      replies: success('The id of the deleted template.', ref('Deleted')),
    },
    run: ({ workspace, params }) => {
      const { id } = templateOf(workspace, params);
      workspace.deleteTemplate(id);
      return { body: { deleted: id } };
    },
  },
]);

const templateOf = (workspace: Workspace, params: AdminRequest['params']): Template =>
  requireItem(
    workspace.templates.get(params.id ?? ''),
    'there is no such template in this workspace',
    'GET /__admin/templates lists them.',
  );

const immutableField = (field: string, expected: string): AdminError =>
  new AdminError(
    400,
    `body/${field} is not ${expected}`,
    'Nothing was done. Only name and body can be changed; omit the other fields or send them unchanged.',
  );

// `variables` is always derived from the body, as §2.2 states.
const save = (workspace: Workspace, id: string, input: TemplateInput, created_at: string): Template => {
  const { name, body } = input;
  if (hasTooManyPlaceholders(body))
    throw new AdminError(
      413,
      `body/body has more than ${maxPlaceholders} placeholders`,
      'Nothing was done. Split the template.',
    );
  const variables = placeholdersOf(body);
  if (input.variables && input.variables.join('\n') !== variables.join('\n'))
    throw immutableField('variables', 'what the body names, each once in order of appearance');
  if (input.created_at !== undefined && input.created_at !== created_at)
    throw immutableField('created_at', 'when the template was added');
  const template = { id, name, body, variables, created_at };
  workspace.saveTemplate(template);
  return template;
};
