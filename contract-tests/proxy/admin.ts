import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopback } from '../../mock/contract/loopback.ts';
import { type Faults, faultRoutes } from '../../mock/faults/faults.ts';
import { eventRoutes } from '../../mock/nouns/events.ts';
import { AdminError, type AdminRequest, RawReply, type Route, requireItem } from '../../mock/route/noun.ts';
import { createRoutes, listRoutes, pageReply, readQuery, runRoute } from '../../mock/route/router.ts';
import { filterText, paging, ref, requestFilters } from '../../mock/route/schemas.ts';
import type { PageFiles } from '../../mock/runtime/page-files.ts';
import { limits } from '../../mock/store/store.ts';
import type { ExchangeFilter, ProxyJournal } from './journal.ts';
import { exchangeVerdicts } from './journal.ts';
import { holdBody, ownResponse, respond, sendJson } from './responses.ts';

/** What the routes of the proxy itself show and change. */
export type Parts = {
  readonly faults: Faults;
  readonly journal: ProxyJournal;
  /** The page of the mock, which can also show the requests of the proxy. */
  readonly page: PageFiles | undefined;
  /** Returns the report: the one so far for GET, the final one for POST. */
  readonly onReport: (method: 'GET' | 'POST') => Promise<object>;
};

/** A route as those of the mock, without the description for its document. */
type OwnRoute = Pick<Route<Parts>, 'body' | 'query' | 'longLived' | 'run'>;

const report = (method: 'GET' | 'POST'): OwnRoute => ({
  run: async ({ onReport }) => {
    const headers = { 'content-type': 'application/json', connection: 'close' };
    return new RawReply(JSON.stringify(await onReport(method)), headers);
  },
});

const toPage: OwnRoute = { run: () => new RawReply('', { location: '/__proxy/ui/' }, 302) };

const filters = {
  operation: requestFilters.operation,
  status: requestFilters.status,
  verdict: { type: 'string', enum: exchangeVerdicts, description: 'The result of the exchange.' },
  q: filterText('Words in the method, path, operation, status or in a finding; each must occur.'),
};

/** The report, the fault rules, and the live view: the page, its journal, and an event for each change of that. */
const ownRoutes: Readonly<Record<string, OwnRoute>> = {
  'GET /__admin/report': report('GET'),
  'POST /__admin/report': report('POST'),
  'GET /__admin/faults': faultRoutes['GET /faults'],
  'PUT /__admin/faults': faultRoutes['PUT /faults'],
  'DELETE /__admin/faults': faultRoutes['DELETE /faults'],
  'GET /__proxy': toPage,
  'GET /__proxy/': toPage,
  'GET /__proxy/ui': toPage,
  'GET /__proxy/ui/': { run: ({ page }) => pageReply(page, 'index.html') },
  'GET /__proxy/ui/{file}': { run: ({ page }, { id: file }) => pageReply(page, file) },
  'GET /__proxy/requests': {
    query: { ...filters, ...paging },
    run: ({ journal }, { query }) => journal.list(query as ExchangeFilter, query),
  },
  // The body must be `{"all": true}`, so that pages of other sites cannot send it.
  'DELETE /__proxy/requests': { body: ref('All'), run: ({ journal }) => ({ deleted: journal.clear() }) },
  'GET /__proxy/requests/{id}': {
    run: ({ journal }, { id }) =>
      requireItem(
        journal.get(id),
        'there is no such exchange in the journal',
        'GET /__proxy/requests lists them; the oldest are dropped.',
      ),
  },
  'GET /__proxy/events': {
    ...eventRoutes['GET /events'],
    run: ({ journal }) => eventRoutes['GET /events'].run(journal),
  },
};

const router = createRoutes(listRoutes(ownRoutes));

/** The proxy's own routes. Only tools on this machine may call them, and no web page of another origin. */
export const createAdmin =
  (parts: Parts) =>
  async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const problem = callerProblem(req);
    if (problem !== undefined) return respond(res, 403, ...problem);
    try {
      send(res, await answer(parts, req));
    } catch (error) {
      const { status, message, hint, headers } = toAdminError(error);
      req.resume();
      sendJson(res, status, { error: message, message: hint }, { ...dataHeaders, ...headers });
    }
  };

/** @throws any error that is none of the request */
const toAdminError = (error: unknown): AdminError => {
  if (error instanceof AdminError) return error;
  if (error instanceof URIError) return new AdminError(400, 'the path cannot be decoded', 'Write % as %25.');
  throw error;
};

/** Runs a request, as the mock does. @throws AdminError, with nothing changed */
const answer = async (parts: Parts, req: IncomingMessage): Promise<object> => {
  const { method = '', url = '' } = req;
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const found = router.find(method, pathname);
  if (!found)
    throw (
      router.methodError(method, pathname) ??
      new AdminError(404, 'the proxy has no such path', 'Its page is at /__proxy/ui/.')
    );
  const { route, id } = found;
  const [body, query] = [await readJson(req), readQuery(route, searchParams)];
  return await runRoute(route, () => parts, { id, query, body } as unknown as AdminRequest);
};

/** The body of a request as JSON; `undefined` without one. @throws AdminError */
const readJson = async (req: IncomingMessage): Promise<unknown> => {
  const { chunks, isWhole } = await holdBody(req);
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0) return undefined;
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? ''))
    throw new AdminError(
      415,
      'header/Content-Type must be application/json',
      'With curl: -H "Content-Type: application/json".',
    );
  if (!isWhole) throw new AdminError(413, 'body is larger than 1048576 bytes', 'Nothing was done.');
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    const problem = `body is not JSON: ${(error as Error).message}`;
    throw new AdminError(400, problem, 'Nothing was done. Send one JSON object, in UTF-8.');
  }
};

/** Browsers must not store data of the deployment, nor take them for a page. */
const dataHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...ownResponse };

const send = (res: ServerResponse, reply: object): void => {
  if (!(reply instanceof RawReply)) return sendJson(res, 200, reply, dataHeaders);
  const { status, headers, body } = reply;
  res.writeHead(status, { ...dataHeaders, ...headers });
  if (typeof body === 'string') return void res.end(body);
  // A client that does not read its events is disconnected.
  const write = (text: string): void => {
    if (res.writableLength > limits.streamLength) res.destroy();
    else res.write(text);
  };
  res.once(
    'close',
    body(write, () => res.end()),
  );
};

/**
 * Why a caller is refused: it is on another machine, or a page of another site sent the request. A tunnel on this machine also
 * connects from here, but its name is in Host.
 */
const callerProblem = (req: IncomingMessage): readonly [error: string, message: string] | undefined => {
  const { origin, host = '' } = req.headers;
  const isForeign = origin !== undefined && origin !== `http://${host}`;
  const isCrossSite = req.headers['sec-fetch-site'] === 'cross-site' && !isVisit(req);
  const isNamedHere = isLoopback(host.replace(/:\d+$/, ''));
  if (!isForeign && !isCrossSite && isNamedHere && isLoopback(req.socket.remoteAddress ?? ''))
    return undefined;
  return [
    'the pages, the fault rules and the report of the proxy are available on this machine only, under its own names',
    'Call them as http://127.0.0.1 or http://localhost, on the machine that email-leads proxy runs on, and not from a page of another site.',
  ];
};

/** Whether a user follows a link to the page. This is allowed, because the page file contains no data. */
const isVisit = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  /^\/__proxy(?:\/(?:ui\/?)?)?$/.test(url) &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';
