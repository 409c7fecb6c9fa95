import { quoted } from '../contract/questions.ts';
import { limits } from '../runtime/limits.ts';
import { TextDecoder } from '../runtime/platform.ts';
import { ApiError } from './errors.ts';

/** As Node.js has them: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

const json = /^application\/json\s*(;|$)/i;

/** Whether the headers announce no body at all. */
export const announcesNoBody = (headers: Headers): boolean =>
  headers['transfer-encoding'] === undefined && /^0*$/.test(String(headers['content-length'] ?? ''));

/** Whether a Content-Type is JSON (§5.2). */
export const isJson = (type: string | undefined): boolean =>
  type === 'application/json' || (type !== undefined && json.test(type));

/** The error for a body with another Content-Type. A missing body is refused later, with another error. */
export const mediaTypeError = (headers: Headers): ApiError | undefined => {
  const type = headers['content-type'] as string | undefined;
  if (isJson(type)) return undefined;
  if (type === undefined && announcesNoBody(headers)) return undefined;
  return new ApiError(
    'media_type_unsupported',
    type === undefined
      ? 'header/Content-Type is missing'
      : `header/Content-Type must be application/json, not ${quoted(type)}`,
    'Nothing was done. Send the body as "Content-Type: application/json".',
  );
};

/** The error for a compressed body: the document has none (§4), and a JSON syntax error would be misleading. */
export const contentEncodingError = (headers: Headers): ApiError | undefined => {
  const coding = headers['content-encoding'];
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

/** @throws ApiError for what is not JSON in UTF-8 */
export const parseJson = ({ text, isUtf8 }: ReceivedBody): unknown => {
  if (!isUtf8) throw malformedJson('it is not UTF-8');
  if (text.startsWith('\ufeff')) throw malformedJson('it begins with a byte order mark');
  if (text.length > maxUncheckedLength && hasTooManyValues(text)) throw tooManyValues;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformedJson((error as Error).message);
  }
};

// Parsing a megabyte of brackets or names takes longer than everything else in a request of that size.
const maxUncheckedLength = 64 * 1024;

const hasTooManyValues = (text: string): boolean => {
  let values = 0;
  let inText = false;
  for (let at = 0; at < text.length && values <= limits.requestValues; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === backslash) at += 1;
    else if (sign === quote) inText = !inText;
    else if (!inText && (sign === comma || sign === openBracket || sign === openBrace)) values += 1;
  }
  return values > limits.requestValues;
};

const tooManyValues = new ApiError(
  'body_too_large',
  `body has more than ${limits.requestValues} values`,
  'Nothing was done. Send fewer.',
  { status: 413 },
);

const [quote, backslash, comma, openBracket, openBrace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

const malformedJson = (why: string): ApiError =>
  new ApiError(
    'json_malformed',
    `body is not JSON: ${why}`,
    'Nothing was done. Send one JSON object, in UTF-8.',
  );
