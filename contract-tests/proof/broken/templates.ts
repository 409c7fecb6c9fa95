import {
  after,
  afterRefusal,
  afterwards,
  changeBody,
  changeReply,
  fieldsOf,
  inData,
  inList,
  layers,
  refuse,
  refuseWhere,
  rewrite,
} from '../server/mutation.ts';
import type { Store, Template } from '../server/store.ts';
import type { Call, Fields, Mutation, Reply } from '../server/types.ts';
import {
  hundreds,
  inLastTemplate,
  inTemplates,
  server,
  variablesOf,
  whileBusy,
  without,
  withValue,
} from './mutation.ts';

const templateOf = (call: Call): string => String(fieldsOf(call).template_id);
const isSingular = ({ path }: Call): boolean => path.endsWith('/template');

/** Changes the templates of the lists that are due. */
const inLists = (isDue: (call: Call) => boolean, change: (template: Fields) => Fields): Mutation =>
  inList((all, call) => (isDue(call) ? all.map(change) : all));

/** A template with values in place of its variables. */
const fillIn = (template: Fields, values: Fields): Fields => ({
  ...template,
  body: Object.entries(values).reduce(
    (body, [name, value]) => body.replaceAll(`{{${name}}}`, String(value)),
    String(template.body),
  ),
  variables: variablesOf(template).filter((name) => !Object.hasOwn(values, name)),
});

const every = (n: number) => (call: Call) => call.nth % n === 0;

/** Many lists in a row, then none of as many, and so on, as with a cache that comes and goes. */
const inTurns = ({ nth }: Call): boolean => Math.floor(nth / 15) % 2 === 1;

/** §4.2: an array, whole, and the same at both addresses of §4.4. */
const lists = [
  server('The list is an object by id', 'templates.list.data').with(
    inList((all) => Object.fromEntries(all.map((template) => [template.id, template]))),
  ),
  server('Without templates data is null', 'templates.list.data', 'no-templates').with(
    inData('listTemplates', () => null),
  ),
  server(
    'The list ends too early, at the one path there is',
    'templates.list.success',
    'list-singular-only',
  ).with(rewrite(after('listTemplates'), ({ payload }) => ({ payload: payload.subarray(0, -2) }))),
  server(
    'From the fifth on, lists come from a cache with nothing around them',
    'templates.list.success',
  ).with(
    rewrite(
      (call, reply) => after('listTemplates')(call, reply) && call.nth > 4,
      ({ payload }) => ({ payload: Buffer.from(JSON.stringify(JSON.parse(payload.toString()).data)) }),
    ),
  ),
  server('The last two of 300 templates have one id', 'templates.list.distinct-ids', hundreds).with(
    inList((all) => all.with(-1, { ...all.at(-1), id: all.at(-2)?.id })),
  ),
];

/** §4.2: what a list says of a template, the next list says too. */
const varyingLists = [
  server('The singular path shows other ids', 'templates.list.agrees', 'bodies-422').with(
    inLists(isSingular, (template) => ({ ...template, id: `v1:${template.id}` })),
  ),
  server('The first mail fills in its template', 'email.template.keeps-templates').with(
    layers(
      afterwards(after('sendTemplateEmail'), ({ call, memory }) => {
        const { variables } = fieldsOf(call);
        if (!memory.has(templateOf(call))) memory.set(templateOf(call), variables);
      }),
      inList((all, _call, { memory }) =>
        all.map((template) => fillIn(template, (memory.get(String(template.id)) as Fields) ?? {})),
      ),
    ),
  ),
  server('Names of templates count the requests', 'email.template.keeps-templates', 'integer-ids').with(
    inList((all, { nth }) => all.map((template) => ({ ...template, name: `${template.name} ${nth}` }))),
  ),
  server(
    'Every third list lacks variables',
    ['templates.list.variables', 'email.template.keeps-templates'],
    'uuid-ids',
  ).with(inLists(every(3), without('variables'))),
  server('Names of templates are in capitals in turns', 'templates.list.agrees').with(
    inLists(inTurns, (template) => ({ ...template, name: String(template.name).toUpperCase() })),
  ),
  server('created_at is the time of the request', 'templates.list.same-created-at').with(
    inTemplates((template, { at }) => ({ ...template, created_at: new Date(at).toISOString() })),
  ),
  server('Of two lists at once, one is empty', 'templates.list.agrees').with(
    whileBusy('listTemplates', (reply) => ({ ...reply, body: { ...reply.body, data: [] } })),
  ),
  server('Lists no template while a mail from one is sent', 'templates.list.agrees').with(
    layers(
      whileBusy('sendTemplateEmail', (reply) => reply),
      inList((all, _, { memory }) => (memory.get('busy') === true ? [] : all)),
    ),
  ),
  server('A template is listed no longer once it was sent', 'email.template.keeps-templates').with(
    layers(
      afterwards(after('sendTemplateEmail'), ({ call, memory }) => memory.set(templateOf(call), true)),
      inList((all, _, { memory }) => all.filter(({ id }) => !memory.has(String(id)))),
    ),
  ),
  server(
    'Every list has other ids of its templates, and those of the list before are unknown',
    'templates.list.agrees',
    'bodies-422',
  ).with(
    layers(
      inList((all, _, { memory }) => {
        const edition = Number(memory.get('edition') ?? 0) + 1;
        memory.set('edition', edition);
        return all.map((one) => ({ ...one, id: `${one.id}.${edition}` }));
      }),
      changeBody('sendTemplateEmail', (body, call, { memory }) => {
        const [own, of] = templateOf(call).split('.');
        return { ...body, template_id: of === String(memory.get('edition')) ? own : 'forgotten' };
      }),
    ),
  ),
];

