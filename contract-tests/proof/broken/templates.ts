import { after, fieldsOf, inData, rewrite } from '../server/mutation.ts';
import type { Call, Fields, Mutation } from '../server/types.ts';
import {
  hundreds,
  inLastTemplate,
  inList,
  inTemplates,
  server,
  variablesOf,
  whileBusy,
  without,
  withValue,
} from './mutation.ts';

const isSingular = ({ path }: Call): boolean => path.endsWith('/template');

/** Changes the templates of the lists that are due. */
const inLists = (isDue: (call: Call) => boolean, change: (template: Fields) => Fields): Mutation =>
  inList((all, call) => (isDue(call) ? all.map(change) : all));

const every = (n: number) => (call: Call) => call.nth % n === 0;

/** Many lists in a row, then none of as many, and so on, as with a cache that comes and goes. */
const inTurns = ({ nth }: Call): boolean => Math.floor(nth / 18) % 2 === 1;

/** §4.2: an array, whole, and the same at both addresses of §4.4. */
const lists = [
  server('list-data-object', 'The list is an object by id', 'templates.list.data').with(
    inList((all) => Object.fromEntries(all.map((template) => [template.id, template]))),
  ),
  server(
    'list-data-null-if-empty',
    'Without templates data is null',
    'templates.list.data',
    'no-templates',
  ).with(inData('listTemplates', () => null)),
  server(
    'list-cut-at-singular',
    'The list ends too early, at the one path there is',
    'templates.list.success',
    'list-singular-only',
  ).with(rewrite(after('listTemplates'), ({ payload }) => ({ payload: payload.subarray(0, -2) }))),
  server(
    'list-bare-from-fifth',
    'From the fifth on, lists come from a cache with nothing around them',
    'templates.list.success',
  ).with(
    rewrite(
      (call, reply) => after('listTemplates')(call, reply) && call.nth > 4,
      ({ payload }) => ({ payload: Buffer.from(JSON.stringify(JSON.parse(payload.toString()).data)) }),
    ),
  ),
  server(
    'list-id-twice-at-end',
    'The last two of 300 templates have one id',
    'templates.list.distinct-ids',
    hundreds,
  ).with(inList((all) => all.with(-1, { ...all.at(-1), id: all.at(-2)?.id }))),
];

