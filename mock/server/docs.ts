import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Contract } from '../contract/document.ts';
import { responseCorsHeaders } from '../service/headers.ts';
import type { Context } from '../service/service.ts';

/**
 * Replaces Fastify's schema compilers. Must be passed when an instance is created: otherwise Fastify loads Ajv and a serializer
 * compiler (a third of its start time), which are not used here and not in the bundle.
 */
export const compilersFactory = {
  buildValidator: () => () => () => true,
  buildSerializer: () => () => (reply: unknown) => JSON.stringify(reply),
} as never;

/**
 * Serves the contract in force as JSON and YAML, and a page to read it. The libraries for page and YAML are loaded on first
 * use, because they would triple the start time.
 */
export const registerDocs = (app: FastifyInstance, context: Context): void => {
  const documentFor = ({ query, headers, host, protocol }: FastifyRequest): Contract => {
    // The key as for the admin API: in the header, else in the URL.
    const { key } = query as { readonly key?: unknown };
    const { authorization = `Bearer ${key}` } = headers;
    // Looking makes no workspace.
    const workspace = context.workspaceOf(authorization, context.workspaces.peek);
    const { document } = context.contractOf(workspace);
    // With the URL of the request, so that tools which read it call this mock.
    return { ...document, servers: [{ url: `${protocol}://${host || '127.0.0.1'}` }] };
  };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(responseCorsHeaders(request.headers, context.allowedOrigins) ?? {});
    done();
  });

  // The root leads to the page. Relative, because a proxy may have added a path.
  app.get('/', ({ url }, reply) =>
    reply.redirect(`${context.admin ? '__admin/ui/' : 'docs'}${url.replace(/^[^?]*/, '')}`),
  );
  app.get('/openapi.json', (request, reply) => reply.send(documentFor(request)));
  app.get('/openapi.yaml', async (request, reply) => {
    const { stringify } = await import('yaml');
    return reply
      .type('application/yaml; charset=utf-8')
      .send(stringify(documentFor(request), { aliasDuplicateObjects: false }));
  });

  // A separate instance, because routes cannot be added to one that is listening.
  let page: Promise<FastifyInstance> | undefined;
  app.addHook('onClose', async () => (await page)?.close());
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    page ??= buildPage(documentFor);
    const { routing } = await page;
    reply.hijack();
    routing(request.raw, reply.raw);
  };
  app.get('/docs', serve);
  app.get('/docs/*', serve);
};

type PageRequest = { url: string; readonly loadSpec?: boolean; readonly headers: Record<string, string> };

/** Runs in the page. It has the workspace in its address, as the outbox page: reads its contract, and sends its key. */
const sendKey = (request: PageRequest): PageRequest => {
  const { location } = globalThis as unknown as { readonly location: URL };
  const key = new URLSearchParams(location.search).get('key') ?? (request.loadSpec ? null : 'test_key');
  if (key !== null) request.headers.Authorization ??= `Bearer ${key}`;
  // The address that the plugin makes for the document ignores that there may be a query.
  if (request.loadSpec)
    request.url = new URL(location.pathname.endsWith('/') ? 'json' : 'docs/json', location.href).href;
  return request;
};

const buildPage = async (documentFor: (request: FastifyRequest) => Contract): Promise<FastifyInstance> => {
  const { default: Fastify } = await import('fastify');
  const { default: swagger } = await import('@fastify/swagger');
  const { default: swaggerUi } = await import('@fastify/swagger-ui');
  const page = Fastify({ logger: false, schemaController: { compilersFactory } });
  // The plugin requires a document; the page gets the one in force.
  const document = { openapi: '3.1.0', info: { title: 'Email and Leads', version: '1' }, paths: {} };
  await page.register(swagger, { mode: 'static', specification: { document: document as never } });
  await page.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'Email and Leads' },
    transformSpecification: (_document, request) => documentFor(request) as never,
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'list',
      tryItOutEnabled: true,
      requestInterceptor: sendKey as never,
    },
  });
  await page.ready();
  return page;
};
