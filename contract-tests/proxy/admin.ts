import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopback } from '../client/transport.ts';
import { createLiveViewRoutes, type LiveView } from './live-view.ts';
import { respond, sendJson } from './responses.ts';

type AdminOptions = {
  /** Answers `/__admin/report`: the report so far, or the last one. */
  readonly onReport: (method: 'GET' | 'POST') => Promise<object>;
  /** Answers what is below `/__proxy/`. */
  readonly liveView?: LiveView;
};

/** The only path of `/__admin` that is the proxy's: the upstream may be a mock, which has all others. */
const reportPath = '/__admin/report';

/** What the proxy answers itself. Nothing else is kept from the upstream. */
export const isAdminPath = (url = ''): boolean => url === reportPath || /^\/__proxy(?:[/?]|$)/.test(url);

/** The routes of the proxy itself: for this machine's own tools, and for no web page of another origin. */
export const createAdmin = ({ onReport, liveView }: AdminOptions) => {
  const showLive = liveView && createLiveViewRoutes(liveView);
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const problem = callerProblem(req);
    if (problem !== undefined) return respond(res, 403, ...problem);
    if (req.url === reportPath) return report(req, res, onReport);
    if (showLive) return showLive(req, res);
    return respond(res, 404, 'this proxy has no live view', 'Start it with email-leads proxy.');
  };
};

const report = async (
  req: IncomingMessage,
  res: ServerResponse,
  onReport: AdminOptions['onReport'],
): Promise<void> => {
  if (req.method !== 'GET' && req.method !== 'POST')
    return respond(
      res,
      405,
      'the report takes GET and POST',
      'GET returns the report so far; POST returns it and ends the session.',
    );
  sendJson(res, 200, await onReport(req.method), { Connection: 'close' });
};

/** Why a caller gets nothing: it sits elsewhere, or a page of another site sent it. */
const callerProblem = (req: IncomingMessage): readonly [error: string, message: string] | undefined => {
  const { origin, host = '' } = req.headers;
  const isForeign = origin !== undefined && origin !== `http://${host}`;
  const isCrossSite = req.headers['sec-fetch-site'] === 'cross-site' && !isVisit(req);
  if (isForeign || isCrossSite || !isLoopback(peerName(req)))
    return [
      'the pages and the report of the proxy are for this machine only',
      'Call them from the machine that email-leads proxy runs on, not from a page of another site.',
    ];
  // A tunnel on this machine has its peer here too, and names itself in Host.
  if (req.url !== reportPath && !isLoopback(host.replace(/:\d+$/, '')))
    return [
      'the live view shows bodies, and is there under the names of this machine only',
      'Open it as http://127.0.0.1 or http://localhost with the port of the proxy.',
    ];
  return undefined;
};

/** Somebody follows a link to the page: the file holds no data. */
const isVisit = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  /^\/__proxy(?:\/(?:ui\/?)?)?$/.test(url) &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';

const peerName = ({ socket }: IncomingMessage): string => {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return address.includes(':') ? `[${address}]` : address;
};
