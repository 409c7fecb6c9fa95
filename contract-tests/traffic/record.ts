// A recording in the format HAR 1.2, which `check` and browsers read.

import type { IncomingHttpHeaders } from 'node:http';
import { placeholder, type Redact, redactHeader } from '../../mock/contract/redaction.ts';
import { har, harEntry } from '../../mock/store/har.ts';
import manifest from '../../package.json' with { type: 'json' };
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
  const { credentials, intent, scenario, size, rawText, json, byteProblem } = exchange;
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
    call: { credentials, intent, scenario },
  };
};

/** In characters: of one body, and of all bodies of a recording; and the number of exchanges. */
const most = { body: 2 ** 20, all: 2 ** 26, exchanges: 20_000 };

type Context = {
  readonly url: string;
  readonly redact: Redact;
  /** Milliseconds until a response shows a change, if the suite has measured it. */
  readonly lagMs?: number | undefined;
};

/** Collects exchanges for a file. */
export type Collector = {
  readonly add: (exchange: ObservedExchange) => void;
  /** The text of the file. @throws UsageError if there is nothing to write */
  readonly text: (context: Context) => string;
  /** What to say when it is written, in lines. */
  readonly describe: (file: string, redact: Redact) => readonly string[];
};

/** Collects exchanges with one service, up to a limit. The recording contains no key and no cookie. */
export const createRecorder = (): Collector => {
  const exchanges: ObservedExchange[] = [];
  let [characters, dropped] = [0, 0];
  /** The body without its JSON; one that does not fit is left out. */
  const kept = (body: ObservedBody): ObservedBody => {
    if ('missing' in body) return body;
    const { length } = body.rawText;
    if (length > most.body || characters + length > most.all) return { missing: 'too long for a recording' };
    characters += length;
    return { ...body, json: undefined };
  };
  return {
    add: (exchange) => {
      const { requestBody, responseBody } = exchange;
      if (exchanges.length >= most.exchanges) dropped += 1;
      else exchanges.push({ ...exchange, requestBody: kept(requestBody), responseBody: kept(responseBody) });
    },
    describe: (file) => [`Written: ${file}${dropped === 0 ? '' : `, without the last ${dropped} exchanges`}`],
    text: ({ url, redact, lagMs }) => {
      const entries = exchanges
        .toSorted((left, right) => left.startedAt - right.startedAt)
        .map((exchange) => entryOf(exchange, url, redact));
      return `${JSON.stringify(har('email-leads', manifest.version, entries, { _lag_ms: lagMs }), null, 1)}\n`;
    },
  };
};

/** A time in milliseconds since 1970 as ISO 8601 with microseconds: many requests take less than a millisecond. */
const timeText = (at: number): string => {
  const microseconds = Math.floor((at % 1) * 1000);
  return new Date(at).toISOString().replace('Z', `${String(microseconds).padStart(3, '0')}Z`);
};

/** Bodies are recorded decoded, so that these no longer describe them. */
const ofTransfer = /^(content-encoding|content-length|transfer-encoding)$/i;

/** An exchange in the format HAR 1.2, with what only the suite knows under names of its own. */
const entryOf = (exchange: ObservedExchange, url: string, redact: Redact): object => {
  const { method, target, status, startedAt, endedAt, requestBody, responseBody, call, injected } = exchange;
  // Whether a key was sent shows. The redactor does not know those any more that were used long ago.
  const shownAuthorization = (value: string): string =>
    call || /^bearer( +(null|undefined))?$/i.test(value.trim())
      ? redact(value)
      : redactHeader('authorization', value, redact, placeholder);
  const sideOf = (headers: IncomingHttpHeaders, body: ObservedBody) => {
    const { authorization, ...others } = headers;
    const fields = Object.entries(others).filter(([name]) => !ofTransfer.test(name));
    return {
      headers: {
        ...shownHeaders(Object.fromEntries(fields), redact),
        ...(authorization === undefined ? {} : { authorization: shownAuthorization(authorization) }),
      },
      body: 'missing' in body ? undefined : redact(body.rawText),
    };
  };
  const entry = harEntry({
    method,
    url: redact(url + target),
    status,
    startedAt: timeText(startedAt),
    durationMs: endedAt - startedAt,
    request: sideOf(exchange.requestHeaders, requestBody),
    response: sideOf(exchange.responseHeaders, responseBody),
  });
  const problem = 'missing' in responseBody ? undefined : responseBody.byteProblem;
  const content = { ...entry.response.content, _byte_problem: problem && redact(problem) };
  return { ...entry, response: { ...entry.response, content }, _call: call, _injected: injected };
};
