import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compilersFactory } from './compilers.ts';
import type { Context } from './context.ts';
import { allowPages, answerOptions } from './cors.ts';
import { sendRefusal } from './refusals.ts';
import type { Contract } from './spec.ts';
import { elsewhere } from './unrouted.ts';

/**
 * The contract in force as JSON and YAML, a page to read it, and the 404 of every other path. What the page and YAML need
 * is loaded when first asked for: it would triple the time to start.
 */
export const registerReference = (app: FastifyInstance, context: Context): void => {
  const { admin, view, viewFor } = context;
  const notFound = ({ method, url }: FastifyRequest): Error => elsewhere(method, url, admin, view);
  // Before the body is looked at: what was sent does not matter where there is nothing. A page that has the address
  // wrong is to read so, and not that CORS is.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') return answerOptions(request, reply);
    allowPages(request, reply);
    done(request.is404 ? notFound(request) : undefined);
  });
  app.setNotFoundHandler((request, reply) => sendRefusal(notFound(request), request, reply, context));

  // Where people begin. Relative, as a proxy may have added a path.
  app.get('/', (request, reply) => {
    const [, query] = request.url.split('?', 2);
    return reply.redirect(`${admin ? '__admin/ui/' : 'docs'}${query === undefined ? '' : `?${query}`}`);
  });

  // The page's own name for it comes second.
  for (const path of ['/openapi.json', '/docs/json'])
    app.get(path, (request, reply) => reply.send(servedAt(request, viewFor(request).contract)));
  app.get('/openapi.yaml', async (request, reply) => {
    const { stringify } = await import('yaml');
    return reply
      .type('application/yaml; charset=utf-8')
      .send(stringify(servedAt(request, viewFor(request).contract), { aliasDuplicateObjects: false }));
  });

  let page: Promise<FastifyInstance> | undefined;
  app.addHook('onClose', async () => (await page)?.close());
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    page ??= buildPage();
    const { routing } = await page;
    reply.hijack();
    routing(request.raw, reply.raw);
  };
  app.get('/docs', serve);
  app.get('/docs/*', serve);
};

/** The contract with the address it was asked under as its `{base_url}`, so that tools which read it call this mock. */
const servedAt = ({ host, protocol }: FastifyRequest, contract: Contract): Contract => ({
  ...contract,
  servers: (contract.servers ?? []).map((server) => ({
    ...server,
    variables: { ...server.variables, base_url: { default: `${protocol}://${host || '127.0.0.1'}` } },
  })),
});

// A second Fastify instance: plugins cannot join one that is already listening, and this one nobody may ever ask for.
const buildPage = async (): Promise<FastifyInstance> => {
  const { default: Fastify } = await import('fastify');
  const { default: swagger } = await import('@fastify/swagger');
  const { default: swaggerUi } = await import('@fastify/swagger-ui');
  const page = Fastify({ logger: false, schemaController: { compilersFactory } });
  // The plugin insists on a document of its own; the page reads the one in force, see above.
  const document = { openapi: '3.1.0', info: { title: 'Email and Leads', version: '1' }, paths: {} };
  await page.register(swagger, { mode: 'static', specification: { document: document as never } });
  await page.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'Email and Leads' },
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'list',
      persistAuthorization: true,
      tryItOutEnabled: true,
    },
  });
  await page.ready();
  return page;
};
