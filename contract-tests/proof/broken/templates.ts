import { inBody, inData, rewrite } from '../server/mutation.ts';
import type { Fields, RawResponse } from '../server/types.ts';
import { derived, documented } from '../server/types.ts';
import {
  brokenGroup,
  hundreds,
  inLastTemplate,
  inTemplates,
  succeeds,
  variablesOf,
  without,
  withValue,
} from './mutation.ts';

const list = brokenGroup('template-list', documented('4.2'));

/** Changes the templates of many lists in a row, then none of as many, and so on, as a cache does that comes and goes. */
const inTurns = (change: (template: Fields) => Fields) =>
  inBody('listTemplates', (body, { nth }) =>
    Math.floor(nth / 18) % 2 === 1 ? { ...body, data: (body.data as Fields[]).map(change) } : body,
  );

const bareList = ({ payload }: RawResponse) => {
  const { data } = JSON.parse(payload.toString()) as Fields;
  return { payload: Buffer.from(JSON.stringify(data)) };
};

const asObject = (templates: readonly Fields[]) =>
  Object.fromEntries(templates.map((template) => [template.id, template]));

/** §4.2: an array, whole, and the same at both addresses of §4.4. */
export const templateLists = [
  list('list-data-object', 'The list is an object by id').with(
    inData('listTemplates', (data) => asObject(data as unknown as Fields[])),
  ),
  list('list-data-renamed', 'The list is called templates', 'integer-ids').with(
    inBody('listTemplates', ({ data, ...rest }) => ({ ...rest, templates: data })),
  ),
  list('list-data-null-if-empty', 'Without templates data is null', 'no-templates').with(
    inData('listTemplates', () => null),
  ),
  list(
    'list-cut-at-singular',
    'The list ends too early, at the one path there is',
    'list-singular-only',
  ).with(rewrite(succeeds('listTemplates'), ({ payload }) => ({ payload: payload.subarray(0, -2) }))),
  list('list-bare-from-fifth', 'From the fifth on, lists come from a cache with nothing around them').with(
    rewrite((reply, call) => succeeds('listTemplates')(reply, call) && call.nth > 4, bareList),
  ),
  list('list-null-every-third', 'Every third list is null', 'bodies-422').with(
    rewrite(
      (reply, call) => succeeds('listTemplates')(reply, call) && call.nth % 3 === 0,
      () => ({ payload: Buffer.from('null') }),
    ),
  ),
  list('list-id-twice-at-end', 'The last two of 300 templates have one id', hundreds, derived('2.2')).with(
    inTemplates((template, index, all) =>
      index === all.length - 1 ? { ...template, id: all[index - 1]?.id } : template,
    ),
  ),
  list('lists-differ', 'The singular path lists one template less', 'plain', derived('4.4')).with(
    inBody('listTemplates', (body, call) =>
      call.path.endsWith('/template') ? { ...body, data: (body.data as Fields[]).slice(1) } : body,
    ),
  ),
  list('lists-differ-in-ids', 'The singular path shows other ids', 'bodies-422', derived('4.4')).with(
    inBody('listTemplates', (body, call) =>
      call.path.endsWith('/template')
        ? {
            ...body,
            data: (body.data as Fields[]).map((template) => ({ ...template, id: `v1:${template.id}` })),
          }
        : body,
    ),
  ),
  list('list-name-counts', 'Names of templates count the requests', 'integer-ids', derived('4.2')).with(
    inBody('listTemplates', (body, { nth }) => ({
      ...body,
      data: (body.data as Fields[]).map((template) => ({ ...template, name: `${template.name} ${nth}` })),
    })),
  ),
  list('list-names-in-turns', 'Names of templates are in capitals in turns', 'plain', derived('4.2')).with(
    inTurns((template) => ({ ...template, name: String(template.name).toUpperCase() })),
  ),
  list(
    'list-bodies-in-turns',
    'Bodies of templates end in a blank in turns',
    'uuid-ids',
    derived('4.2'),
  ).with(inTurns((template) => ({ ...template, body: `${template.body} ` }))),
  list('singular-list-lacks-variables', 'The singular path lacks variables', 'uuid-ids', '2.2').with(
    inBody('listTemplates', (body, call) =>
      call.path.endsWith('/template')
        ? { ...body, data: (body.data as Fields[]).map(without('variables')) }
        : body,
    ),
  ),
];

const shape = brokenGroup('template-shape', documented('2.2'));

/** §2.2: what a template is. */
export const templateShapes = [
  shape('template-id-empty', 'A template has an empty id').with(inLastTemplate(withValue('id', ''))),
  shape('template-id-absent', 'Templates have no id', 'integer-ids').with(inTemplates(without('id'))),
  shape('template-name-null', 'Templates have name null', 'bodies-422').with(
    inTemplates(withValue('name', null)),
  ),
  shape('template-name-absent', 'The last of 300 templates has no name', hundreds).with(
    inLastTemplate(without('name')),
  ),
  shape('template-body-object', 'Templates have an object for a body', 'behind-a-proxy').with(
    inTemplates((template) => ({ ...template, body: { html: template.body } })),
  ),
  shape('template-body-absent-in-last', 'The last template has no body', 'behind-a-proxy').with(
    inLastTemplate(without('body')),
  ),
  shape('template-variables-null', 'A template without placeholders has variables null').with(
    inTemplates((template) => (variablesOf(template).length ? template : { ...template, variables: null })),
  ),
  shape('template-variables-objects', 'Variables are objects with a name', 'bodies-422').with(
    inTemplates((template) => ({ ...template, variables: variablesOf(template).map((name) => ({ name })) })),
  ),
  shape('template-created-at-absent', 'Templates have no created_at', 'integer-ids').with(
    inTemplates(without('created_at')),
  ),
  shape('template-is-an-id', 'The list holds ids for templates', 'plain', '4.2').with(
    inTemplates((template) => template.id),
  ),
  shape('template-null-at-end', 'The list ends in null', 'php-style', '4.2').with(
    inData('listTemplates', (data) => [...(data as unknown as Fields[]), null]),
  ),
];

const variables = brokenGroup('template-variables', documented('2.2'));

/** §2.2: `variables` names the placeholders used in `body`; that it names nothing else is derived. */
export const templateVariables = [
  variables('variables-lack-first', 'The first placeholder is not in variables').with(
    inTemplates((template) => ({ ...template, variables: variablesOf(template).slice(1) })),
  ),
  variables('variables-in-braces', 'Variables have their braces on', 'bodies-422').with(
    inTemplates((template) => ({
      ...template,
      variables: variablesOf(template).map((name) => `{{${name}}}`),
    })),
  ),
  variables(
    'variables-one-more-in-last',
    'The last of 300 names a variable too many',
    hundreds,
    derived('2.2'),
  ).with(
    inLastTemplate((template) => ({
      ...template,
      variables: [...variablesOf(template), 'unsubscribe_link'],
    })),
  ),
];
