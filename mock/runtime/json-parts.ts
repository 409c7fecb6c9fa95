const chunkLength = 64 * 1024;
// For lists whose items are created one by one: each may be a lot of work.
const itemsPerStep = 16;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isList = (value: unknown): value is Iterable<unknown> => isObject(value) && Symbol.iterator in value;
const hasLists = (value: unknown): value is object => isObject(value) && Object.values(value).some(isList);

/** A text parsed as JSON; `undefined` if it is not JSON: another media type, broken, or cut. */
export const parseJson = (text: string | null | undefined): unknown => {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
};

/** Creates each result only when it is written. */
export function* lazily<Item, Result>(
  items: Iterable<Item>,
  toResult: (item: Item) => Result,
): Generator<Result, void> {
  for (const item of items) yield toResult(item);
}

/**
 * An object as JSON in parts of at most one item more than a chunk; some are empty. Together they are the text that
 * `JSON.stringify` returns. Members, and their members, may be lists or other sequences, whose items are created one by one.
 * @param itemToJson serializes one item of such a list
 */
export function* toJsonParts(
  object: object,
  itemToJson: (item: unknown) => string = (item) => JSON.stringify(item) ?? 'null',
): Generator<string> {
  let text = '{';
  let hasMembers = false;
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    text += `${hasMembers ? ',' : ''}${JSON.stringify(name)}:`;
    hasMembers = true;
    if (isList(value)) {
      yield* listParts(`${text}[`, value, itemToJson);
      text = ']';
    } else if (hasLists(value)) {
      yield text;
      yield* toJsonParts(value, itemToJson);
      text = '';
    } else text += JSON.stringify(value);
  }
  yield `${text}}`;
}

/** @param beginning the text before the first item */
function* listParts(
  beginning: string,
  list: Iterable<unknown>,
  itemToJson: (item: unknown) => string,
): Generator<string> {
  let text = beginning;
  let count = 0;
  for (const item of list) {
    text += (count === 0 ? '' : ',') + itemToJson(item);
    count += 1;
    if (text.length >= chunkLength) {
      yield text;
      text = '';
    } else if (count % itemsPerStep === 0) yield '';
  }
  yield text;
}

/**
 * Encodes the parts in steps.
 * @param count receives the number of bytes of each part; an error that it throws ends the encoding
 */
export function* encodeInSteps(
  parts: Iterable<string>,
  count: (bytes: number) => void,
): Generator<undefined, Buffer[]> {
  const chunks: Buffer[] = [];
  for (const part of parts) {
    if (part !== '') {
      const chunk = Buffer.from(part);
      count(chunk.length);
      chunks.push(chunk);
    }
    yield;
  }
  return chunks;
}
