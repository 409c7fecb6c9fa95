import { fieldsOf, refuse, refuseWhere } from '../server/mutation.ts';
import type { Store } from '../server/store.ts';
import type { Template } from '../server/templates.ts';
import type { Call, Mutation, Reply } from '../server/types.ts';
import { hundreds, server } from './mutation.ts';

const templateOf = (call: Call) => fieldsOf(call).template_id;

/** Refuses to send some of the templates that it lists. */
const refuseTemplate = (
  refusal: Reply,
  refuses: (template: Template, all: readonly Template[]) => boolean,
): Mutation =>
  refuseWhere('sendTemplateEmail', refusal, (call, { store: { templates } }) =>
    templates.some((template) => template.id === templateOf(call) && refuses(template, templates)),
  );

const unknown = refuse(404, 'no template has this id', 'template');

const acceptsUnknown = (applies: (call: Call, store: Store) => boolean): Mutation => ({
  handle: (call, next, { store }) => {
    const reply = next(call);
    if (reply.refused !== 'template' || !applies(call, store)) return reply;
    return { status: 200, body: { success: true, message: 'Template email sent' } };
  },
});

/** §4.3: a listed template can be sent; one that does not exist cannot. */
export const templateSending = [
  server(
    'numeric-templates-unknown',
    'Templates of numeric ids cannot be sent',
    'email.template.success',
    hundreds,
  ).with(refuseTemplate(unknown, ({ id }) => /^\d+$/.test(id))),
  server(
    'last-template-unknown',
    'The last listed template cannot be sent',
    'email.template.listed-ids-known',
    'refusals-at-200',
  ).with(refuseTemplate(unknown, ({ id }, all) => id === all.at(-1)?.id)),
  server(
    'seventh-template-unknown',
    'A template in mid-list cannot be sent',
    'email.template.listed-ids-known',
    'a-dozen-templates',
  ).with(refuseTemplate(unknown, ({ id }, all) => id === all[6]?.id)),
  server('other-templates-refused', 'Only the first template can be sent', 'email.template.any-listed').with(
    refuseTemplate(
      refuse(400, 'the template is not available', 'template'),
      ({ id }, [first]) => id !== first?.id,
    ),
  ),
  server(
    'empty-variables-refused',
    'Takes {} for no variables',
    'email.template.any-listed',
    'php-style',
  ).with(
    refuseTemplate(
      refuse(200, 'variables is required', 'template'),
      ({ variables }) => variables.length === 0,
    ),
  ),
  server(
    'template-known-by-beginning',
    'Looks at the beginning of a template id',
    'email.template.refuses-longer-id',
  ).with(
    acceptsUnknown((call, { templates }) =>
      templates.some(({ id }) => String(templateOf(call)).startsWith(id)),
    ),
  ),
  server(
    'template-known-by-part',
    'Finds a template by a part of its id',
    'email.template.refuses-longer-id',
  ).with(
    acceptsUnknown((call, { templates }) => {
      const part = String(templateOf(call));
      return part.length > 3 && templates.some(({ id }) => id.startsWith(part));
    }),
  ),
  server(
    'unknown-template-sent-at-alias',
    'Sends unknown templates at /send-template',
    'email.template.refuses-unknown',
    'bodies-422',
  ).with(acceptsUnknown(({ path }) => path.endsWith('/send-template'))),
];
