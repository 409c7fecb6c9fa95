import type { IncomingHttpHeaders } from 'node:http';
import * as zlib from 'node:zlib';
import { operationIds } from '../../../mock/contract/operation-id.ts';
import { pathMatcher } from '../../../mock/contract/path-template.ts';
import { readBody } from '../../client/decode-body.ts';
import { RequestFailed } from '../../client/errors.ts';
import type { Response } from '../../client/exchange.ts';
import { concernsOneLead, routes } from '../../session/routes.ts';

/** A body in observed traffic: its bytes, or the reason why they are unknown. */
export type ObservedBody = Observed | { readonly missing: string };

type Observed = {
  readonly bytes: Buffer;
  /** Whether the Content-Encoding is already decoded, as in recordings. */
  readonly decoded?: true;
};

/** One observed request and its response, from any client and any source. */
export type ObservedExchange = {
  readonly method: string;
  /** Path and query below the base URL, as sent. */
  readonly target: string;
  readonly requestHeaders: IncomingHttpHeaders;
  readonly requestBody: ObservedBody;
  readonly status: number;
  readonly responseHeaders: IncomingHttpHeaders;
  readonly responseBody: ObservedBody;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Whether another request for the same path was pending at the same time, so that their order of effect is unknown. */
  readonly overlaps: boolean;
};

/** A request without its response. */
export type ObservedRequest = Pick<ObservedExchange, 'method' | 'target' | 'requestHeaders' | 'requestBody'>;

/** Maximum size in bytes of a body to check. */
export const maxJudgedBytes = 2 ** 20;

/** Whether a target belongs to the service, and not to something else on the same host. */
export const isServicePath = (target: string): boolean => /^\/api\/v1(?:[/?]|$)/.test(target);

export const pathOfTarget = (target: string): string => target.split('?', 1)[0] ?? target;

type Form = (typeof forms)[number];

const forms = operationIds.flatMap((operation) =>
  routes[operation].paths.map((path) => ({
    operation,
    method: routes[operation].method,
    matches: pathMatcher(path),
  })),
);

/** The operation of a request; `undefined` if the document has none. */
export const findOperation = (method: string, target: string): Form['operation'] | undefined => {
  const path = pathOfTarget(target);
  return forms.find((form) => form.method === method && form.matches(path))?.operation;
};

/** Whether the document has the path, with any method. */
export const isKnownPath = (target: string): boolean => {
  const path = pathOfTarget(target);
  return forms.some(({ matches }) => matches(path));
};

/** The id of the lead in a path; empty if the path has none. */
export const leadIdOf = (operation: Form['operation'], target: string): string => {
  if (!concernsOneLead(operation)) return '';
  const segment = pathOfTarget(target).split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // invalid percent-encoding: the raw text
  }
};

type Body = Pick<Response, 'rawText' | 'json' | 'byteProblem'> & { readonly size: number };

const zstd = (zlib as { zstdDecompressSync?: (bytes: Buffer, options: object) => Buffer }).zstdDecompressSync;

const readable = /^(?:(?:identity|gzip|x-gzip|deflate|br)\s*(?:,\s*|$))*$/i;

type Unknown = { readonly missing: string };

/** Decodes a body to text and JSON, or returns the reason why it cannot be checked. */
export const decodeBody = (body: ObservedBody, encoding: string): Body | Unknown => {
  if ('missing' in body) return body;
  const decoded = decompress(body, encoding);
  return 'missing' in decoded || !hasTooManyValues(decoded.rawText) ? decoded : { missing: tooManyValues };
};

const decompress = ({ bytes, decoded }: Observed, encoding: string): Body | Unknown => {
  const size = bytes.length;
  if (size === 0) return { size, rawText: '', json: undefined, byteProblem: undefined };
  if (decoded) return { size, ...readBody(bytes, '', maxJudgedBytes) };
  try {
    if (encoding.trim().toLowerCase() === 'zstd' && zstd)
      return { size, ...readBody(zstd(bytes, { maxOutputLength: maxJudgedBytes }), '', maxJudgedBytes) };
    if (!readable.test(encoding)) return { missing: `compressed with ${encoding.slice(0, 40)}` };
    return { size, ...readBody(bytes, encoding, 8 * maxJudgedBytes) };
  } catch (error) {
    if (error instanceof RequestFailed) return { missing: tooLarge };
    return { missing: `compressed with ${encoding.slice(0, 40)}, which cannot be decompressed` };
  }
};

/** Prefix of the reason for an exchange without a response. */
export const noResponse = 'without a response';

/**
 * Maximum number of values in a body. A megabyte may contain half a million values, which
 * take a hundred times its size as objects.
 */
const maxValues = 20_000;

const tooManyValues = `with more than ${maxValues} values`;

const hasTooManyValues = (text: string): boolean => {
  if (text.length < 2 * maxValues) return false;
  let count = 0;
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) {
    count += 1;
    if (count > maxValues) return true;
  }
  return false;
};

export const tooLarge = `larger than ${maxJudgedBytes} bytes`;

/** Total length of all header names and values: a client may send a hundred kilobytes of them. */
export const headersLength = (headers: IncomingHttpHeaders): number => {
  let length = 0;
  for (const name in headers) length += name.length + headerText(headers[name]).length;
  return length;
};

/** The value of a header, joined if the header occurs several times. */
export const headerText = (value: string | string[] | undefined): string =>
  Array.isArray(value) ? value.join(', ') : (value ?? '');
