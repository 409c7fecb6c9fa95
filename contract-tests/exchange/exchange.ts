import type { IncomingHttpHeaders } from 'node:http';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import { clip, longestLine } from '../../mock/contract/shown-text.ts';

/** The kinds of credentials that a request may carry. */
export const credentialKinds = [
  'key',
  'none',
  'random key',
  'key with ~ appended',
  'key in other case',
  'key after ~',
  'end of the key',
  'key without its last character',
  'key with another last character',
  'key with another first character',
  'key with - and _ exchanged',
  'bearer with a random key',
  'Bearer null',
  'Bearer undefined',
  'Bearer %',
  'Bearer .*',
  'Bearer without a key',
  'Basic',
] as const;

/** The key itself never leaves `client.ts`. */
export type Credentials = (typeof credentialKinds)[number];

/** A request before the key is added. */
export type Call = {
  readonly operation: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the base URL, with percent-encoded ids. */
  readonly path: string;
  readonly credentials: Credentials;
  /** The body as it is sent. */
  readonly body?: string | undefined;
  readonly contentType?: string | undefined;
  /** Whether to send only the headers that the document shows (§5): no `Accept`, no `User-Agent`. */
  readonly bare?: true | undefined;
  /**
   * `complete`: has the key and everything documented, or a form that this deployment has accepted, so that it must succeed
   * unless the deployment has its own reason to refuse it. `text`: like `complete`, with text that a deployment may refuse
   * but must not change. `probe`: any response except a server error is acceptable.
   */
  readonly intent: 'complete' | 'text' | 'probe';
  /** The id of the scenario that sends the request, or the part of the run. */
  readonly scenario: string;
};

/** A response: bytes and JSON. */
export type Response = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly size: number;
  /** The body as received, for comparisons. Output of it, of `json` or of `headers` passes through `client.redact`. */
  readonly rawText: string;
  /** Parsed body as received; `undefined` if it is not JSON. */
  readonly json: unknown;
  /** A defect of the bytes that a tolerant parser accepts: a byte order mark, bytes that are not UTF-8. */
  readonly byteProblem: string | undefined;
  /** When the request was sent and when the response was complete, in milliseconds of one monotonic clock. */
  readonly sentAt: number;
  readonly receivedAt: number;
};

/**
 * `success`: a status from 200 to 299, and `success` true. `refusal`: an error response, which at 200 needs `success: false` or a
 * non-empty `error`. `broken`: a 2xx response that is neither. `gateway`: a rate limit, 503, and a 502 or 504 that the service itself
 * did not write, after all retries.
 */
export type Outcome = 'success' | 'refusal' | 'broken' | 'gateway';

export type Exchange = Call &
  Response & {
    /** The body for output, with the key redacted. */
    readonly text: string;
    readonly outcome: Outcome;
    /** Only for traffic of others: whether the session created the data in this exchange, so that a report may show it. */
    readonly own?: boolean;
  };

export type JsonObject = { readonly [name: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const documentedFields = ['success', 'error', 'data', 'message'];

/** Whether a body has the envelope of the service: a JSON object with at least one documented field. */
export const hasServiceEnvelope = (json: unknown): json is JsonObject =>
  isObject(json) && documentedFields.some((field) => Object.hasOwn(json, field));

/** Whether a response states with a boolean `success` whether the request succeeded: only the service does that. */
export const hasBooleanSuccess = ({ json }: Pick<Response, 'json'>): boolean =>
  isObject(json) && typeof json.success === 'boolean';

/** Classifies a response that is no rate limit. */
const outcomeOfContent = (status: number, json: unknown): Outcome => {
  // The service may use the statuses of gateways for its own errors (§7.4); 503 is over after a while, whoever writes it.
  const isOfGateway = (status === 502 || status === 504) && !hasBooleanSuccess({ json });
  if (status === 503 || isOfGateway) return 'gateway';
  if (status < 200 || status > 299) return 'refusal';
  // Another status than 200 is a finding of its own: whatever else the response promises is tested all the same.
  if (isObject(json) && json.success === true) return 'success';
  if (status !== 200 || !isObject(json)) return 'broken';
  if (json.success === false) return 'refusal';
  const isRefused = !Object.hasOwn(json, 'success') && typeof json.error === 'string' && json.error !== '';
  return isRefused ? 'refusal' : 'broken';
};

/** A bare "try again later" may stand under any error. */
const rateLimitWords =
  /\brate.?limit|\btoo many (?:requests|[\w ]{1,30} at once)\b|\bthrottl|\b(?:try again|retry) (?:in|after) \d/i;

/**
 * Whether an error response asks for the same request later, which is no refusal of it: by its status, by `Retry-After`, or in words.
 * Limits, and the statuses of error responses, are open (§7.4, §8). 401 is about the key.
 */
export const isRateLimit = (response: Pick<Response, 'status' | 'headers' | 'json'>): boolean => {
  const { status, headers, json } = response;
  if (status === 429) return true;
  if (status === 401 || status >= 500 || outcomeOfContent(status, json) !== 'refusal') return false;
  const { error, message } = isObject(json) ? json : {};
  return headers['retry-after'] !== undefined || rateLimitWords.test(`${textOf(error)} ${textOf(message)}`);
};

export const isSuccess = ({ outcome }: Pick<Exchange, 'outcome'>): boolean => outcome === 'success';

/** Whether a response is a success by its status, with any body. */
export const hasSuccessStatus = ({ outcome }: Pick<Exchange, 'outcome'>): boolean =>
  outcome === 'success' || outcome === 'broken';

/** Whether an error response concerns the request. A server error does not. */
export const isRefusal = ({ outcome, status }: Pick<Exchange, 'outcome' | 'status'>): boolean =>
  outcome === 'refusal' && status < 500;

/** The objects in the list `data`; empty if `data` is not a list. */
export const itemsOf = ({ json }: Pick<Exchange, 'json'>): JsonObject[] =>
  isObject(json) && Array.isArray(json.data) ? json.data.filter(isObject) : [];

/** Classifies a response by §4 and §7.2. */
export const outcomeOf = (response: Pick<Response, 'status' | 'headers' | 'json'>): Outcome =>
  isRateLimit(response) ? 'gateway' : outcomeOfContent(response.status, response.json);

/** A response without the parts that differ between requests: ids, numbers, addresses, paths, quoted values. */
export const responseFingerprint = ({ status, json, rawText }: Response): string => {
  const text = isObject(json) ? JSON.stringify(json) : rawText;
  return `${status} ${text
    .replaceAll(/"(?:id|trace|[\w-]*(?:[_-]id|I[dD]))":"[^"]*"/g, '…')
    .replaceAll(/\\"[^"\\]*\\"/g, '…')
    .replaceAll(/[^\s"]+/g, (word) => (word.slice(1, -1).includes('@') ? '…' : word))
    .replaceAll(/\/[^\s"]*/g, '…')
    .replaceAll(/(?<!\w)\w*\d[\w-]*/g, '…')}`;
};

/** The type of a value in JSON; `undefined` for a value that is not there. */
export const jsonTypeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** The text of a value that should be a text or a number; any other value has none, and may not even have a `toString`. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** `data` of a response if it is an object, otherwise an empty object. */
export const dataOf = ({ json }: Pick<Response, 'json'>): JsonObject =>
  isObject(json) && isObject(json.data) ? json.data : {};

/** Parses JSON; returns `undefined`, which JSON cannot express, for malformed text. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Finds the first field name that occurs twice in one JSON object of `text`. `JSON.parse` accepts this: the last value wins,
 * while another parser may use the first. Expects valid JSON; returns a description, or `undefined`.
 */
export const repeatedName = (text: string): string | undefined => {
  // A set of names for each open object, `null` for an open array.
  const open: (Set<string> | null)[] = [];
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token.endsWith(':')) {
      const name = token.slice(0, token.lastIndexOf('"') + 1);
      const names = open.at(-1);
      if (names?.has(name)) return `the field ${name} twice`;
      names?.add(name);
    }
  }
  return undefined;
};

