import type { Fields } from '../exchange.ts';
import { breaking, derived, documented } from './breaking.ts';
import { inBody, inData, inTemplates, without } from './faults.ts';

const list = breaking('template-list');
const many = 'hundreds-of-templates';

const asObject = (templates: readonly Fields[]) => Object.fromEntries(templates.map((one) => [one.id, one]));

/** §4.2: an array, whole, and the same at both addresses of §4.4. */
export const templateLists = [
  list(
    'list-data-object',
    'The list is an object by id',
    'plain',
    documented('4.2'),
    inData('listTemplates', (data) => asObject(data as unknown as Fields[])),
  ),
  list(
    'list-data-renamed',
    'The list is called templates',
    'integer-ids',
    documented('4.2'),
    inBody('listTemplates', ({ data, ...rest }) => ({ ...rest, templates: data })),
  ),
  list(
    'list-data-nested',
    'The list is wrapped once more',
    'behind-a-proxy',
    documented('4.2'),
    inData('listTemplates', (data) => ({ items: data, total: 3 })),
  ),
  list(
    'list-data-null-if-empty',
    'Without templates data is null',
    'no-templates',
    documented('4.2'),
    inData('listTemplates', () => null),
  ),
  list(
    'list-data-absent-if-empty',
    'Without templates there is no data',
    'sparse',
    documented('4.2'),
    inBody('listTemplates', without('data')),
  ),
  list(
    'list-id-twice',
    'Two templates have one id',
    'plain',
    derived('2.2'),
    inTemplates((one, index, all) => (index === 1 ? { ...one, id: all[0]?.id } : one)),
  ),
  list(
    'list-id-twice-at-end',
    'The last two of 300 templates have one id',
    many,
    derived('2.2'),
    inTemplates((one, index, all) => (index === all.length - 1 ? { ...one, id: all[index - 1]?.id } : one)),
  ),
  list(
    'lists-differ',
    'The singular path lists one template less',
    'plain',
    derived('4.4'),
    inBody('listTemplates', (body, call) =>
      call.path.endsWith('/template') ? { ...body, data: (body.data as Fields[]).slice(1) } : body,
    ),
  ),
  list(
    'lists-differ-in-ids',
    'The singular path shows ids of another kind',
    'bodies-422',
    derived('4.4'),
    inBody('listTemplates', (body, call) =>
      call.path.endsWith('/template')
        ? { ...body, data: (body.data as Fields[]).map((one) => ({ ...one, id: `v1:${one.id}` })) }
        : body,
    ),
  ),
  list(
    'list-time-is-now',
    'created_at of a template is another minute in each list',
    'plain',
    derived('2.2'),
    inBody('listTemplates', (body, { nth }) => ({
      ...body,
      data: (body.data as Fields[]).map((one) => ({
        ...one,
        created_at: new Date(Date.UTC(2026, 0, 1, 0, nth)).toISOString(),
      })),
    })),
  ),
  list(
    'list-name-counts',
    'The name of a template counts how often it was listed',
    'integer-ids',
    derived('4.2'),
    inBody('listTemplates', (body, { nth }) => ({
      ...body,
      data: (body.data as Fields[]).map((one) => ({ ...one, name: `${one.name} ${nth}` })),
    })),
  ),
  list(
    'singular-list-lacks-variables',
    'Templates lack variables at the singular path',
    'uuid-ids',
    documented('2.2'),
    inBody('listTemplates', (body, call) =>
      call.path.endsWith('/template')
        ? { ...body, data: (body.data as Fields[]).map(without('variables')) }
        : body,
    ),
  ),
];
