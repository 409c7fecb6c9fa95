import { isUtf8, kMaxLength } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { codeOf, RequestFailed } from './errors.ts';
import { excerpt, hasServiceEnvelope, isObject, type Response } from './exchange.ts';

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

/** Some servers send deflate without the zlib wrapper; common clients accept both. */
const inflate: Decoder = (bytes, options) => {
  const wrapped = (bytes.readUInt16BE() & 0x0f00) === 0x0800 && bytes.readUInt16BE() % 31 === 0;
  return wrapped ? inflateSync(bytes, options) : inflateRawSync(bytes, options);
};

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflate,
  br: brotliDecompressSync,
};

/** Decodes the Content-Encoding, which may list several encodings. */
const decompress = (bytes: Buffer, encoding: string, maxBytes: number): Buffer => {
  const steps = encoding
    .toLowerCase()
    .split(',')
    .map((step) => step.trim());
  return steps
    .reverse()
    .reduce(
      (data, step) =>
        data.length > 0 ? (decoders[step]?.(data, { maxOutputLength: maxBytes }) ?? data) : data,
      bytes,
    );
};

type Body = Pick<Response, 'rawText' | 'json' | 'byteProblem'>;

/**
 * Reads the body as bytes first. A defect that a tolerant parser would accept is recorded, and the body is parsed anyway, so
 * that one defect does not cause forty findings.
 * @param encoding the Content-Encoding of the response
 * @param maxBytes maximum number of bytes after decompression
 * @throws RequestFailed above this limit: a small body may expand to more than the memory holds
 */
export const readBody = (raw: Buffer, encoding: string, maxBytes = Number.POSITIVE_INFINITY): Body => {
  try {
    return readPlain(decompress(raw, encoding, Math.min(maxBytes, kMaxLength)));
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE')
      throw new RequestFailed('too large', `a response decompresses to more than ${maxBytes} bytes`, {
        cause: error,
      });
    const byteProblem = `it is labelled ${encoding} and cannot be decompressed: ${(error as Error).message}`;
    return { rawText: '', json: undefined, byteProblem };
  }
};

const readPlain = (bytes: Buffer): Body => {
  const utf16 =
    bytes.length >= 2 && (bytes[0] === 0 || bytes[1] === 0 || (bytes[0] === 0xff && bytes[1] === 0xfe));
  if (utf16) return { ...parsed(decodeUtf16(bytes)), byteProblem: 'it is UTF-16, and JSON must be UTF-8' };
  const text = bytes.toString('utf8');
  const hasMark = text.startsWith('\uFEFF');
  const { isUnfinished, ...body } = parsed(hasMark ? text.slice(1) : text);
  if (isUnfinished) return { ...body, byteProblem: 'it ends in the middle of its JSON' };
  if (!isUtf8(bytes)) return { ...body, byteProblem: 'it contains bytes that are not UTF-8' };
  if (hasMark) return { ...body, byteProblem: 'it begins with a byte order mark' };
  return body.json === undefined || typeof body.json === 'string'
    ? unwrapped(body)
    : { ...body, byteProblem: undefined };
};

/**
 * Finds an envelope of the service inside a body that is not a JSON object: text before or after it, or JSON inside a string.
 * The object is used and the defect recorded, so that the deployment is not taken for another service.
 */
const unwrapped = ({ rawText, json }: Omit<Parsed, 'isUnfinished'>): Body => {
  const inner =
    typeof json === 'string' ? json : rawText.slice(rawText.indexOf('{'), rawText.lastIndexOf('}') + 1);
  const content = parsed(inner).json;
  if (!isObject(content) || !hasServiceEnvelope(content)) return { rawText, json, byteProblem: undefined };
  const around =
    typeof json === 'string'
      ? 'it is JSON inside a JSON string'
      : `there is other text around the JSON: ${excerpt(rawText, 60)}`;
  return { rawText, json: content, byteProblem: around };
};

const decodeUtf16 = (bytes: Buffer): string => {
  const bigEndian = bytes[0] === 0 || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const little = bigEndian ? Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16() : bytes;
  return little.toString('utf16le').replace(/^\uFEFF/, '');
};

type Parsed = {
  readonly rawText: string;
  readonly json: unknown;
  /** Whether the text is valid JSON up to the point where it ends too early. */
  readonly isUnfinished?: boolean;
};

const parsed = (rawText: string): Parsed => {
  try {
    const json: unknown = JSON.parse(rawText);
    return { rawText, json: isTooDeep(rawText) ? undefined : json };
  } catch (error) {
    // Not JSON: checks report this for responses that must be JSON.
    return { rawText, json: undefined, isUnfinished: failsAtItsEnd(rawText, error as Error) };
  }
};

/** Whether a text is the beginning of a JSON object or array: a parser finds no error before its end. */
const failsAtItsEnd = (text: string, { message }: Error): boolean => {
  if (!/^\s*[[{]/.test(text)) return false;
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  return message.startsWith('Unexpected end') || Number(position) >= text.length;
};

const maxDepth = 500;

/** Whether JSON is nested so deeply that recursive code would overflow the stack. No legitimate use of such a body is known. */
const isTooDeep = (json: string): boolean => {
  if (json.length < 2 * maxDepth) return false;
  let depth = 0;
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[{\]}]/g)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
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
