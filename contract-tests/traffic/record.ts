// Recordings in the format HAR 1.2, which `check` and browsers read. They contain no key and no cookie.
import type { IncomingHttpHeaders } from 'node:http';
import type { Redact } from '../../mock/contract/redaction.ts';
import type { Credentials, Exchange } from '../exchange/exchange.ts';
import {
  decodeBody,
  headerText,
  type ObservedBody,
  type ObservedExchange,
  shownHeader,
} from './exchanges/observed.ts';

type Field = { readonly name: string; readonly value: string };

/** The form in which a recording names the key of a request: never the key, nor anything made from it. */
const authorizationOf = (credentials: Credentials): string | undefined => {
  if (credentials === 'key') return 'Bearer $EMAIL_LEADS_API_KEY';
  if (credentials === 'none') return undefined;
  if (credentials === 'Basic') return 'Basic eDp5';
  if (credentials === 'Bearer without a key') return 'Bearer';
  return credentials.startsWith('Bearer ') ? credentials : `Bearer ${credentials.replaceAll(' ', '-')}`;
};

const textBody = (text: string): ObservedBody => ({ bytes: Buffer.from(text), decoded: true });

/** An exchange of the suite itself, as others see it. */
export const asObserved = (exchange: Exchange): ObservedExchange => {
  const { method, path, status, headers, contentType, body = '', rawText, sentAt, receivedAt } = exchange;
  const { credentials, intent, check, byteProblem } = exchange;
  const authorization = authorizationOf(credentials);
  return {
    method,
    target: path,
    requestHeaders: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    },
    requestBody: textBody(body),
    status,
    responseHeaders: headers,
    responseBody: { ...textBody(rawText), byteProblem },
    startedAt: performance.timeOrigin + sentAt,
    endedAt: performance.timeOrigin + receivedAt,
    overlaps: false,
    call: { credentials, intent, check },
  };
};

/** Bodies are recorded decoded, so that these no longer describe them. */
const ofTransfer = /^(content-encoding|content-length|transfer-encoding)$/i;

const fieldsOf = (headers: IncomingHttpHeaders): Field[] =>
  Object.entries(headers)
    .filter(([name]) => !ofTransfer.test(name))
    .map(([name, value]) => ({ name, value: headerText(value) }));

type Body = { readonly text: string; readonly byteProblem: string | undefined };

/** An exchange with the text of its bodies; without one that is unknown or too large. */
type Recorded = Omit<ObservedExchange, 'requestBody' | 'responseBody'> & {
  readonly sent: Body | undefined;
  readonly received: Body | undefined;
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

/** Collects exchanges with one service, up to a limit. */
export const createRecorder = () => {
  const exchanges: Recorded[] = [];
  let [characters, dropped] = [0, 0];
  const bodyThatFits = (body: ObservedBody, headers: IncomingHttpHeaders): Body | undefined => {
    const decoded = decodeBody(body, headerText(headers['content-encoding']));
    if ('missing' in decoded) return undefined;
    const { rawText: text, byteProblem } = decoded;
    if (text.length > most.body || characters + text.length > most.all) return undefined;
    characters += text.length;
    return { text, byteProblem };
  };
  return {
    add: ({ requestBody, responseBody, ...exchange }: ObservedExchange): void => {
      if (exchanges.length >= most.exchanges) {
        dropped += 1;
        return;
      }
      exchanges.push({
        ...exchange,
        sent: bodyThatFits(requestBody, exchange.requestHeaders),
        received: bodyThatFits(responseBody, exchange.responseHeaders),
      });
    },
    /** The number of exchanges that came when the recording was full. */
    dropped: (): number => dropped,
    /** The recording as HAR. */
    text: (context: Context): string => {
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
const entryOf = (exchange: Recorded, { url, redact }: Context): object => {
  const { method, target, status, requestHeaders, responseHeaders, sent, received } = exchange;
  const time = exchange.endedAt - exchange.startedAt;
  const redacted = (headers: IncomingHttpHeaders): Field[] =>
    fieldsOf(headers).map(({ name, value }) => ({
      name: redact(name),
      // Whether the key was sent shows in its redacted form.
      value: /^authorization$/i.test(name) ? redact(value) : shownHeader(name, value, redact),
    }));
  const mimeTypeOf = (headers: IncomingHttpHeaders): string => redact(headerText(headers['content-type']));
  const http = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  return {
    startedDateTime: timeText(exchange.startedAt),
    time,
    request: {
      method,
      url: redact(url + target),
      ...http,
      headers: redacted(requestHeaders),
      queryString: [],
      bodySize: sent?.text.length ?? -1,
      ...(sent?.text ? { postData: { mimeType: mimeTypeOf(requestHeaders), text: redact(sent.text) } } : {}),
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
        size: received?.text.length ?? -1,
        ...(received && {
          text: redact(received.text),
          _byte_problem: received.byteProblem && redact(received.byteProblem),
        }),
      },
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    ...(exchange.call ? { _call: exchange.call } : {}),
    ...(exchange.injected ? { _injected: exchange.injected } : {}),
  };
};
