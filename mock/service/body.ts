import type { Operation } from '../contract/document.ts';
import { type Answers, quoted } from '../contract/questions.ts';
import type { Redact } from '../contract/redaction.ts';
import { TextDecoder } from '../runtime/platform.ts';
import { limits } from '../store/store.ts';
import { validateBody } from '../validation/json-schema.ts';
import { describeSchemaError, suggestFields, suggestFormat } from '../validation/schema-errors.ts';
import { ApiError } from './errors.ts';
import type { Exchange } from './request.ts';

/** As Node.js has them: names in lower case, and one value of those that a request has once. */
export type Headers = Readonly<Record<string, string | string[] | undefined>> & {
  readonly authorization?: string | undefined;
  readonly 'content-type'?: string | undefined;
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
};

/** A Content-Type of JSON (§5.2). */
const json = /^application\/json\s*(;|$)/i;

/** Whether the headers announce no body at all. */
export const announcesNoBody = (headers: Headers): boolean => {
  const length = headers['content-length'];
  return headers['transfer-encoding'] === undefined && (length === undefined || /^0*$/.test(String(length)));
};

/** The error for a content encoding, or a media type that is not JSON. A missing body is refused later. */
export const bodyHeadersError = (headers: Headers): ApiError | undefined => {
  const encoded = contentEncodingError(headers);
  if (encoded) return encoded;
  const { 'content-type': type } = headers;
  if (type === undefined ? announcesNoBody(headers) : json.test(type)) return undefined;
  const problem = type === undefined ? 'is missing' : `must be application/json, not ${quoted(type)}`;
  const hint = 'Nothing was done. Send the body as "Content-Type: application/json".';
  return new ApiError('media_type_unsupported', `header/Content-Type ${problem}`, hint);
};

/** The error for a compressed body: the document has none (§4), and a JSON syntax error would be misleading. */
const contentEncodingError = ({ 'content-encoding': coding }: Headers): ApiError | undefined => {
  if (coding === undefined || coding === '' || coding === 'identity') return undefined;
  return new ApiError(
    'content_encoding_unsupported',
    `header/Content-Encoding must be left out, not ${quoted(String(coding))}`,
    'Nothing was done. Send the body as it is, not compressed.',
    { status: 415, headers: { 'accept-encoding': 'identity' } },
  );
};

/** The bytes of a body as text, and whether they were UTF-8. */
export type ReceivedBody = { readonly text: string; readonly isUtf8: boolean };

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text of a body. A byte order mark stays. */
export const decodeUtf8 = (bytes: Uint8Array): ReceivedBody => {
  try {
    return { text: strictDecoder.decode(bytes), isUtf8: true };
  } catch {
    return { text: lenientDecoder.decode(bytes), isUtf8: false };
  }
};

/**
 * @param redact removes keys from what the error quotes
 * @throws ApiError for what is not JSON in UTF-8
 */
export const parseJson = (
  { text, isUtf8 }: ReceivedBody,
  redact: Redact,
  maxValues = limits.requestValues,
): unknown => {
  if (!isUtf8) throw malformedJson('it is not UTF-8');
  if (text.startsWith('\ufeff')) throw malformedJson('it begins with a byte order mark');
  if (text.length > maxUncheckedLength && hasTooManyValues(text, maxValues)) {
    const problem = `body has more than ${maxValues} values`;
    throw new ApiError('body_too_large', problem, 'Nothing was done. Send fewer.', { status: 413 });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw malformedJson(problemOf(redact(text)));
  }
};

const malformedJson = (why: string): ApiError => {
  const hint = 'Nothing was done. Send one JSON object, in UTF-8.';
  return new ApiError('json_malformed', `body is not JSON: ${why}`, hint);
};

/** The message of the engine, which quotes some characters. In a key that it cuts off, the key would not be found. */
const problemOf = (text: string): string => {
  try {
    JSON.parse(text);
    return 'the mistake is in a key';
  } catch (error) {
    return (error as Error).message;
  }
};

// Parsing a megabyte of brackets or names takes longer than everything else in a request of that size.
const maxUncheckedLength = 64 * 1024;

const hasTooManyValues = (text: string, max: number): boolean => {
  let values = 0;
  let isInText = false;
  for (let at = 0; at < text.length && values <= max; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === quote) isInText = !isInText;
    else if (isInText) at += sign === backslash ? 1 : 0;
    else if (sign === comma || sign === openBracket || sign === openBrace) values += 1;
  }
  return values > max;
};

const [quote, backslash, comma, openBracket, openBrace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

const bodyLimits: Readonly<Record<Answers['limits.body-size'], number>> = {
  '1MiB': 1024 * 1024,
  '64KiB': 64 * 1024,
  '100KiB': 100 * 1024,
  // Far more than a client sends. Parsing a larger body would delay other requests.
  'above-1MiB': limits.requestBytes,
};

/** Stands for an unreadable body that the answers accept: an empty object that is not validated. */
const unvalidated: Readonly<Record<string, never>> = Object.freeze({});

/** The body of an operation that takes one. @throws ApiError for a body that breaks the contract in force */
export const readBody = (
  { request, received, contract: { answers } }: Exchange,
  operation: Operation,
  redact: Redact,
): unknown => {
  const refused = bodyHeadersError(request.headers);
  const isAccepted =
    refused?.code === 'media_type_unsupported' && answers['failure.media-type-status'] === 'accepted';
  if (refused && !isAccepted) throw refused;
  const limit = bodyLimits[answers['limits.body-size']];
  if (request.isTooLarge || (request.body?.length ?? 0) > limit)
    throw new ApiError(
      'body_too_large',
      `body is larger than ${limit} bytes`,
      'Nothing was done. Send less; how much a deployment takes is the open question limits.body-size.',
    );
  let body: unknown;
  try {
    body = received && parseJson(received, redact);
  } catch (error) {
    if (answers['failure.malformed-json-status'] === 'accepted') return unvalidated;
    throw error;
  }
  const { method, path, body: schema } = operation;
  const error = schema && validateBody(schema, body);
  if (!error) return body;
  const hint = body === undefined ? '' : suggestFields(schema, body) + suggestFormat(error);
  throw new ApiError(
    'validation_failed',
    body === undefined ? 'body is missing' : describeSchemaError(error, 'body').message,
    `Nothing was done. ${hint}See /docs for the body of ${method.toUpperCase()} ${path}.`,
  );
};
