// Recordings in the format HAR 1.2, which `check` and browsers read. They contain no key and no cookie.
import type { IncomingHttpHeaders } from 'node:http';
import type { Redact } from '../../mock/contract/redaction.ts';
import { har, harEntry } from '../../mock/store/har.ts';
import type { Credentials, Exchange } from '../exchange/exchange.ts';
import {
  type ObservedBody,
  type ObservedExchange,
  readObserved,
  shownHeaders,
} from './exchanges/observed.ts';

/** The form in which a recording names the key of a request: never the key, nor anything made from it. */
const authorizationOf = (credentials: Credentials): string | undefined => {
  if (credentials === 'key') return 'Bearer $EMAIL_LEADS_API_KEY';
  if (credentials === 'none') return undefined;
  if (credentials === 'Basic') return 'Basic eDp5';
  if (credentials === 'Bearer without a key') return 'Bearer';
  return credentials.startsWith('Bearer ') ? credentials : `Bearer ${credentials.replaceAll(' ', '-')}`;
};

/** An exchange of the suite itself, as others see it. */
export const asObserved = (exchange: Exchange): ObservedExchange => {
  const { method, path, status, headers, contentType, body = '', sentAt, receivedAt } = exchange;
  const { credentials, intent, check, size, rawText, json, byteProblem } = exchange;
  const authorization = authorizationOf(credentials);
  return {
    method,
    target: path,
    requestHeaders: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    },
    requestBody: readObserved(Buffer.from(body)),
    status,
    responseHeaders: headers,
    responseBody: { size, rawText, json, byteProblem },
    startedAt: performance.timeOrigin + sentAt,
    endedAt: performance.timeOrigin + receivedAt,
    overlaps: false,
    call: { credentials, intent, check },
  };
};

/** Bodies are recorded decoded, so that these no longer describe them. */
const ofTransfer = /^(content-encoding|content-length|transfer-encoding)$/i;

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
  const bodyThatFits = (body: ObservedBody): Body | undefined => {
    if ('missing' in body) return undefined;
    const { rawText: text, byteProblem } = body;
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
        sent: bodyThatFits(requestBody),
        received: bodyThatFits(responseBody),
      });
    },
    /** The number of exchanges that came when the recording was full. */
    dropped: (): number => dropped,
    /** The recording as HAR. */
    text: (context: Context): string => {
      const inOrder = [...exchanges].sort((left, right) => left.startedAt - right.startedAt);
      const entries = inOrder.map((exchange) => entryOf(exchange, context));
      const { version, lagMs } = context;
      return `${JSON.stringify(har('email-leads', version, entries, { _lag_ms: lagMs }), null, 1)}\n`;
    },
  };
};

/** A time in milliseconds since 1970 as ISO 8601 with microseconds: many requests take less than a millisecond. */
const timeText = (at: number): string => {
  const microseconds = Math.floor((at % 1) * 1000);
  return new Date(at).toISOString().replace('Z', `${String(microseconds).padStart(3, '0')}Z`);
};

/** Whether the key was sent shows in its redacted form. */
const fieldsOf = (headers: IncomingHttpHeaders, redact: Redact): Readonly<Record<string, string>> => {
  const { authorization } = headers;
  const kept = Object.entries(headers).filter(([name]) => !ofTransfer.test(name));
  return {
    ...shownHeaders(Object.fromEntries(kept), redact),
    ...(authorization === undefined ? {} : { authorization: redact(authorization) }),
  };
};

/** An exchange in the format HAR 1.2, with what only the suite knows under names of its own. */
const entryOf = (exchange: Recorded, { url, redact }: Context): object => {
  const { method, target, status, startedAt, endedAt, sent, received, call, injected } = exchange;
  const sideOf = (headers: IncomingHttpHeaders, body: Body | undefined) => ({
    headers: fieldsOf(headers, redact),
    body: body && redact(body.text),
  });
  const entry = harEntry({
    method,
    url: redact(url + target),
    status,
    startedAt: timeText(startedAt),
    durationMs: endedAt - startedAt,
    request: sideOf(exchange.requestHeaders, sent),
    response: sideOf(exchange.responseHeaders, received),
  });
  const byteProblem = received?.byteProblem && redact(received.byteProblem);
  const content = { ...entry.response.content, _byte_problem: byteProblem };
  return { ...entry, response: { ...entry.response, content }, _call: call, _injected: injected };
};
