import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Faults } from '../../mock/faults/faults.ts';
import { isLoopback } from '../client/transport.ts';
import { answerFaults } from './faults.ts';
import { type LiveView, liveViewRoutes, type OwnRoute } from './live-view.ts';
import { respond, sendJson } from './responses.ts';

type AdminOptions = {
  /** Returns the report for `/__admin/report`: the one so far for GET, the final one for POST. */
  readonly onReport: (method: 'GET' | 'POST') => Promise<object>;
  /** Answers paths below `/__proxy/`. */
  readonly liveView?: LiveView;
  /** The rules of `/__admin/faults`. */
  readonly faults: Faults;
};

const reportPath = '/__admin/report';

/** The proxy's own routes. Only tools on this machine may call them, and no web page of another origin. */
export const createAdmin = ({ onReport, liveView, faults }: AdminOptions) => {
  const report =
    (method: 'GET' | 'POST'): OwnRoute[2] =>
    async (_req, res) =>
      sendJson(res, 200, await onReport(method), { Connection: 'close' });
  const routes: readonly OwnRoute[] = [
    ['GET', /^\/__admin\/report$/, report('GET')],
    ['POST', /^\/__admin\/report$/, report('POST')],
    [undefined, /^\/__admin\/faults$/, (req, res) => answerFaults(faults, req, res)],
    ...(liveView ? liveViewRoutes(liveView) : []),
  ];
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const problem = callerProblem(req);
    if (problem !== undefined) return respond(res, 403, ...problem);
    const url = new URL(req.url ?? '', 'http://localhost');
    const { pathname } = url;
    const here = routes.filter(([, path]) => path.test(pathname));
    const route = here.find(([method = req.method]) => method === req.method);
    if (route) return route[2](req, res, url);
    const methods = here.map(([method]) => method).join(', ');
    return methods === ''
      ? respond(res, 404, 'the proxy has no such path', 'Its page is at /__proxy/ui/.')
      : respond(res, 405, `${pathname} has no ${req.method}`, `Allowed methods: ${methods}.`);
  };
};

/** Why a caller is refused: it is on another machine, or a page of another site sent the request. */
const callerProblem = (req: IncomingMessage): readonly [error: string, message: string] | undefined => {
  const { origin, host = '' } = req.headers;
  const isForeign = origin !== undefined && origin !== `http://${host}`;
  const isCrossSite = req.headers['sec-fetch-site'] === 'cross-site' && !isVisit(req);
  if (isForeign || isCrossSite || !isLoopback(peerName(req)))
    return [
      'the pages, the fault rules and the report of the proxy are available on this machine only',
      'Call them from the machine that email-leads proxy runs on, not from a page of another site.',
    ];
  // A tunnel on this machine also connects from here, but its name is in Host.
  if (req.url !== reportPath && !isLoopback(host.replace(/:\d+$/, '')))
    return [
      'the live view and the fault rules are available under the names of this machine only',
      'Call them as http://127.0.0.1 or http://localhost with the port of the proxy.',
    ];
  return undefined;
};

/** Whether a user follows a link to the page. This is allowed, because the page file contains no data. */
const isVisit = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  /^\/__proxy(?:\/(?:ui\/?)?)?$/.test(url) &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';

const peerName = ({ socket }: IncomingMessage): string => {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return address.includes(':') ? `[${address}]` : address;
};
