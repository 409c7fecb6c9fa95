import type { Noun, ReplyDoc, Route } from '../route/noun.ts';
import { components, ref } from '../route/schemas.ts';
import type { JsonSchema } from '../validation/json-schema.ts';

type AdminDocument = {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, object>>;
} & JsonSchema;

/** The OpenAPI document of the admin API, created from its routes. The page's files are not part of it. */
export const adminDocument = (nouns: readonly Noun<never>[], version: string): AdminDocument => ({
  openapi: '3.1.0',
  info: {
    title: 'Admin API of the email-leads mock',
    version,
    description:
      'The control plane of a local mock of the Email and Leads service. The `Authorization` header or `?key=` chooses the workspace; without either it is `test_key`, or the first key of `--accept-key` that begins with `test_`.',
    contact: { name: 'email-leads maintainers' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/__admin' }],
  security: [{ key: [] }, { queryKey: [] }, {}],
  tags: nouns.flatMap(({ name, description, routes }) =>
    Object.values(routes).some(({ internal }) => !internal) ? [{ name, description }] : [],
  ),
  paths: pathsOf(nouns),
  components: {
    schemas: components,
    securitySchemes: {
      key: { type: 'http', scheme: 'bearer', description: 'The key of the workspace.' },
      queryKey: {
        type: 'apiKey',
        in: 'query',
        name: 'key',
        description: 'The key of the workspace, for use in a browser.',
      },
    },
  },
});

const pathsOf = (nouns: readonly Noun<never>[]): Record<string, Record<string, object>> => {
  const paths: Record<string, Record<string, object>> = {};
  for (const { name, routes } of nouns)
    for (const [address, route] of Object.entries(routes)) {
      if (route.internal) continue;
      const [method = '', path = ''] = address.split(' ');
      paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(path, name, route) };
    }
  return paths;
};

const operationOf = (path: string, tag: string, doc: Route<never>): object => ({
  operationId: doc.id,
  summary: doc.summary,
  description: doc.description,
  tags: [tag],
  parameters: [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      description: 'The id.',
      schema: { type: 'string' },
    })),
    ...parametersOf(doc.query),
  ],
  ...(doc.body
    ? {
        requestBody: {
          required: doc.bodyRequired ?? true,
          content: { 'application/json': { schema: doc.body } },
        },
      }
    : {}),
  responses: Object.fromEntries(
    Object.entries<ReplyDoc>({ ...doc.replies, ...refusals }).map(([status, reply]) => [
      status,
      responseOf(reply),
    ]),
  ),
});

const parametersOf = (query: Readonly<Record<string, JsonSchema>> = {}): object[] =>
  Object.entries(query).map(([name, { description, 'x-form': _form, ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema,
  }));

const refusals: Readonly<Record<string, ReplyDoc>> = {
  '4XX': { description: 'Error; nothing was changed.', schema: ref('Refusal') },
};

const responseOf = ({ description, schema, type = 'application/json' }: ReplyDoc): object => ({
  description,
  content: { [type]: schema ? { schema } : { schema: { type: 'string' } } },
});
