import type { Fields } from '../exchange.ts';
import { breaking, documented } from './breaking.ts';
import { inData, inLastTemplate, inTemplates, without, withValue } from './faults.ts';

const shape = breaking('template-shape');

const names = (template: Fields) => template.variables as string[];
const many = 'hundreds-of-templates';

/** §2.2: what a template is. */
export const templateShapes = [
  shape(
    'template-id-number',
    'Numeric-looking template ids are numbers',
    many,
    documented('2.2'),
    inTemplates((one) => ({ ...one, id: Number(one.id) })),
  ),
  shape(
    'template-id-empty',
    'A template has an empty id',
    'plain',
    documented('2.2'),
    inLastTemplate(withValue('id', '')),
  ),
  shape(
    'template-id-absent',
    'Templates have no id',
    'integer-ids',
    documented('2.2'),
    inTemplates(without('id')),
  ),
  shape(
    'template-name-null',
    'Templates have name null',
    'bodies-422',
    documented('2.2'),
    inTemplates(withValue('name', null)),
  ),
  shape(
    'template-name-absent',
    'The last of 300 templates has no name',
    many,
    documented('2.2'),
    inLastTemplate(without('name')),
  ),
  shape(
    'template-title-for-name',
    'Templates have a title for a name',
    'refusals-at-200',
    documented('2.2'),
    inTemplates(({ name, ...rest }) => ({ ...rest, title: name })),
  ),
  shape(
    'template-body-absent',
    'Templates have no body',
    'plain',
    documented('2.2'),
    inTemplates(without('body')),
  ),
  shape(
    'template-body-object',
    'Templates have an object for a body',
    'behind-a-proxy',
    documented('2.2'),
    inTemplates((one) => ({ ...one, body: { html: one.body } })),
  ),
  shape(
    'template-body-absent-in-last',
    'The last template has no body',
    'behind-a-proxy',
    documented('2.2'),
    inLastTemplate(without('body')),
  ),
  shape(
    'template-variables-absent',
    'Templates have no variables',
    'uuid-ids',
    documented('2.2'),
    inTemplates(without('variables')),
  ),
  shape(
    'template-variables-null',
    'A template without placeholders has variables null',
    'plain',
    documented('2.2'),
    inTemplates((one) => (names(one).length ? one : { ...one, variables: null })),
  ),
  shape(
    'template-variables-object',
    'Variables are an object',
    'paths-as-in-examples',
    documented('2.2'),
    inTemplates((one) => ({ ...one, variables: Object.fromEntries(names(one).map((name) => [name, ''])) })),
  ),
  shape(
    'template-variables-commas',
    'Variables are a text with commas',
    'strict-fields',
    documented('2.2'),
    inTemplates((one) => ({ ...one, variables: names(one).join(',') })),
  ),
  shape(
    'template-variables-objects',
    'Variables are objects with a name',
    'bodies-422',
    documented('2.2'),
    inTemplates((one) => ({ ...one, variables: names(one).map((name) => ({ name })) })),
  ),
  shape(
    'template-created-at-absent',
    'Templates have no created_at',
    'integer-ids',
    documented('2.2'),
    inTemplates(without('created_at')),
  ),
  shape(
    'template-is-an-id',
    'The list holds ids for templates',
    'plain',
    documented('4.2'),
    inTemplates((one) => one.id),
  ),
  shape(
    'template-null-at-end',
    'The list ends in null',
    'php-style',
    documented('4.2'),
    inData('listTemplates', (data) => [...(data as unknown as Fields[]), null]),
  ),
];
