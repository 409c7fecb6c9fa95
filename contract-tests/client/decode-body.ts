import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import * as zlib from 'node:zlib';
import { excerpt, hasServiceEnvelope, parseJson, type Response } from '../exchange/exchange.ts';
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
const encodingsIn = (header: string): string[] => {
  const names = header.toLowerCase().split(',');
  return names.map((name) => name.trim());
};

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

/** In bytes: a run keeps all responses, and a hostile server may send large ones. */
export const maxReplyBytes = 20 * 2 ** 20;

/**
 * Reads the body as bytes first. A defect that a tolerant parser would accept is recorded, and the body is parsed anyway, so
 * that one defect does not cause forty findings.
 * @param encoding the Content-Encoding of the response
 * @param maxBytes maximum number of bytes after decompression
 * @throws RequestFailed above this limit, because a small body may expand to more than the memory holds, and for JSON beyond
 * `limits`
 */
export const readBody = (raw: Buffer, encoding: string, maxBytes = maxReplyBytes): Body => {
  try {
    const body = readPlain(decompress(raw, encoding, maxBytes));
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

/** Larger bodies are kept once if they are equal: a list of templates is requested many times. */
const smallBytes = 64 * 2 ** 10;

/** Reads the bodies of a run within a limit of memory, and of time: what is read counts too, though not all of it is kept. */
export const createBodyReader = (maxRunBytes = 128 * 2 ** 20) => {
  const large = new Map<string, Body>();
  let bytesLeft = maxRunBytes;

  const readOnce = (bytes: Buffer, encoding: string): Body => {
    const body = readBody(bytes, encoding);
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
  const rawText = hasMark ? text.slice(1) : text;
  const json = parse(rawText);
  const found = (byteProblem?: string): Body => ({ rawText, json, byteProblem });
  if (json === undefined && isUnfinished(rawText)) return found('it ends in the middle of its JSON');
  if (!isUtf8(bytes)) return found('it contains bytes that are not UTF-8');
  if (hasMark) return found('it begins with a byte order mark');
  return json === undefined || typeof json === 'string' ? unwrapped(rawText, json) : found();
};

/**
 * Finds an envelope of the service inside a body that is not a JSON object: text before or after it, or JSON inside a string.
 * The object is used and the defect recorded, so that the deployment is not taken for another service.
 */
const unwrapped = (rawText: string, text: string | undefined): Body => {
  const json = parse(text ?? rawText.slice(rawText.indexOf('{'), rawText.lastIndexOf('}') + 1));
  if (!hasServiceEnvelope(json)) return { rawText, json: text, byteProblem: undefined };
  const byteProblem =
    text === undefined
      ? `there is other text around the JSON: ${excerpt(rawText, 60)}`
      : 'it is JSON inside a JSON string';
  return { rawText, json, byteProblem };
};

/** The value of a JSON text; `undefined` for any other text: checks report this for responses that must be JSON. */
const parse = (text: string): unknown => {
  // Before parsing, which takes seconds for millions of brackets in a few kilobytes.
  if (/^\s*["[{]/.test(text)) expectWithinLimits(text);
  return parseJson(text);
};

/** Whether a text that is not JSON is the beginning of an object or array: a parser finds no error before its end. */
const isUnfinished = (text: string): boolean => {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const { message } = error as Error;
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    return message.startsWith('Unexpected end') || Number(position) >= text.length;
  }
};

/**
 * The largest JSON that is judged, because §8 states no limits: recursive code overflows the stack at deeper values, regular
 * expressions at texts of some million UTF-16 units, and the work of every check grows with the number of values.
 */
const limits = { depth: 500, values: 200_000, text: 2 * 2 ** 20 };

/** @throws RequestFailed for a text beyond the limits */
const expectWithinLimits = (text: string): void => {
  const refuse = (what: string): never => {
    throw new RequestFailed('too large', `a body has ${what}, which is more than the suite judges`);
  };
  let depth = 0;
  let values = 0;
  let textFrom: number | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\') at += 1;
    else if (sign === '"') {
      if (textFrom !== undefined && at - textFrom > limits.text)
        refuse(`a text of more than ${limits.text} characters`);
      textFrom = textFrom === undefined ? at : undefined;
    } else if (textFrom !== undefined) continue;
    else if (sign === ']' || sign === '}') depth -= 1;
    else {
      const isOpened = sign === '[' || sign === '{';
      if (isOpened) depth += 1;
      if (isOpened || sign === ',') values += 1;
      if (depth > limits.depth) refuse(`more than ${limits.depth} nested values`);
      if (values > limits.values) refuse(`more than ${limits.values} values`);
    }
  }
};
