import type { IncomingMessage, RequestListener } from 'node:http';
import { checkCaller, isVisit } from '../../mock/admin/access.ts';
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
} from '../../mock/admin/answer.ts';
import { pathOf } from '../../mock/contract/path-template.ts';
import { type Faults, faultRoutes } from '../../mock/faults/faults.ts';
import { eventRoutes } from '../../mock/nouns/events.ts';
import { AdminError, type Handling, RawReply, requireItem } from '../../mock/route/noun.ts';
import { filterText, paging, ref, requestFilters } from '../../mock/route/schemas.ts';
import type { PageFiles } from '../../mock/runtime/page-files.ts';
import { serveAdmin } from '../../mock/server/node.ts';
import { type ExchangeFilter, exchangeVerdicts, type ProxyJournal } from './journal.ts';
import { ownResponse, respond } from './responses.ts';

/** What the routes of the proxy itself show and change. */
export type Parts = {
  readonly faults: Faults;
  readonly journal: ProxyJournal;
  /** The page of the mock, which can also show the requests of the proxy. */
  readonly page: PageFiles | undefined;
  /** Returns the report: the one so far for GET, the final one for POST. */
  readonly onReport: (method: 'GET' | 'POST') => Promise<object>;
};

const report = (method: 'GET' | 'POST'): Handling<Parts> => ({
  run: async ({ onReport }) => {
    const headers = { 'content-type': 'application/json', connection: 'close' };
    return new RawReply(JSON.stringify(await onReport(method)), headers);
  },
});

const toPage: Handling<Parts> = { run: () => new RawReply('', { location: '/__proxy/ui/' }, 302) };

const filters = {
  operation: requestFilters.operation,
  status: requestFilters.status,
  verdict: { type: 'string', enum: exchangeVerdicts, description: 'The result of the exchange.' },
  q: filterText('Words in the method, path, operation, status or in a finding; each must occur.'),
};

const noExchange = [
  'there is no such exchange in the journal',
  'GET /__proxy/requests lists them; the oldest are dropped.',
] as const;

/** The report, the fault rules, and the live view: the page, its journal, and an event for each change of that. */
const ownRoutes: Readonly<Record<string, Handling<Parts>>> = {
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
    run: ({ journal }, { id }) => requireItem(journal.get(id), ...noExchange),
  },
  'GET /__proxy/events': {
    ...eventRoutes['GET /events'],
    run: ({ journal }) => eventRoutes['GET /events'].run(journal),
  },
};

const router = createRoutes(listRoutes(ownRoutes));

/** The proxy's own routes, served as those of the mock are. Only tools on this machine may call them, and no web page of another origin. */
export const createAdmin = (parts: Parts): RequestListener => {
  const admin: Admin = async (request) => {
    const reply = await answer(parts, request).catch((error: Error) => toErrorReply(error, String));
    return { ...reply, headers: { ...dataHeaders, ...reply.headers } };
  };
  return (req, res) => {
    if (isAllowed(req)) serveAdmin(admin, req, res);
    else respond(res, 403, ...hereOnly);
  };
};

/** Browsers must not store data of the deployment, nor take them for a page. */
const dataHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...ownResponse };

/** @throws AdminError or ApiError, with nothing changed */
const answer = async (parts: Parts, request: AdminHttpRequest): Promise<AdminHttpReply> => {
  const { method } = request;
  const path = pathOf(request.url);
  const found = router.find(method, path);
  const unknown = new AdminError(404, 'the proxy has no such path', 'Its page is at /__proxy/ui/.');
  if (!found) throw router.methodError(method, path) ?? unknown;
  const { route, id } = found;
  return toReply(await runRequest(route, { ...request, id, base: '' }, () => parts, String), 200);
};

const hereOnly = [
  'the pages, the fault rules and the report of the proxy are available on this machine only, under its own names',
  'Call them as http://127.0.0.1 or http://localhost, on the machine that email-leads proxy runs on, and not from a page of another site.',
] as const;

const page = /^\/__proxy(?:\/(?:ui\/?)?)?$/;

/**
 * Whether a caller is on this machine, and no page of another site: as at a mock that allows no other names. A tunnel on this machine
 * also connects from here, but its name is in Host.
 */
const isAllowed = ({ method = '', url = '', headers, socket }: IncomingMessage): boolean => {
  try {
    checkCaller(headers, socket.remoteAddress, [], [], isVisit(method, url, headers, page));
    return true;
  } catch {
    return false;
  }
};
