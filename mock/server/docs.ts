import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Contract } from '../contract/document.ts';
import type { Context } from '../service/context.ts';
import { responseCorsHeaders } from '../service/cors.ts';

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
  const documentFor = (request: FastifyRequest): Contract => {
    // The key as for the page and the admin API: in the header, else in the URL.
    const { key } = request.query as { readonly key?: unknown };
    const { authorization = `Bearer ${key}` } = request.headers;
    return withServerUrl(request, context.contractFor(authorization).document);
  };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(responseCorsHeaders(request.headers, context.allowedOrigins) ?? {});
    done();
  });

  // The root leads to the page. Relative, because a proxy may have added a path.
  app.get('/', (request, reply) => {
    const [, query] = request.url.split('?', 2);
    return reply.redirect(
      `${context.admin ? '__admin/ui/' : 'docs'}${query === undefined ? '' : `?${query}`}`,
    );
  });
  // The second path is the one that the page expects.
  for (const path of ['/openapi.json', '/docs/json'])
    app.get(path, (request, reply) => reply.send(documentFor(request)));
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
    page ??= buildPage(context);
    const { routing } = await page;
    // The page derives its own addresses from this URL. The query is for its script only.
    request.raw.url = request.url.split('?', 1)[0];
    reply.hijack();
    routing(request.raw, reply.raw);
  };
  app.get('/docs', serve);
  app.get('/docs/*', serve);
};

/** The contract with the server URL of the request, so that tools which read it call this mock. */
const withServerUrl = ({ host, protocol }: FastifyRequest, contract: Contract): Contract => ({
  ...contract,
  servers: [{ url: `${protocol}://${host || '127.0.0.1'}` }],
});

const docsStyle = '.docs-bar { display: flex; gap: 20px; padding: 12px 20px 0; font: 14px sans-serif; }';

/**
 * The script of the reference page: takes the workspace from `?key=`, as the outbox page does, shows its contract, fills in its
 * key, and links to the outbox page.
 */
const docsScript = (defaultKey: string | undefined, admin: boolean): string => `
const base = new URL(location.pathname.endsWith('/') ? './' : 'docs/', location.href);
const key = new URLSearchParams(location.search).get('key') ?? ${JSON.stringify(defaultKey ?? null)};

const build = window.SwaggerUIBundle;
window.SwaggerUIBundle = Object.assign((config) => {
  const ui = build({
    ...config,
    url: new URL('../openapi.json', base).href,
    requestInterceptor: (request) => {
      if (request.loadSpec && key !== null) request.headers.Authorization = 'Bearer ' + key;
      return request;
    },
    onComplete: () => {
      if (key !== null) ui.preauthorizeApiKey('bearer', key);
    },
  });
  const bar = document.createElement('nav');
  bar.className = 'docs-bar';
  bar.setAttribute('aria-label', 'Related');
  for (const [text, path] of ${JSON.stringify(docsLinks(admin))}) {
    const link = document.createElement('a');
    link.textContent = text;
    link.href = new URL(path, base).href;
    // The key may have been changed on this page.
    if (path.endsWith('/ui/')) link.addEventListener('click', () => {
      const current = ui.authSelectors.authorized()?.getIn(['bearer', 'value']) ?? key;
      if (current !== null) link.search = '?' + new URLSearchParams({ key: current });
    });
    bar.append(link);
  }
  document.body.prepend(bar);
  return ui;
}, build);
`;

const docsLinks = (admin: boolean): readonly (readonly [string, string])[] => [
  ...(admin ? [['Captured messages, requests and leads', '../__admin/ui/'] as const] : []),
  ['openapi.yaml', '../openapi.yaml'],
];

const buildPage = async ({ admin, workspaces }: Context): Promise<FastifyInstance> => {
  const { default: Fastify } = await import('fastify');
  const { default: swagger } = await import('@fastify/swagger');
  const { default: swaggerUi } = await import('@fastify/swagger-ui');
  const page = Fastify({ logger: false, schemaController: { compilersFactory } });
  // The plugin requires a document. The page reads the one in force.
  const document = { openapi: '3.1.0', info: { title: 'Email and Leads', version: '1' }, paths: {} };
  await page.register(swagger, { mode: 'static', specification: { document: document as never } });
  await page.register(swaggerUi, {
    routePrefix: '/docs',
    theme: {
      title: 'Email and Leads',
      css: [{ filename: 'theme.css', content: docsStyle }],
      js: [{ filename: 'theme.js', content: docsScript(workspaces.status.defaultKey, admin) }],
    },
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', tryItOutEnabled: true },
  });
  await page.ready();
  return page;
};
