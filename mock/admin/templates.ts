import type { Template, Workspace } from '../state.ts';
import { placeholdersOf } from '../substitute.ts';
import { AdminError, type AdminRequest, type AdminRoute, objectBody } from './route.ts';

/** The templates of the workspace, to be set up for a test: the service itself has no way to write them (§4.8). */
export const templateRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/templates',
    run: ({ workspace }) => ({
      body: { templates: [...workspace.templates.values()], total: workspace.templates.size },
    }),
  },
  {
    method: 'GET',
    path: '/templates/:id',
    run: ({ workspace, params }) => ({ body: existing(workspace, params) }),
  },
  {
    method: 'POST',
    path: '/templates',
    run: ({ workspace, body }) => {
      const fields = objectBody(body);
      const id = fields.id === undefined ? workspace.nextTemplateId() : text(fields, 'id');
      if (workspace.templates.has(id)) {
        throw new AdminError(
          409,
          'body/id is the id of a template that exists',
          'Change it with PUT /__admin/templates/{id}.',
        );
      }
      return { status: 201, body: save(workspace, id, fields, workspace.now()) };
    },
  },
  {
    method: 'PUT',
    path: '/templates/:id',
    run: ({ workspace, params, body }) => {
      const { id, created_at } = existing(workspace, params);
      return { body: save(workspace, id, objectBody(body), created_at) };
    },
  },
  {
    method: 'DELETE',
    path: '/templates/:id',
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

const text = (fields: Readonly<Record<string, unknown>>, name: string): string => {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new AdminError(
    400,
    `body/${name} must be a text that is not empty`,
    'A template has "name" and "body"; "id" is optional.',
  );
};

// `variables` always follows from the body, so that the list keeps the promise of §2.2.
const save = (
  workspace: Workspace,
  id: string,
  fields: Readonly<Record<string, unknown>>,
  created_at: string,
): Template => {
  const body = text(fields, 'body');
  const template = { id, name: text(fields, 'name'), body, variables: placeholdersOf(body), created_at };
  workspace.saveTemplate(template);
  return template;
};
