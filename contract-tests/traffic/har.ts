import type { IncomingHttpHeaders } from 'node:http';
import { pathOf } from '../../mock/contract/path-template.ts';
import { parseFileFor, UsageError } from '../../mock/contract/system-errors.ts';
import { credentialKinds, excerpt, isObject, type JsonObject, textOf } from '../exchange/exchange.ts';
import { groupBy } from '../exchange/lists.ts';
import {
  clientLeft,
  type Injected,
  injectedEffects,
  noBody,
  type ObservedBody,
  type ObservedExchange,
  type OwnCall,
  readObserved,
} from './exchanges/observed.ts';

const notRecorded = 'whose body is not in the recording';

/** @throws UsageError with the message unless the condition holds */
function demand(condition: boolean, message: string): asserts condition {
  if (!condition) throw new UsageError(message);
}

/**
 * Reads recordings in the format HAR 1.2, as written by browsers, Playwright, mitmproxy and the mock. All files form
 * one session, in the order of their times.
 * @throws UsageError for an unreadable or invalid file
 */
export const readRecordings = (files: readonly string[]) => {
  const recordings = files.map(readRecording);
  const entries = withoutRepetitions(recordings);
  const lags = recordings.map((recording) => recording.lagMs);
  const url =
    mostFrequent(entries.flatMap(({ base }) => (base === undefined ? [] : [base]))) ??
    'http://recording.invalid';
  const exchanges = entries
    .filter(({ base }) => base === undefined || base === url)
    .sort((left, right) => left.startedAt - right.startedAt);
  const ofService = exchanges.filter(({ base }) => base !== undefined);
  return {
    /** Base URL of the service: the part before `/api/v1` in most requests. */
    url,
    exchanges: withOverlaps(exchanges),
    /** Whether the headers with keys were removed from the recording, as browsers do when they export one. */
    keysUnknown:
      ofService.length > 0 &&
      ofService.every(({ requestHeaders }) => requestHeaders.authorization === undefined),
    /** Milliseconds until a response shows a change, if `contract` or `observe` has measured it. */
    lagMs: lags.every((lag) => lag !== undefined) ? Math.max(...lags) : undefined,
    /** Number of requests for `/api/v1` at other base URLs than `url`; they are not checked. */
    atOtherAddresses: entries.length - exchanges.length,
  };
};

/** The entries of all recordings. What is in several of them, which were exported one after another, counts once. */
const withoutRepetitions = (recordings: readonly { readonly entries: readonly Entry[] }[]): Entry[] => {
  const first = new Map<string, unknown>();
  return recordings.flatMap((recording) =>
    recording.entries.filter(({ method, target, startedAt, endedAt }) => {
      const name = `${method} ${target} ${startedAt} ${endedAt}`;
      if (!first.has(name)) first.set(name, recording);
      return first.get(name) === recording;
    }),
  );
};

/** @param base the part of the address before `/api/v1`; `undefined` for a request to something else */
type Entry = ObservedExchange & { readonly base?: string };

const readRecording = (file: string): { entries: Entry[]; lagMs: number | undefined } => {
  const content: unknown = parseFileFor(file, (bytes) => JSON.parse(bytes.toString().replace(/^\uFEFF/, '')));
  const log = isObject(content) ? content.log : undefined;
  demand(isObject(log), `${file}: "log" is missing: this is not a HAR recording`);
  const { version, entries, _lag_ms: lagMs } = log;
  const shown = textOf(version).slice(0, 20);
  const isSupported = version === undefined || /^1\.[12]$/.test(shown);
  demand(isSupported, `${file}: HAR ${shown} is not supported, only 1.2`);
  demand(Array.isArray(entries), `${file}: "log.entries" is missing: this is not a HAR recording`);
  return {
    entries: entries.map((entry: unknown, index) => entryOf(entry, `${file}, entry ${index + 1}`)),
    lagMs: typeof lagMs === 'number' ? lagMs : undefined,
  };
};

const entryOf = (entry: unknown, place: string): Entry => {
  const fields: JsonObject = isObject(entry) ? entry : {};
  const { request, response, startedDateTime, time, _call: call, _injected: injected } = fields;
  demand(isObject(request), `${place}: "request" is missing`);
  const { method, url } = request;
  demand(typeof method === 'string' && method !== '', `${place}: "request.method" is missing`);
  demand(typeof url === 'string' && URL.canParse(url), `${place}: "request.url" is not an address`);
  const startedAt = parseTime(textOf(startedDateTime));
  demand(!Number.isNaN(startedAt), `${place}: "startedDateTime" is not a time`);
  const answer = isObject(response) ? response : {};
  return {
    method: method.toUpperCase(),
    ...addressOf(new URL(url)),
    requestHeaders: headersOf(request.headers, `${place}: "request.headers"`),
    requestBody: requestBodyOf(request, place),
    status: Math.max(0, Number(textOf(answer.status)) || 0),
    responseHeaders: headersOf(answer.headers, `${place}: "response.headers"`),
    responseBody: responseBodyOf(answer, place),
    startedAt,
    endedAt: startedAt + Math.max(0, Number(textOf(time)) || 0),
    overlaps: false,
    ...(isOwnCall(call) ? { call } : {}),
    ...(isInjected(injected) ? { injected } : {}),
  };
};

