import { nextTurn } from '../runtime/timers.ts';
import type { Log, Logged, Tests, WaitResult } from '../store/log.ts';
import type { JsonSchema } from '../validation/json-schema.ts';
import { AdminError, type AdminRequest, type ReplyDoc } from './noun.ts';
import { list, object, ref, success, text } from './schemas.ts';

/** The kinds of items that can be waited for. */
export type Item = 'message' | 'request';

/** Possible reasons why an item is not in a workspace. */
export type Explain = (item: Item) => readonly string[];

export type WaitRequest = Pick<AdminRequest, 'query'> & Partial<Pick<AdminRequest, 'signal'>>;

type ListPage = { readonly total: number };

type WaitTarget<Stored extends Logged> = {
  readonly item: Item;
  readonly log: Log<Stored>;
  readonly tests: Tests<Stored>;
  /** The response of the list. */
  readonly page: () => ListPage | Promise<ListPage>;
  readonly summary: (item: Stored) => object;
  readonly explain: Explain;
};

/** Describes the responses to a wait, for items of the list with this schema. */
/* @__NO_SIDE_EFFECTS__ */
export const waitReplies = (
  description: string,
  singular: Item,
  item: JsonSchema,
  page: ReturnType<typeof object>,
): Readonly<Record<number, ReplyDoc>> => ({
  ...success(description, page),
  404: {
    description: 'Too few items matched within the time; the nearest items.',
    schema: nearMissesSchema(singular, item),
  },
  409: {
    description: 'Items matched although `absent` was set, or the workspace was reset during the wait.',
    schema: object({ ...page.properties, error: text, message: text }, ...Object.keys(page.properties)),
  },
  429: { description: 'Too many open waits and event streams.', schema: ref('Refusal') },
  503: { description: 'The mock is stopping.', schema: ref('Refusal') },
});

/* @__NO_SIDE_EFFECTS__ */
const nearMissesSchema = (name: Item, item: JsonSchema): JsonSchema =>
  object({
    error: text,
    message: text,
    near_misses: list(
      object({
        [name]: item,
        failed: {
          ...list(text),
          description:
            'The filters that the item does not match: empty if it matches all, `since` if it is older than the cursor.',
        },
      }),
    ),
    explanations: {
      ...list(text),
      description:
        'What may explain it: refused requests, requests without an accepted key, other workspaces that have some.',
    },
  });

/** Status, problem and hint of a wait that ends for another reason than its items or its time. */
const waitErrors: Readonly<
  Record<Exclude<WaitResult, 'matched' | 'timeout'>, readonly [number, string, string]>
> = {
  reset: [409, 'the workspace was reset during the wait', 'Start a new wait after the reset.'],
  dropped: [
    409,
    'the workspace was dropped during the wait',
    'Too many workspaces are in use; the least recently used one was dropped.',
  ],
  stopping: [503, 'the mock was closed during the wait', 'Start it again.'],
  'client-closed': [499, 'the client closed the connection', 'This response cannot be delivered.'],
  'limit-reached': [429, 'too many open waits and event streams', 'End a wait before you start another one.'],
};

let lastTurn: Promise<void> = Promise.resolve();

/** Hundreds of waits may end at once, and each of them searches the log: what takes time takes turns of the event loop. */
export const takeTurn = (): Promise<void> => {
  lastTurn = lastTurn.then(() => new Promise((resolve) => nextTurn(resolve)));
  return lastTurn;
};

/**
 * Answers when enough items match, or after the timeout with 404 and near misses. With `absent=true` it answers 200 after the
 * timeout, and 409 as soon as an item matches.
 */
export const waitFor = async <Stored extends Logged>(
  { item, log, tests, page, summary, explain }: WaitTarget<Stored>,
  { query, signal }: WaitRequest,
): Promise<object> => {
  const { count, timeout_ms: timeoutMs, since, absent } = query;
  const result = await log.wait(tests, { count, timeoutMs, since, signal: signal?.() });
  await takeTurn();
  if (result !== 'matched' && result !== 'timeout') throw new AdminError(...waitErrors[result]);
  const found = await page();
  if ((result === 'matched') !== absent) return found;
  if (absent)
    throw new AdminError(
      409,
      count === 1
        ? `expected no matching ${item}, but ${found.total} arrived`
        : `expected fewer than ${count} matching ${item}s, but ${found.total} arrived`,
      `The response lists the ${item}s.`,
      {},
      found,
    );
  const near_misses = log
    .nearest(tests, since)
    .map(({ item: missed, failed }) => ({ [item]: summary(missed), failed }));
  const explanations = explain(item);
  throw new AdminError(
    404,
    `${count === 1 ? 'no' : `${found.total} of ${count}`} matching ${item}s arrived within ${timeoutMs} ms`,
    near_misses.length === 0
      ? [`There are no ${item}s in this workspace`, ...explanations].join('; ')
      : `near_misses lists the nearest ${item}s and the filters each one does not match.`,
    {},
    { near_misses, explanations },
  );
};

// A page in full ends after so many characters: reading the contents of messages takes time.
const maxFullLength = 1024 * 1024;

/** The first of some items, as many as a response holds in full; at least one. */
export const firstInFull = <Stored>(
  items: readonly Stored[],
  lengthOf: (item: Stored) => number,
): Stored[] => {
  let length = 0;
  const end = items.findIndex((item) => {
    const isFull = length > maxFullLength;
    length += lengthOf(item);
    return isFull;
  });
  return end < 0 ? [...items] : items.slice(0, end);
};
