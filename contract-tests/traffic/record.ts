// Recordings in the format HAR 1.2, which `check` and browsers read. They contain no key and no cookie.
import type { IncomingHttpHeaders } from 'node:http';
import type { Redact } from '../../mock/contract/redaction.ts';
import type { Credentials, Exchange } from '../exchange/exchange.ts';
import {
  decodeBody,
  headerText,
  type Injected,
  type ObservedBody,
  type ObservedExchange,
  type OwnCall,
  shownHeader,
} from './exchanges/observed.ts';

type Field = { readonly name: string; readonly value: string };

/** One exchange in a recording. */
export type RecordedExchange = {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly requestHeaders: readonly Field[];
  readonly responseHeaders: readonly Field[];
  /** `undefined` for a body that is not recorded, because it is unknown or too large. */
  readonly sent: string | undefined;
  readonly received: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** Of a request of the suite. */
  readonly call?: OwnCall;
  readonly injected?: Injected | undefined;
};

/** The form in which a recording names the key of a request: never the key, nor anything made from it. */
const authorizationOf = (credentials: Credentials): string | undefined => {
  if (credentials === 'key') return 'Bearer $EMAIL_LEADS_API_KEY';
  if (credentials === 'none') return undefined;
  if (credentials === 'Basic') return 'Basic eDp5';
  if (credentials === 'Bearer without a key') return 'Bearer';
  return credentials.startsWith('Bearer ') ? credentials : `Bearer ${credentials.replaceAll(' ', '-')}`;
};

const fieldsOf = (headers: IncomingHttpHeaders): Field[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value: headerText(value) }));

/** Bodies are recorded decoded, so that these no longer describe them. */
const ofTransfer = /^(content-encoding|content-length|transfer-encoding)$/i;

const withoutTransfer = (fields: readonly Field[]): Field[] =>
  fields.filter(({ name }) => !ofTransfer.test(name));

/** An exchange of the suite itself. */
export const recordOwn = (exchange: Exchange): RecordedExchange => {
  const { method, path, status, contentType, body = '', sentAt, receivedAt } = exchange;
  const { credentials, intent, check } = exchange;
  const authorization = authorizationOf(credentials);
  return {
    method,
    target: path,
    status,
    requestHeaders: [
      ...(authorization === undefined ? [] : [{ name: 'authorization', value: authorization }]),
      ...(contentType === undefined ? [] : [{ name: 'content-type', value: contentType }]),
    ],
    responseHeaders: withoutTransfer(fieldsOf(exchange.headers)),
    sent: body,
    received: exchange.rawText,
    startedAt: performance.timeOrigin + sentAt,
    durationMs: receivedAt - sentAt,
    call: { credentials, intent, check },
  };
};

const textOf = (body: ObservedBody, headers: IncomingHttpHeaders): string | undefined => {
  const decoded = decodeBody(body, headerText(headers['content-encoding']));
  return 'missing' in decoded ? undefined : decoded.rawText;
};

/** An exchange of another client, as the proxy saw it. */
export const recordObserved = (observed: ObservedExchange): RecordedExchange => {
  const { method, target, status, requestHeaders, responseHeaders, startedAt, endedAt } = observed;
  return {
    method,
    target,
    status,
    requestHeaders: withoutTransfer(fieldsOf(requestHeaders)),
    responseHeaders: withoutTransfer(fieldsOf(responseHeaders)),
    sent: textOf(observed.requestBody, requestHeaders),
    received: textOf(observed.responseBody, responseHeaders),
    startedAt: performance.timeOrigin + startedAt,
    durationMs: endedAt - startedAt,
    injected: observed.injected,
  };
};

/** In characters: of one body, and of all bodies of a recording; and the number of exchanges. */
const most = { body: 2 ** 20, all: 2 ** 26, exchanges: 20_000 };

type Context = {
  readonly url: string;
  readonly version: string;
  readonly redact: Redact;
  /** Milliseconds until a response shows a change, if the suite has measured it. */
  readonly lagMs?: number | undefined;
};

export type Recorder = {
  readonly add: (exchange: RecordedExchange) => void;
  /** The number of exchanges that came when the recording was full. */
  readonly dropped: () => number;
  /** The recording as HAR. */
  readonly text: (context: Context) => string;
};

/** Collects exchanges with one service, up to a limit. */
export const createRecorder = (): Recorder => {
  const exchanges: RecordedExchange[] = [];
  let [characters, dropped] = [0, 0];
  const fits = (body: string | undefined): string | undefined => {
    if (body === undefined || body.length > most.body || characters + body.length > most.all)
      return undefined;
    characters += body.length;
    return body;
  };
  return {
    add: (exchange) => {
      if (exchanges.length >= most.exchanges) dropped += 1;
      else exchanges.push({ ...exchange, sent: fits(exchange.sent), received: fits(exchange.received) });
    },
    dropped: () => dropped,
    text: (context) => {
      const inOrder = [...exchanges].sort((left, right) => left.startedAt - right.startedAt);
      const creator = { name: 'email-leads', version: context.version };
      const entries = inOrder.map((exchange) => entryOf(exchange, context));
      const log = { version: '1.2', creator, _lag_ms: context.lagMs, entries };
      return `${JSON.stringify({ log }, null, 1)}\n`;
    },
  };
};

/** A time in milliseconds since 1970 as ISO 8601 with microseconds: many requests take less than a millisecond. */
const timeText = (at: number): string => {
  const microseconds = Math.floor((at % 1) * 1000);
  return new Date(at).toISOString().replace('Z', `${String(microseconds).padStart(3, '0')}Z`);
};

/** An exchange in the format HAR 1.2, where -1 is an unknown size, and a name of one's own begins with an underscore. */
const entryOf = (exchange: RecordedExchange, { url, redact }: Context): object => {
  const { method, target, status, requestHeaders, responseHeaders, sent, received } = exchange;
  const redacted = (fields: readonly Field[]): Field[] =>
    fields.map(({ name, value }) => ({
      name: redact(name),
      // Whether the key was sent shows in its redacted form.
      value: /^authorization$/i.test(name) ? redact(value) : shownHeader(name, value, redact),
    }));
  const mimeTypeOf = (fields: readonly Field[]): string =>
    redact(fields.find(({ name }) => /^content-type$/i.test(name))?.value ?? '');
  const http = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  return {
    startedDateTime: timeText(exchange.startedAt),
    time: exchange.durationMs,
    request: {
      method,
      url: redact(url + target),
      ...http,
      headers: redacted(requestHeaders),
      queryString: [],
      bodySize: sent === undefined ? -1 : sent.length,
      ...(sent === undefined || sent === ''
        ? {}
        : { postData: { mimeType: mimeTypeOf(requestHeaders), text: redact(sent) } }),
    },
    response: {
      status,
      statusText: '',
      ...http,
      headers: redacted(responseHeaders),
      redirectURL: '',
      bodySize: -1,
      content: {
        mimeType: mimeTypeOf(responseHeaders),
        size: received === undefined ? -1 : received.length,
        ...(received === undefined ? {} : { text: redact(received) }),
      },
    },
    cache: {},
    timings: { send: 0, wait: exchange.durationMs, receive: 0 },
    ...(exchange.call ? { _call: exchange.call } : {}),
    ...(exchange.injected ? { _injected: exchange.injected } : {}),
  };
};
