import { isUtf8, kMaxLength } from 'node:buffer';
import { createHash } from 'node:crypto';
import * as zlib from 'node:zlib';
import { excerpt, hasServiceEnvelope, isObject, type Response } from '../exchange/exchange.ts';
import { codeOf, RequestFailed } from './errors.ts';

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

/** Some servers send deflate without the zlib wrapper; common clients accept both. */
const inflate: Decoder = (bytes, options) => {
  const wrapped = (bytes.readUInt16BE() & 0x0f00) === 0x0800 && bytes.readUInt16BE() % 31 === 0;
  return wrapped ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options);
};

/** Not in every version of Node.js. */
const { zstdDecompressSync: zstd } = zlib as { readonly zstdDecompressSync?: Decoder };

const asItIs: Decoder = (bytes) => bytes;

const decoders: ReadonlyMap<string, Decoder> = new Map([
  ['', asItIs],
  ['identity', asItIs],
  ['gzip', zlib.gunzipSync],
  ['x-gzip', zlib.gunzipSync],
  ['deflate', inflate],
  ['br', zlib.brotliDecompressSync],
  ...(zstd ? [['zstd', zstd] as const] : []),
]);

/** The encodings that a Content-Encoding lists. */
const encodingsIn = (header: string): string[] =>
  header
    .toLowerCase()
    .split(',')
    .map((encoding) => encoding.trim());

/** A body may decompress to itself: every further encoding repeats the work. */
const maxEncodings = 5;

/** Whether bodies with a Content-Encoding can be read. */
export const canDecode = (header: string): boolean => {
  const encodings = encodingsIn(header);
  return encodings.length <= maxEncodings && encodings.every((encoding) => decoders.has(encoding));
};

const decompress = (bytes: Buffer, header: string, maxBytes: number): Buffer =>
  encodingsIn(header)
    .reverse()
    .reduce((data, encoding) => {
      const decode = decoders.get(encoding) ?? asItIs;
      return data.length > 0 ? decode(data, { maxOutputLength: maxBytes }) : data;
    }, bytes);

type Body = Pick<Response, 'rawText' | 'json' | 'byteProblem'>;

/**
 * Reads the body as bytes first. A defect that a tolerant parser would accept is recorded, and the body is parsed anyway, so
 * that one defect does not cause forty findings.
 * @param encoding the Content-Encoding of the response
 * @param maxBytes maximum number of bytes after decompression
 * @throws RequestFailed above this limit, because a small body may expand to more than the memory holds, and for JSON beyond
 * `limits`
 */
export const readBody = (raw: Buffer, encoding: string, maxBytes = Number.POSITIVE_INFINITY): Body => {
  try {
    const body = readPlain(decompress(raw, encoding, Math.min(maxBytes, kMaxLength)));
    return body.json === undefined ? { ...body, rawText: beginningOf(body.rawText) } : body;
  } catch (error) {
    if (error instanceof RequestFailed) throw error;
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE')
      throw new RequestFailed('too large', `a body decompresses to more than ${maxBytes} bytes`, {
        cause: error,
      });
    const byteProblem = `it is labelled ${encoding} and cannot be decompressed: ${(error as Error).message}`;
    return { rawText: '', json: undefined, byteProblem };
  }
};

/** UTF-16 units that are kept of a body that is not JSON. */
const maxPageText = 64 * 2 ** 10;

/** The beginning of a text, as a copy: a slice would keep the whole text in memory. */
const beginningOf = (text: string): string =>
  text.length > maxPageText ? Buffer.from(text.slice(0, maxPageText), 'utf16le').toString('utf16le') : text;

/** In bytes: a run keeps all responses, and a hostile server may send large ones. */
export const maxReplyBytes = 20 * 2 ** 20;

/** Larger bodies are kept once if they are equal: a list of templates is requested many times. */
const smallBytes = 64 * 2 ** 10;

/** Reads the bodies of a run within a limit of memory, and of time: what is read counts too, though not all of it is kept. */
export const createBodyReader = (maxRunBytes = 128 * 2 ** 20) => {
  const large = new Map<string, Body>();
  let bytesLeft = maxRunBytes;

  const readOnce = (bytes: Buffer, encoding: string): Body => {
    const body = readBody(bytes, encoding, maxReplyBytes);
    bytesLeft -= Math.max(bytes.length, body.rawText.length);
    return body;
  };

  return {
    /** @throws RequestFailed if no further response may be read. Then no further lead may be added. */
    expectCapacity: (requestLine: string): void => {
      if (bytesLeft > 0) return;
      const reason = `the responses of this run are too large, at most ${maxRunBytes} bytes in all`;
      throw new RequestFailed('too large', `${requestLine} was not sent: ${reason}`, { unsent: true });
    },
    /** @throws RequestFailed as `readBody` does */
    read: (bytes: Buffer, encoding: string): Body => {
      if (bytes.length <= smallBytes) return readOnce(bytes, encoding);
      const hash = `${encoding} ${createHash('sha256').update(bytes).digest('base64')}`;
      const body = large.get(hash) ?? readOnce(bytes, encoding);
      large.set(hash, body);
      bytesLeft -= bytes.length / 16;
      return body;
    },
  };
};

const readPlain = (bytes: Buffer): Body => {
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

type Parsed = {
  readonly rawText: string;
  readonly json: unknown;
  /** Whether the text is valid JSON up to the point where it ends too early. */
  readonly isUnfinished?: boolean;
};

const parsed = (rawText: string): Parsed => {
  // Before parsing, which takes seconds for millions of brackets in a few kilobytes.
  if (/^\s*["[{]/.test(rawText)) expectWithinLimits(rawText);
  try {
    return { rawText, json: JSON.parse(rawText) as unknown };
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

/**
 * The largest JSON that is judged, because §8 states no limits: recursive code overflows the stack at deeper values, regular
 * expressions at texts of some million UTF-16 units, and the work of every check grows with the number of values.
 */
const limits = { depth: 500, values: 200_000, text: 2 * 2 ** 20 };

const [quote, backslash, comma, openBracket, closeBracket, openBrace, closeBrace] = [...'"\\,[]{}'].map(
  (sign) => sign.charCodeAt(0),
);

/** @throws RequestFailed for a text beyond the limits */
const expectWithinLimits = (text: string): void => {
  const refuse = (what: string): never => {
    throw new RequestFailed('too large', `a body has ${what}, which is more than the suite judges`);
  };
  let depth = 0;
  let values = 0;
  let textFrom: number | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === backslash) at += 1;
    else if (sign === quote) {
      if (textFrom !== undefined && at - textFrom > limits.text)
        refuse(`a text of more than ${limits.text} characters`);
      textFrom = textFrom === undefined ? at : undefined;
    } else if (textFrom !== undefined) continue;
    else if (sign === closeBracket || sign === closeBrace) depth -= 1;
    else {
      if (sign === openBracket || sign === openBrace) depth += 1;
      if (sign === comma || sign === openBracket || sign === openBrace) values += 1;
      if (depth > limits.depth) refuse(`more than ${limits.depth} nested values`);
      if (values > limits.values) refuse(`more than ${limits.values} values`);
    }
  }
};