/** Milliseconds since 1970, with the fraction that `Date.parse` drops. */
const parseTime = (text: string): number =>
  Date.parse(text) + Number(`0.${/\.\d{3}(\d+)/.exec(text)?.[1] ?? 0}`);

const isOwnCall = (call: unknown): call is OwnCall =>
  isObject(call) &&
  typeof call.scenario === 'string' &&
  credentialKinds.some((kind) => kind === call.credentials) &&
  (call.intent === 'complete' || call.intent === 'text' || call.intent === 'probe');

const isInjected = (injected: unknown): injected is Injected =>
  isObject(injected) &&
  typeof injected.what === 'string' &&
  injectedEffects.some((effect) => effect === injected.effect);

/** A value that cannot be read is an error, because a guess would be judged as what the service sent. */
const headersOf = (list: unknown = [], place: string): IncomingHttpHeaders => {
  demand(Array.isArray(list), `${place} is not a list`);
  const headers = new Map<string, string>();
  for (const item of list as readonly unknown[]) {
    const { name, value } = isObject(item) ? item : {};
    demand(
      typeof name === 'string' && ['string', 'number'].includes(typeof value),
      `${place} has a header whose name or value is not a text: ${excerpt(textOf(name), 40)}`,
    );
    const [key, text, before] = [name.toLowerCase(), textOf(value), headers.get(name.toLowerCase())];
    // Some recorders list a header twice, once as sent and once as received.
    if (before !== text) headers.set(key, before === undefined ? text : `${before}, ${text}`);
  }
  return Object.fromEntries(headers);
};

const requestBodyOf = ({ postData, bodySize, method }: JsonObject, place: string): ObservedBody => {
  const { params, ...content } = isObject(postData) ? postData : {};
  const fields = Array.isArray(params) ? params.length : 0;
  const isUsual = /^(POST|PUT|PATCH)$/i.test(textOf(method));
  return bodyOf(content, [bodySize, fields], isUsual, `${place}: "request.postData"`);
};

const responseBodyOf = (response: JsonObject, place: string): ObservedBody => {
  // Chrome and Playwright say why there is no response.
  const { content, bodySize, status, _error: error, _failureText: failure } = response;
  if (/aborted/i.test(textOf(error ?? failure))) return { missing: clientLeft };
  const body = isObject(content) ? content : {};
  return bodyOf(body, [body.size, bodySize], status !== 204, `${place}: "response.content"`);
};

/**
 * A body, which recordings have decoded, whatever its Content-Encoding was.
 * @param sizes what the recording says of its size: -1 means that it is unknown
 * @param isUsual whether there may be a body of unknown size
 */
const bodyOf = (
  { text, encoding = '', _byte_problem: byteProblem }: JsonObject,
  sizes: readonly unknown[],
  isUsual: boolean,
  place: string,
): ObservedBody => {
  if (typeof text !== 'string') {
    const numbers = sizes.map((size) => Number(textOf(size)));
    const hasBody = numbers.some((size) => size > 0 || (size < 0 && isUsual));
    return hasBody ? { missing: notRecorded } : noBody;
  }
  const isKnown = encoding === '' || encoding === 'base64';
  demand(isKnown, `${place} has the encoding ${excerpt(textOf(encoding), 20)}, which is not supported`);
  const body = readObserved(Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8'));
  return typeof byteProblem === 'string' && !('missing' in body) ? { ...body, byteProblem } : body;
};

const addressOf = ({ origin, pathname, search }: URL): Pick<Entry, 'base' | 'target'> => {
  const at = pathname.search(/\/api\/v1(\/|$)/);
  if (at < 0) return { target: '/' };
  return { base: origin + pathname.slice(0, at), target: pathname.slice(at) + search };
};

const mostFrequent = (texts: readonly string[]): string | undefined => {
  const groups = [...groupBy(texts, (text) => text).values()];
  return groups.sort((left, right) => right.length - left.length)[0]?.[0];
};

/** Marks exchanges that overlap with another request for the same path. Expects them sorted by start time. */
const withOverlaps = (entries: readonly Entry[]): ObservedExchange[] => {
  const latest = new Map<string, { index: number; endedAt: number }>();
  const overlapping = new Set<number>();
  for (const [index, { target, startedAt, endedAt }] of entries.entries()) {
    const path = pathOf(target);
    const before = latest.get(path);
    if (before && before.endedAt > startedAt) overlapping.add(index).add(before.index);
    if (!before || before.endedAt < endedAt) latest.set(path, { index, endedAt });
  }
  return entries.map((entry, index) => ({ ...entry, overlaps: overlapping.has(index) }));
};
