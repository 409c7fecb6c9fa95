import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { type Answer, excerpt, isObject, speaks } from './exchange.ts';

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** The bytes under a Content-Encoding, which may list several. */
const decompress = (bytes: Buffer, encoding: string | undefined): Buffer => {
  const steps = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((step) => step.trim());
  return steps
    .reverse()
    .reduce((data, step) => (data.length > 0 ? (decoders[step]?.(data) ?? data) : data), bytes);
};

type Body = Pick<Answer, 'text' | 'json' | 'byteProblem'>;

/**
 * Reads a body bytes first: what a forgiving parser would let pass is noted and then read all the same, so that one
 * defect does not look like forty.
 * @param encoding the Content-Encoding of the reply
 */
export const readBody = (raw: Buffer, encoding: string | undefined): Body => {
  try {
    return readPlain(decompress(raw, encoding));
  } catch (error) {
    const byteProblem = `it is labelled ${encoding} and cannot be decompressed: ${(error as Error).message}`;
    return { text: '', json: undefined, byteProblem };
  }
};

const readPlain = (bytes: Buffer): Body => {
  const utf16 =
    bytes.length >= 2 && (bytes[0] === 0 || bytes[1] === 0 || (bytes[0] === 0xff && bytes[1] === 0xfe));
  if (utf16) return { ...parsed(decodeUtf16(bytes)), byteProblem: 'it is UTF-16, and JSON travels as UTF-8' };
  const text = bytes.toString('utf8');
  if (!isUtf8(bytes)) return { ...parsed(text), byteProblem: 'it holds bytes that are not UTF-8' };
  if (text.startsWith('\uFEFF'))
    return { ...parsed(text.slice(1)), byteProblem: 'it begins with a byte order mark' };
  const body = parsed(text);
  return body.json === undefined || typeof body.json === 'string'
    ? unwrapped(body)
    : { ...body, byteProblem: undefined };
};

/**
 * An object in the service's terms inside something that is not JSON: a guard before it, a warning after it, a string
 * around it. Seen as the object and noted, so that it is not taken for another service.
 */
const unwrapped = ({ text, json }: { text: string; json: unknown }): Body => {
  const inner = typeof json === 'string' ? json : text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  const found = parsed(inner).json;
  if (!isObject(found) || !speaks(found)) return { text, json, byteProblem: undefined };
  const around =
    typeof json === 'string'
      ? 'it is JSON inside a JSON string'
      : `something stands around the JSON: ${excerpt(text, 60)}`;
  return { text, json: found, byteProblem: around };
};

const decodeUtf16 = (bytes: Buffer): string => {
  const bigEndian = bytes[0] === 0 || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const little = bigEndian ? Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16() : bytes;
  return little.toString('utf16le').replace(/^\uFEFF/, '');
};

const parsed = (text: string): { text: string; json: unknown } => {
  try {
    return { text, json: JSON.parse(text) };
  } catch {
    return { text, json: undefined }; // not JSON: the checks say so where JSON is promised
  }
};
