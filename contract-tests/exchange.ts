import type { IncomingHttpHeaders } from 'node:http';
import type { OperationId } from '../mock/spec.ts';

/** Which key a request carries. The key itself never leaves `client.ts`. */
export type Credentials =
  | 'key'
  | 'none'
  | 'random key'
  | 'key with ~ appended'
  | 'key in other case'
  | 'key after ~'
  | 'end of the key'
  | 'key without its last character'
  | 'key with another last character'
  | 'bearer with a random key'
  | 'Bearer null'
  | 'Bearer %'
  | 'Bearer without a key'
  | 'Basic';

/** A request as the suite means it, before the key is added. */
export type Call = {
  readonly operation: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the base URL, ids percent-encoded. */
  readonly path: string;
  readonly credentials: Credentials;
  /** The body as it is sent. */
  readonly body?: string | undefined;
  readonly contentType?: string | undefined;
  /**
   * `complete`: everything documented, with the key: must succeed, or be refused for a reason of the deployment's own.
   * `text`: like `complete`, with text that a deployment may refuse but not change. `probe`: anything goes but a crash.
   */
  readonly intent: 'complete' | 'text' | 'probe';
  /** The check that asked. */
  readonly check: string;
  /** For an update or deletion of a lead of this run: the lead as it must be afterwards, or was before. */
  readonly lead?: LeadSnapshot | undefined;
};

export type LeadSnapshot = {
  readonly id: string;
  readonly createdAt: unknown;
  readonly name: string;
  readonly source: string;
  readonly note: string;
  /** Milliseconds since it was added. */
  readonly age: number;
};

/** What came back, byte by byte and then as text and JSON. */
export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly size: number;
  /** The body for people: the key redacted. */
  readonly text: string;
  /** The body for comparing, as it came. What is printed of it, of `json` or of `headers` goes through `client.redact`. */
  readonly rawText: string;
  /** Parsed body, as it came; `undefined` where it is not JSON. */
  readonly json: unknown;
  /** What is wrong with the bytes although a forgiving parser takes them: a byte order mark, bytes that are not UTF-8. */
  readonly byteProblem: string | undefined;
};

/**
 * `success`: 200 and `success` true. `refusal`: any other answer, at 200 one that says so. `broken`: a 2xx that is neither.
 * `gateway`: 429, 502, 503 or 504 after every retry; it says nothing about the service.
 */
export type Outcome = 'success' | 'refusal' | 'broken' | 'gateway';

export type Exchange = Call & Answer & { readonly outcome: Outcome };

export type JsonObject = { readonly [name: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const documentedFields = ['success', 'error', 'data', 'message'];

/** Whether a body is in the service's terms: a JSON object with at least one documented field. */
export const speaks = (json: unknown): json is JsonObject =>
  isObject(json) && documentedFields.some((field) => Object.hasOwn(json, field));

const gatewayStatuses = new Set([429, 502, 503, 504]);

/** What an answer is, by §4 and §7.2 (design: "words"). */
export const outcomeOf = (status: number, json: unknown): Outcome => {
  if (gatewayStatuses.has(status)) return 'gateway';
  if (status < 200 || status > 299) return 'refusal';
  if (status !== 200 || !isObject(json)) return 'broken';
  if (json.success === true) return 'success';
  if (json.success === false) return 'refusal';
  return !Object.hasOwn(json, 'success') && typeof json.error === 'string' && json.error !== ''
    ? 'refusal'
    : 'broken';
};

/** `data` of a reply, where it is an object. */
export const dataOf = ({ json }: Pick<Answer, 'json'>): JsonObject =>
  isObject(json) && isObject(json.data) ? json.data : {};

/** What a deployment said of its refusal, in its own words, short enough for a line. */
export const wordsOf = ({ status, headers, json, text }: Exchange): string => {
  if (status >= 300 && status < 400 && headers.location !== undefined)
    return `${status} redirecting to ${excerpt(headers.location)}, which is not followed`;
  const own = isObject(json)
    ? [json.error, json.message].filter((word) => typeof word === 'string' && word !== '')
    : [];
  const words = own.length > 0 ? own.join(' / ') : text;
  return `${status}${words === '' ? ' with an empty body' : ` ${excerpt(words)}`}`;
};

/** The beginning of a text on one line. */
export const excerpt = (text: string, length = 160): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length)}…` : line;
};
