import { nouns } from '../nouns/index.ts';
import type { ReplyDoc, Route } from '../route/noun.ts';
import { components, ref } from '../route/schemas.ts';
import type { JsonSchema } from '../validation/json-schema.ts';

/** The OpenAPI document of the admin API, created from its routes. */
export const adminDocument = (version: string) => ({
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
  tags: nouns.map(({ name, description }) => ({ name, description })),
  paths: describePaths(),
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

const describePaths = (): Record<string, Record<string, object>> => {
  const paths: Record<string, Record<string, object>> = {};
  for (const { name, routes } of nouns)
    for (const [address, route] of Object.entries(routes)) {
      const [method = '', path = ''] = address.split(' ');
      paths[path] = { ...paths[path], [method.toLowerCase()]: describeRoute(path, name, route) };
    }
  return paths;
};

const describeRoute = (path: string, tag: string, route: Route<never>): object => {
  const { id, summary, description, query = {}, body, bodyRequired = true, replies } = route;
  const ofPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: 'The id.',
    schema: { type: 'string' },
  }));
  const ofQuery = Object.entries(query).map(
    ([name, { description: text, 'x-form': _form, ...schema }]: [string, JsonSchema]) => ({
      name,
      in: 'query',
      description: text,
      schema,
    }),
  );
  const content = { 'application/json': { schema: body } };
  const responses = Object.entries<ReplyDoc>({ ...replies, '4XX': refused }).map(
    ([status, { description: text, schema = { type: 'string' }, type = 'application/json' }]) =>
      [status, { description: text, content: { [type]: { schema } } }] as const,
  );
  return {
    ...{ operationId: id, summary, description, tags: [tag], parameters: [...ofPath, ...ofQuery] },
    ...(body ? { requestBody: { required: bodyRequired, content } } : {}),
    responses: Object.fromEntries(responses),
  };
};

const refused: ReplyDoc = { description: 'Error; nothing was changed.', schema: ref('Refusal') };
