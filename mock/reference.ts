import type { FastifyInstance } from 'fastify';
import { compilersFactory } from './compilers.ts';
import type { Context } from './context.ts';

/** The contract in force as JSON and YAML, and a page to read it. What they need is loaded when first asked for. */
export const registerReference = (app: FastifyInstance, { view }: Context): void => {
  app.get('/openapi.json', (_request, reply) => reply.send(view.contract));
  app.get('/openapi.yaml', async (_request, reply) => {
    const { stringify } = await import('yaml');
    return reply
      .type('application/yaml; charset=utf-8')
      .send(stringify(view.contract, { aliasDuplicateObjects: false }));
  });

  let page: Promise<FastifyInstance> | undefined;
  app.addHook('onClose', async () => (await page)?.close());
  const serve = async (
    request: { raw: Parameters<FastifyInstance['routing']>[0] },
    reply: Hijackable,
  ): Promise<void> => {
    page ??= buildPage(view.contract);
    const { routing } = await page;
    reply.hijack();
    routing(request.raw, reply.raw);
  };
  app.get('/docs', serve);
  app.get('/docs/*', serve);
};

type Hijackable = { hijack: () => unknown; raw: Parameters<FastifyInstance['routing']>[1] };

// A second Fastify instance: plugins cannot join one that is already listening, and this one nobody may ever ask for.
const buildPage = async (document: Context['view']['contract']): Promise<FastifyInstance> => {
  const { default: Fastify } = await import('fastify');
  const { default: swagger } = await import('@fastify/swagger');
  const { default: swaggerUi } = await import('@fastify/swagger-ui');
  const page = Fastify({ logger: false, schemaController: { compilersFactory } });
  await page.register(swagger, { mode: 'static', specification: { document: document as never } });
  await page.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list', persistAuthorization: true },
  });
  await page.ready();
  return page;
};