/** §2.2: what a template is, and that `variables` names the placeholders of its body; that it names nothing else is derived. */
const shapes = [
  server('A template has an empty id', 'templates.list.id').with(inLastTemplate(withValue('id', ''))),
  server('Templates have name null', 'templates.list.name', 'bodies-422').with(
    inTemplates(withValue('name', null)),
  ),
  server('The last template has no body', 'templates.list.body', 'behind-a-proxy').with(
    inLastTemplate(without('body')),
  ),
  server(
    'Variables are objects with a name',
    ['templates.list.placeholders-listed', 'templates.list.no-extra-variables', 'templates.list.variables'],
    'bodies-422',
  ).with(
    inTemplates((template) => ({ ...template, variables: variablesOf(template).map((name) => ({ name })) })),
  ),
  server('Templates have no created_at', 'templates.list.created-at', 'integer-ids').with(
    inTemplates(without('created_at')),
  ),
  server('The list ends in null', 'templates.list.items', 'php-style').with(inList((all) => [...all, null])),
  server('The first placeholder is not in variables', 'templates.list.placeholders-listed').with(
    inTemplates((template) => ({ ...template, variables: variablesOf(template).slice(1) })),
  ),
  server('The last of 300 names a variable too many', 'templates.list.no-extra-variables', hundreds).with(
    inLastTemplate((template) => ({
      ...template,
      variables: [...variablesOf(template), 'unsubscribe_link'],
    })),
  ),
];

/** Refuses to send some of the templates that it lists. */
const refuseTemplate = (
  refusal: Reply,
  refuses: (template: Template, all: readonly Template[]) => boolean,
): Mutation =>
  refuseWhere('sendTemplateEmail', refusal, (call, { store: { templates } }) =>
    templates.some((template) => template.id === templateOf(call) && refuses(template, templates)),
  );

const unknown = refuse(404, 'no template has this id', 'template');

const acceptsUnknown = (applies: (call: Call, store: Store) => boolean): Mutation =>
  changeReply(afterRefusal('sendTemplateEmail', 'template'), (reply, { call, store }) =>
    applies(call, store) ? { status: 200, body: { success: true, message: 'Template email sent' } } : reply,
  );

/** §4.3: a listed template can be sent; one that does not exist cannot. */
const sending = [
  server('Templates of numeric ids cannot be sent', 'email.template.success', hundreds).with(
    refuseTemplate(unknown, ({ id }) => /^\d+$/.test(id)),
  ),
  server(
    'The last listed template cannot be sent',
    'email.template.listed-ids-known',
    'refusals-at-200',
  ).with(refuseTemplate(unknown, ({ id }, all) => id === all.at(-1)?.id)),
  server(
    'A template in mid-list cannot be sent',
    'email.template.listed-ids-known',
    'a-dozen-templates',
  ).with(refuseTemplate(unknown, ({ id }, all) => id === all[6]?.id)),
  server('Only the first template can be sent', 'email.template.any-listed').with(
    refuseTemplate(
      refuse(400, 'the template is not available', 'template'),
      ({ id }, [first]) => id !== first?.id,
    ),
  ),
  server('Takes {} for no variables', 'email.template.any-listed', 'php-style').with(
    refuseTemplate(
      refuse(200, 'variables is required', 'template'),
      ({ variables }) => variables.length === 0,
    ),
  ),
  server('Looks at the beginning of a template id', 'email.template.refuses-unknown').with(
    acceptsUnknown((call, { templates }) => templates.some(({ id }) => templateOf(call).startsWith(id))),
  ),
  server('Sends unknown templates at /send-template', 'email.template.refuses-unknown', 'bodies-422').with(
    acceptsUnknown(({ path }) => path.endsWith('/send-template')),
  ),
];

export const templates = [...lists, ...varyingLists, ...shapes, ...sending];
