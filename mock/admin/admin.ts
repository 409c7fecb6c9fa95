import { pathOf } from '../contract/path-template.ts';
import { nearestRoute } from '../contract/questions.ts';
import { mailHeaders, toPreview } from '../mail/preview.ts';
import { nouns, type Parts } from '../nouns/index.ts';
import {
  AdminError,
  type AdminRequest,
  type Handling,
  RawReply,
  type Route,
  requireItem,
} from '../route/noun.ts';
import { type PageFiles, readPageFiles } from '../runtime/page-files.ts';
import { stopwatch } from '../runtime/timers.ts';
import { adminCorsHeaders, isPreflight } from '../service/headers.ts';
import type { Context } from '../service/service.ts';
import { checkCaller, isVisit, readKey } from './access.ts';
import {
  type Admin,
  type AdminHttpReply,
  type AdminHttpRequest,
  createRoutes,
  listRoutes,
  pageReply,
  runRequest,
  toErrorReply,
  toReply,
} from './answer.ts';
import { adminDocument } from './openapi.ts';

/** A route of a noun, or one of the page, which is not described. */
type AnyRoute = Handling<Parts> & Partial<Pick<Route<Parts>, 'id' | 'replies'>>;

/** For the mock's own tests: the reply to send instead of one that breaks the document. */
export type CheckAdminReply = (route: AnyRoute | undefined, reply: AdminHttpReply) => AdminHttpReply;

const prefix = '/__admin';

let files: PageFiles | undefined;

/** The files of the page are read on the first visit. */
const serveFile = (name: string): RawReply => {
  files ??= readPageFiles('mock');
  return pageReply(files, name);
};

const previewOf = (html: string | null | undefined, { query }: AdminRequest): RawReply => {
  const shown = requireItem(html, 'there is nothing to show', 'It may have been deleted meanwhile.') ?? '';
  return new RawReply(toPreview(shown), mailHeaders({ images: query.images === '1', freeLinks: true }));
};

/**
 * What only the page uses, without descriptions: its files, and the HTML of a mail or a template, with links that open in a new
 * tab. `?images=1` lets the browser load its images; this server never does.
 */
const pageRoutes: Readonly<Record<string, AnyRoute>> = {
  'GET /ui': { keyless: true, run: () => new RawReply('', { location: 'ui/' }, 302) },
  'GET /ui/': { keyless: true, run: () => serveFile('index.html') },
  'GET /ui/{file}': { keyless: true, run: (_parts, { id: file }) => serveFile(file) },
  'GET /outbox/{id}/preview': {
    run: ({ outbox }, request) => previewOf(outbox.get(request.id)?.html, request),
  },
  'GET /templates/{id}/preview': {
    run: ({ templates }, request) => previewOf(templates.get(request.id)?.body, request),
  },
};

export const createAdmin = (context: Context, check?: CheckAdminReply): Admin => {
  const { workspaces, allowedHosts, allowedOrigins, redact, log } = context;
  const routes = nouns.flatMap((noun) => listRoutes(noun.routes));
  const mock = { ...workspaces.status, document: () => adminDocument(context.version) };
  const router = createRoutes([...routes, ...listRoutes(pageRoutes)]);

  const find = ({ method, url }: AdminHttpRequest) => {
    const path = pathOf(url).slice(prefix.length);
    const found = router.find(method, path);
    if (found) return found;
    // The query is left out: it may contain a key.
    const whole = pathOf(url).slice(0, 200);
    const wrongMethod = router.methodError(method, path, whole);
    if (wrongMethod) throw wrongMethod;
    const isSlashed = router.methodsAt(path.replace(/\/$/, '')).includes(method);
    const known = routes.map((route) => `${route.method} ${prefix}${route.path}`);
    const meant = isSlashed ? `${method} ${whole.replace(/\/$/, '')}` : nearestRoute(method, whole, known);
    const hint = `Did you mean ${meant}? All routes are at /__admin/openapi.json.`;
    throw new AdminError(404, `there is no ${whole}`, hint);
  };

  const run = (route: AnyRoute, id: string, request: AdminHttpRequest): object | Promise<object> => {
    const { method, headers } = request;
    /** The mock itself, and the workspace of the key, made only for a route that needs it to last. */
    const parts = (query: URLSearchParams): Partial<Parts> => {
      if (route.keyless) return { mock };
      const key = readKey(headers.authorization, query.get('key') ?? undefined, workspaces);
      const onlyReads = !route.longLived && (method === 'GET' || method === 'HEAD');
      return { ...(onlyReads ? workspaces.peek(key) : workspaces.getOrCreate(key)), mock };
    };
    const base = `${context.tls ? 'https' : 'http'}://${headers.host ?? 'localhost'}`;
    return runRequest(
      route,
      { ...request, id, base },
      parts as (query: URLSearchParams) => Parts,
      redact,
      'replies' in route,
    );
  };

  const answer: Admin = async (request) => {
    const { method, url, headers, peer } = request;
    const cors = adminCorsHeaders(headers, allowedOrigins);
    let route: AnyRoute | undefined;
    let reply: AdminHttpReply;
    try {
      checkCaller(headers, peer, allowedHosts, allowedOrigins, isVisit(method, pathOf(url), headers));
      if ('access-control-allow-origin' in cors && isPreflight(method, headers))
        return { status: 204, headers: cors, body: '' };
      const found = find(request);
      route = found.route;
      const [status] = Object.keys(route.replies ?? {});
      reply = toReply(await run(route, found.id, request), Number(status));
    } catch (error) {
      reply = toErrorReply(error as Error, redact);
    }
    if (check) reply = check(route, reply);
    return { ...reply, headers: { ...cors, 'cache-control': 'no-store', ...reply.headers } };
  };
  return async (request) => {
    const seconds = stopwatch();
    const reply = await answer(request);
    log?.(request, { status: reply.status, ms: seconds() * 1000, why: reply.why });
    return reply;
  };
};
