import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject } from '../exchange/exchange.ts';
import { readJson } from './faults.ts';
import type { ProxyJournal } from './journal.ts';
import { respond, sendJson } from './responses.ts';

/** A file of the page. */
type PageFile = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

export type LiveView = {
  readonly journal: ProxyJournal;
  /** The page of the mock, which can also show the requests of the proxy. */
  readonly pageFile: (name: string) => PageFile | undefined;
};

/** What answers requests of one method, or of any, to a path of the proxy itself. */
export type OwnRoute = readonly [
  method: string | undefined,
  path: RegExp,
  answer: (req: IncomingMessage, res: ServerResponse, url: URL) => void | Promise<void>,
];

const heartbeatMs = 15_000;
const [maxStreams, maxWaitingBytes] = [50, 2 ** 20];
const [defaultLimit, maxLimit] = [50, 1000];

/** The page, the journal as JSON, and an event for each change of it. */
export const liveViewRoutes = ({ journal, pageFile }: LiveView): readonly OwnRoute[] => [
  [
    'GET',
    /^\/__proxy(\/(ui)?)?$/,
    (_req, res) => void res.writeHead(302, { Location: '/__proxy/ui/' }).end(),
  ],
  ['GET', /^\/__proxy\/ui\/[^/]*$/, (req, res, { pathname }) => sendFile(req, res, pageFile, pathname)],
  ['GET', /^\/__proxy\/requests$/, (_req, res, url) => sendLive(res, pageOf(journal, url.searchParams))],
  ['DELETE', /^\/__proxy\/requests$/, (req, res) => clear(req, res, journal)],
  ['GET', /^\/__proxy\/requests\/[^/]+$/, (_req, res, { pathname }) => sendEntry(res, journal, pathname)],
  ['GET', /^\/__proxy\/events$/, createEventStream(journal)],
];

/** Sends data for the page, which browsers must not cache. */
const sendLive = (res: ServerResponse, content: object): void =>
  sendJson(res, 200, content, { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });

const numberOf = (text: string | null, otherwise: number): number =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : otherwise;

const pageOf = (journal: ProxyJournal, query: URLSearchParams): object => {
  const filter = Object.fromEntries(
    ['operation', 'status', 'verdict', 'q'].flatMap((name) => {
      const value = query.get(name);
      return value === null || value.trim() === '' ? [] : [[name, value.trim()]];
    }),
  );
  const limit = Math.min(numberOf(query.get('limit'), defaultLimit), maxLimit);
  return journal.page(filter, numberOf(query.get('start'), 0), limit);
};

const sendEntry = (res: ServerResponse, journal: ProxyJournal, pathname: string): void => {
  const entry = journal.get(pathname.split('/').at(-1) ?? '');
  if (entry) return sendLive(res, entry);
  return respond(
    res,
    404,
    'there is no such exchange in the journal',
    'GET /__proxy/requests lists them; the oldest are dropped.',
  );
};

/** Deletes all exchanges. As in the mock, the body must be `{"all": true}`, so that pages of other sites cannot send it. */
const clear = async (req: IncomingMessage, res: ServerResponse, journal: ProxyJournal): Promise<void> => {
  const body = await readJson(req).catch(() => undefined);
  if (!isObject(body) || body.all !== true)
    return respond(res, 400, 'the body must be {"all": true} as JSON', 'It deletes what the page shows.');
  return sendLive(res, { deleted: journal.clear() });
};

const sendFile = (
  req: IncomingMessage,
  res: ServerResponse,
  pageFile: LiveView['pageFile'],
  pathname: string,
): void => {
  const file = pageFile(pathname.split('/').at(-1) || 'index.html');
  if (!file) return respond(res, 404, 'the page has no such file', 'It starts at /__proxy/ui/.');
  if (req.headers['if-none-match'] === file.headers.etag) return void res.writeHead(304, file.headers).end();
  return void res.writeHead(200, file.headers).end(file.body);
};

/** Server-sent events: the page reloads the journal after each one. A client that does not read them is disconnected. */
const createEventStream = (journal: ProxyJournal): OwnRoute[2] => {
  let streams = 0;
  return (_req, res) => {
    if (streams >= maxStreams)
      return respond(res, 429, 'too many pages are open', 'Close a page of the proxy first.');
    streams += 1;
    res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' });
    res.write('retry: 1000\n\n');
    const send = (text: string): void => {
      if (res.writableLength > maxWaitingBytes) res.destroy();
      else res.write(text);
    };
    const stop = journal.watch(() => send('event: requests\ndata: {}\n\n'));
    const heartbeat = setInterval(() => send(': still here\n\n'), heartbeatMs).unref();
    res.once('close', () => {
      streams -= 1;
      clearInterval(heartbeat);
      stop();
    });
  };
};
