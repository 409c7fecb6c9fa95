import type { components } from '../generated/state.ts';
import { placeholdersOf, type Template } from '../mail/template.ts';
import { AdminError, type AdminRequest, type PartSettings, type Routes, requireItem } from '../route/noun.ts';
import { list, object, ref, stored, success, text, time, wholeNumber } from '../route/schemas.ts';
import { nameItems, numberOfId } from '../store/ids.ts';
import { createStore, limits } from '../store/store.ts';
import { StateError } from '../validation/schema-errors.ts';

/** A template as people write it; all other fields have defaults. */
type TemplateInput = components['schemas']['Template'];

const templateBounds = { name: 'templates', count: limits.templates, length: limits.templatesLength };

/** The templates of one workspace, in the order in which they were added. */
export type Templates = ReturnType<typeof createTemplates>;

export const createTemplates = (settings: PartSettings, given: readonly TemplateInput[] = []) => {
  const { named, lastNumber } = nameItems(given, 'id', String, settings.lastNumber);
  const time = settings.now();
  const templates = named.map((template, index) =>
    complete(`/templates/${index}`, template, template.id, template.created_at ?? time),
  );
  return createStore(templateBounds, 'id', settings, templates, lastNumber);
};

/** A template with the placeholders of its body (§2.2). @throws StateError for what a schema cannot express */
const complete = (
  at: string,
  { name, body, variables: given }: TemplateInput,
  id: string,
  created_at: string,
): Template => {
  const variables = placeholdersOf(body);
  if (!variables)
    throw new StateError(`${at}/body`, `must not have more than ${limits.templatePlaceholders} placeholders`);
  if (given && given.join('\n') !== variables.join('\n'))
    throw new StateError(
      `${at}/variables`,
      'must be the placeholders of the body, each once in order of appearance; left out, they are found',
    );
  return { id, name, body, variables, created_at };
};

const nonEmptyText = { type: 'string', minLength: 1 };
const inputFields = {
  id: { ...nonEmptyText, maxLength: 1000 },
  name: nonEmptyText,
  body: nonEmptyText,
  variables: { ...list(text), description: 'The placeholders of the body; may be omitted.' },
  created_at: { ...time, description: 'The time of creation; it cannot be changed.' },
};
const templateInput = {
  ...object(inputFields, 'id', 'variables', 'created_at'),
  examples: [{ name: 'Welcome', body: '<p>Hello {{first_name}}</p>' }],
};

type Parts = { readonly templates: Templates; readonly clock: { readonly now: () => string } };

/** The templates of the workspace. The service itself has no operation to change them (§4.8). */
export const templateRoutes = {
  'GET /templates': {
    id: 'listTemplates',
    summary: 'List the templates',
    description:
      'The list of the service, without its envelope. `variables` are the placeholders of the body, in order.',
    replies: success('All templates.', object({ templates: list(ref('Template')), total: wholeNumber })),
    run: ({ templates }) => ({ templates: templates.all(), total: templates.size() }),
  },
  'GET /templates/{id}': {
    id: 'getTemplate',
    summary: 'Get a template',
    description: 'By its id, the `template_id` of a request to send an email.',
    replies: success('The template.', ref('Template')),
    run: ({ templates }, request) => templateOf(templates, request),
  },
  'POST /templates': {
    id: 'addTemplate',
    summary: 'Add a template',
    description:
      'For tests; the service itself cannot create templates. `variables` are taken from the body. Without an `id`, the template gets the next free number.',
    body: templateInput,
    replies: stored('The template.', ref('Template'), 201),
    run: ({ templates, clock }, { body }) => {
      const fields = body as TemplateInput;
      const id = fields.id ?? String(templates.nextNumber());
      const hint = 'Change it with PUT /__admin/templates/{id}.';
      if (templates.get(id)) throw new AdminError(409, 'body/id is the id of a template that exists', hint);
      return save(templates, complete('', fields, id, fields.created_at ?? clock.now()));
    },
  },
  'PUT /templates/{id}': {
    id: 'putTemplate',
    summary: 'Replace the name and body of a template',
    description:
      'Replaces name and body; `variables` are taken from the body. The response of GET is a valid body if the other fields are unchanged.',
    body: templateInput,
    replies: stored('The template.', ref('Template')),
    run: ({ templates }, request) => {
      const kept = templateOf(templates, request);
      const fields = request.body as TemplateInput;
      for (const name of ['id', 'created_at'] as const)
        if (fields[name] !== undefined && fields[name] !== kept[name])
          throw new StateError(`/${name}`, `must be ${JSON.stringify(kept[name])}, unless it is left out`);
      return save(templates, complete('', fields, kept.id, kept.created_at));
    },
  },
  'DELETE /templates/{id}': {
    id: 'deleteTemplate',
    summary: 'Delete a template',
    description: 'Emails created from it stay in the outbox.',
    replies: success('The id of the deleted template.', ref('Deleted')),
    run: ({ templates }, request) => {
      const { id } = templateOf(templates, request);
      templates.remove(id);
      return { deleted: id };
    },
  },
} satisfies Routes<Parts>;

const templateOf = (templates: Templates, { id }: AdminRequest): Template =>
  requireItem(
    templates.get(id),
    'there is no such template in this workspace',
    'GET /__admin/templates lists them.',
  );

const save = (templates: Templates, template: Template): Template => {
  // The id of a deleted template is not used again, because sent messages refer to it.
  templates.put(template, numberOfId(template.id));
  return template;
};
