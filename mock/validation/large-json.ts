import { isUtf8 } from 'node:buffer';

/** A document exceeds the limits for parsing. */
export class TooLarge extends Error {}

type Limits = {
  /** Highest estimate of the memory that the values take. */
  readonly memoryBytes: number;
  /** Highest number of bytes in one list item. */
  readonly itemBytes: number;
  /** Highest number of names, items and lists in one list item. */
  readonly itemValues: number;
};

const smallBytes = 64 * 1024;
const frameLength = 256 * 1024;
const stepBytes = 128 * 1024;
const utf8StepBytes = 4 * 1024 * 1024;
// Bytes of memory for each value, in addition to its JSON text.
const bytesPerItem = 64;
const bytesPerPart = 48;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Parses an object whose members are long lists, such as a state, in steps of some items at a time. Accepts and returns the
 * same as `JSON.parse`.
 * @throws SyntaxError for invalid JSON, TooLarge if an item or the document exceeds the limits
 */
export function* parseInSteps(bytes: Buffer, limits: Limits): Generator<undefined, unknown> {
  for (let start = 0; start < bytes.length; start = letterStart(bytes, start + utf8StepBytes)) {
    if (!isUtf8(bytes.subarray(start, letterStart(bytes, start + utf8StepBytes))))
      throw new SyntaxError('it is not UTF-8');
    yield;
  }
  if (bytes[0] === 0xef) throw new SyntaxError('it begins with a byte order mark');
  if (bytes.length <= smallBytes || !/^\s*\{/.test(bytes.toString('latin1', 0, 100)))
    return parseSmall(bytes);
  const reader = createReader(bytes, limits);
  while (reader.readOn()) yield;
  return reader.finish();
}

/** The position of the first byte of the next character. */
const letterStart = (bytes: Buffer, from: number): number => {
  let at = from;
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
};

// For documents that are too small for long lists, or that are not objects.
const parseSmall = (bytes: Buffer): unknown =>
  bytes.length <= smallBytes ? JSON.parse(bytes.toString('utf8')) : undefined;

/** Cuts the document at the commas of its lists. In the remaining text, the index of a list stands for its items. */
const createReader = (bytes: Buffer, { memoryBytes, itemBytes, itemValues }: Limits) => {
  const lists: unknown[][] = [];
  let list: unknown[] | undefined;
  let frame = '';
  let frameStart = 0;
  let batchStart = 0;
  let batches = 0;
  let itemStart = 0;
  let parts = 0;
  let position = 0;
  let depth = 0;
  let inText = false;
  let memory = 0;

  const addToFrame = (end: number): void => {
    if (frame.length + end - frameStart > frameLength)
      throw new TooLarge('what is not in its lists is too large');
    frame += bytes.toString('utf8', frameStart, end);
  };
  const openList = (at: number): void => {
    addToFrame(at + 1);
    frame += String(lists.length);
    list = [];
    lists.push(list);
    batchStart = at + 1;
    itemStart = at + 1;
    batches = 0;
    parts = 0;
  };
  const endItem = (at: number): void => {
    if (parts > itemValues) throw new TooLarge(`one of its items has more than ${itemValues} values`);
    if (at - itemStart > itemBytes) throw new TooLarge(`one of its items is larger than ${itemBytes} bytes`);
    memory += 2 * (at - itemStart) + bytesPerItem + bytesPerPart * parts;
    if (memory > memoryBytes) throw new TooLarge(`it would need more than ${memoryBytes} bytes of memory`);
    itemStart = at + 1;
    parts = 0;
  };
  const parseBatch = (end: number, isLast: boolean): void => {
    const items = JSON.parse(`[${bytes.toString('utf8', batchStart, end)}]`) as unknown[];
    batches += 1;
    if (items.length === 0 && !(isLast && batches === 1))
      throw new SyntaxError(`Unexpected token at position ${end}`);
    for (const item of items) list?.push(item);
    batchStart = end + 1;
  };
  const closeList = (at: number): void => {
    endItem(at);
    parseBatch(at, true);
    list = undefined;
    frameStart = at;
  };
  const open = (at: number, isList: boolean): void => {
    depth += 1;
    parts += 1;
    if (depth === 2 && isList) openList(at);
  };
  const close = (at: number): void => {
    depth -= 1;
    if (depth === 1 && list) closeList(at);
  };
  const separate = (at: number): void => {
    parts += 1;
    if (depth !== 2 || !list) return;
    endItem(at);
    if (at - batchStart >= stepBytes) parseBatch(at, false);
  };
  /** Reads the next part. Returns false at the end. */
  const readOn = (): boolean => {
    const end = position + stepBytes;
    for (; position < bytes.length && position < end; position += 1) {
      const byte = bytes[position];
      if (inText) {
        // Skips an escaped character, which cannot end the string.
        if (byte === backslash) position += 1;
        else if (byte === quote) inText = false;
      } else if (byte === quote) inText = true;
      else if (byte === openBracket || byte === openBrace) open(position, byte === openBracket);
      else if (byte === closeBracket || byte === closeBrace) close(position);
      else if (byte === comma) separate(position);
    }
    return position < bytes.length;
  };
  const finish = (): unknown => {
    if (list) throw new SyntaxError('Unexpected end of JSON input');
    addToFrame(bytes.length);
    const document = JSON.parse(frame) as Record<string, unknown>;
    for (const [name, value] of Object.entries(document)) {
      if (Array.isArray(value)) setOwn(document, name, lists[value[0] as number] ?? []);
    }
    return document;
  };
  return { readOn, finish };
};

// Treats `__proto__` as an ordinary name.
const setOwn = (document: object, name: string, value: unknown): void =>
  void Object.defineProperty(document, name, { value, enumerable: true, configurable: true, writable: true });