/** §4.2: what a list says of a template, the next list says too. */
const varyingLists = [
  server(
    'lists-differ-in-ids',
    'The singular path shows other ids',
    'templates.list.agrees',
    'bodies-422',
  ).with(inLists(isSingular, (template) => ({ ...template, id: `v1:${template.id}` }))),
  server(
    'singular-list-lacks-variables',
    'The singular path lacks variables',
    'templates.list.variables',
    'uuid-ids',
  ).with(inLists(isSingular, without('variables'))),
  server(
    'list-name-counts',
    'Names of templates count the requests',
    'email.template.keeps-templates',
    'integer-ids',
  ).with(inList((all, { nth }) => all.map((template) => ({ ...template, name: `${template.name} ${nth}` })))),
  server('list-names-in-turns', 'Names of templates are in capitals in turns', 'templates.list.agrees').with(
    inLists(inTurns, (template) => ({ ...template, name: String(template.name).toUpperCase() })),
  ),
  server(
    'list-body-alternates',
    'Every third list shows other bodies',
    'templates.list.agrees',
    'python-style',
  ).with(inLists(every(3), (template) => ({ ...template, body: `${template.body}<!-- cached -->` }))),
  server(
    'every-third-list-without-variables',
    'Every third list lacks variables',
    ['templates.list.variables', 'email.template.keeps-templates'],
    'uuid-ids',
  ).with(inLists(every(3), without('variables'))),
  server(
    'list-lacks-item-now-and-then',
    'Every fifth list lacks a template',
    'templates.list.agrees',
    'uuid-ids',
  ).with(inList((all, call) => (every(5)(call) ? all.toSpliced(1, 1) : all))),
  server(
    'list-created-this-second',
    'created_at is the time of the request, to the second',
    'templates.list.same-created-at',
  ).with(
    inTemplates((template) => ({ ...template, created_at: `${new Date().toISOString().slice(0, 19)}Z` })),
  ),
  server(
    'list-created-today',
    'created_at of one template alternates',
    'templates.list.same-created-at',
    'integer-ids',
  ).with(
    inLists(every(4), (template) =>
      template.name === 'Welcome' ? { ...template, created_at: '2024-03-10T00:00:00Z' } : template,
    ),
  ),
  server('second-list-at-once-empty', 'Of two lists at once, one is empty', 'templates.list.agrees').with(
    whileBusy('listTemplates', (reply) => ({ ...reply, body: { ...reply.body, data: [] } })),
  ),
  server(
    'template-missing-after-add',
    'A new lead hides a template from the next list',
    'templates.list.agrees',
    'integer-ids',
  ).with({
    handle: (call, next, { memory }) => {
      const reply = next(call);
      if (after('addLead')(call, reply)) memory.set('hidden', true);
      if (!after('listTemplates')(call, reply) || !memory.delete('hidden')) return reply;
      return { ...reply, body: { ...reply.body, data: (reply.body.data as Fields[]).slice(1) } };
    },
  }),
  server(
    'sent-templates-unlisted',
    'A template is listed no longer once it was sent',
    'email.template.keeps-templates',
  ).with({
    handle: (call, next, { memory }) => {
      const reply = next(call);
      if (after('sendTemplateEmail')(call, reply)) memory.set(`sent ${fieldsOf(call).template_id}`, true);
      if (!after('listTemplates')(call, reply)) return reply;
      const data = (reply.body.data as Fields[]).filter(({ id }) => !memory.has(`sent ${id}`));
      return { ...reply, body: { ...reply.body, data } };
    },
  }),
  server(
    'template-ids-of-one-list',
    'Every list has other ids of its templates, and those of the list before are unknown',
    'templates.list.agrees',
    'bodies-422',
  ).with({
    handle: (call, next, { memory }) => {
      const edition = Number(memory.get('edition') ?? 0);
      const { template_id: id } = fieldsOf(call);
      if (call.operation === 'sendTemplateEmail' && id) {
        const [own, of] = String(id).split('.');
        return next({
          ...call,
          body: { ...fieldsOf(call), template_id: of === `${edition}` ? own : 'forgotten' },
        });
      }
      const reply = next(call);
      if (!after('listTemplates')(call, reply)) return reply;
      memory.set('edition', edition + 1);
      const data = (reply.body.data as Fields[]).map((one) => ({ ...one, id: `${one.id}.${edition + 1}` }));
      return { ...reply, body: { ...reply.body, data } };
    },
  }),
];

/** §2.2: what a template is, and that `variables` names the placeholders of its body; that it names nothing else is derived. */
const shapes = [
  server('template-id-empty', 'A template has an empty id', 'templates.list.id').with(
    inLastTemplate(withValue('id', '')),
  ),
  server('template-name-null', 'Templates have name null', 'templates.list.name', 'bodies-422').with(
    inTemplates(withValue('name', null)),
  ),
  server(
    'template-body-absent-in-last',
    'The last template has no body',
    'templates.list.body',
    'behind-a-proxy',
  ).with(inLastTemplate(without('body'))),
  server(
    'template-variables-objects',
    'Variables are objects with a name',
    ['templates.list.placeholders-listed', 'templates.list.no-extra-variables', 'templates.list.variables'],
    'bodies-422',
  ).with(
    inTemplates((template) => ({ ...template, variables: variablesOf(template).map((name) => ({ name })) })),
  ),
  server(
    'template-created-at-absent',
    'Templates have no created_at',
    'templates.list.created-at',
    'integer-ids',
  ).with(inTemplates(without('created_at'))),
  server('template-null-at-end', 'The list ends in null', 'templates.list.items', 'php-style').with(
    inList((all) => [...all, null]),
  ),
  server(
    'variables-lack-first',
    'The first placeholder is not in variables',
    'templates.list.placeholders-listed',
  ).with(inTemplates((template) => ({ ...template, variables: variablesOf(template).slice(1) }))),
  server(
    'variables-one-more-in-last',
    'The last of 300 names a variable too many',
    'templates.list.no-extra-variables',
    hundreds,
  ).with(
    inLastTemplate((template) => ({
      ...template,
      variables: [...variablesOf(template), 'unsubscribe_link'],
    })),
  ),
];

export const templates = [...lists, ...varyingLists, ...shapes];