const parsedBodies = new WeakMap<object, unknown>();

/** The request body as JSON, parsed once for all that ask; `undefined` if it is not JSON. */
export const sentJson = (call: Pick<Call, 'body'>): unknown => {
  if (!parsedBodies.has(call)) parsedBodies.set(call, parseJson(call.body ?? ''));
  return parsedBodies.get(call);
};

/** The fields of the request body; none if it is not a JSON object. */
export const sentFields = (call: Pick<Call, 'body'>): JsonObject => {
  const json = sentJson(call);
  return isObject(json) ? json : {};
};

/** An id of a template in a mail request. */
export const templateIdOf = (mail: Pick<Call, 'body'>): string => String(sentFields(mail).template_id);

/** The reason that the deployment states for an error response, on one line. */
export const describeRefusal = ({ status, headers, json, text }: Exchange): string => {
  if (status >= 300 && status < 400 && headers.location !== undefined)
    // The query may contain a login token.
    return `${status} redirecting to ${excerpt(headers.location.split(/[?#]/, 1)[0] ?? '')}, which is not followed`;
  const own = isObject(json)
    ? [json.error, json.message].filter((word) => typeof word === 'string' && word !== '')
    : [];
  const words = own.length > 0 ? [...new Set(own)].join(' / ') : wordsOfPage(text);
  const shown = status === 200 && hasBooleanSuccess({ json }) ? '200 with success: false,' : status;
  return `${shown}${words === '' ? ' with an empty body' : ` ${excerpt(words)}`}`;
};

/** The title of an HTML page, or its first words if it has none; any other text unchanged. */
const wordsOfPage = (text: string): string => {
  const beginning = text.slice(0, 4000);
  if (!/^\s*(<!--[^>]*-->\s*)*<(!doctype|html|head|body|title|h\d|pre|p|div|center)\b/i.test(beginning))
    return text;
  const [, title = ''] = /<title[^>]*>([^<]*)/i.exec(beginning) ?? [];
  const words = beginning
    .replaceAll(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, ' ')
    .replaceAll(/<[^>]*(>|$)/g, ' ');
  return `a page: ${excerpt(title.trim() === '' ? words : title, 80)}`;
};

/** Puts a text on one line, up to the length that is shown. Blanks inside JSON strings stay: they may be the defect. */
export const onOneLine = (text: string): string =>
  clip(text.trim(), longestLine).replaceAll(/("(?:[^"\\\n\r]|\\.)*"?)|\s+/g, (_, quoted = ' ') => quoted);

/** The beginning of a text on one line. */
export const excerpt = (text: string, length = 160): string => clip(onOneLine(text), length);

/**
 * Encodes an id as a path segment, in which some signs stand for themselves (RFC 3986, 3.3). Lone surrogates, which no path can
 * contain, become U+FFFD.
 */
export const pathSegment = (id: string): string =>
  encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\uFFFD')).replaceAll(
    /%(?:3A|40|3D|2C)/g,
    decodeURIComponent,
  );

// Requests that belong to no scenario carry one of these names.

/** Requests that delete what the run created. */
export const cleanUp = 'clean-up';

/** Requests that test whether the service is available. */
export const preflight = 'preflight';

/** Control requests. */
export const control = 'control';
