import type { WaitEnd } from '../waiters.ts';
import { type RouteDoc, success } from './documentation.ts';
import { numberOf } from './query.ts';
import { AdminError, type AdminReply, type AdminRequest } from './route.ts';
import { type JsonSchema, list, object, ref, text } from './schemas.ts';

type Waited = {
  /** What is waited for, as a noun in the plural. */
  readonly what: string;
  readonly wait: (options: {
    count: number;
    timeoutMs: number;
    signal: AbortSignal;
    since: string | undefined;
  }) => Promise<WaitEnd>;
  /** The reply of the list, as it is now. */
  readonly page: () => object;
  /** How many there are of those that are waited for. */
  readonly found: () => number;
  /** What came near, for a wait that ended by time. */
  readonly nearMisses: () => readonly object[];
};

const mostNear = 5;

/** Those that failed the fewest filters, the first of them first. Who came before the cursor failed it like a filter. */
export const nearest = <Item extends { readonly id: string }>(
  items: readonly Item[],
  afterCursor: readonly Item[],
  failedFilters: (item: Item) => readonly string[],
): { item: Item; failed: readonly string[] }[] => {
  const after = new Set(afterCursor.map(({ id }) => id));
  return items
    .map((item) => ({ item, failed: [...failedFilters(item), ...(after.has(item.id) ? [] : ['since'])] }))
    .sort((one, other) => one.failed.length - other.failed.length)
    .slice(0, mostNear);
};

/** What the document says of the replies to a wait for items that a list returns in `page`. */
export const waitReplies = (
  came: string,
  singular: string,
  item: JsonSchema,
  page: ReturnType<typeof object>,
): RouteDoc['replies'] => ({
  ...success(came, page),
  404: {
    description: 'They did not come within the time; what came near.',
    schema: missed(singular, item),
  },
  409: {
    description: 'They came and were to be absent, or the workspace was reset meanwhile.',
    schema: object({ ...page.properties, error: text, message: text }, ...Object.keys(page.properties)),
  },
  429: { description: 'Too many are waiting already.', schema: ref('Refusal') },
  503: { description: 'The mock stops.', schema: ref('Refusal') },
});

const missed = (name: string, item: JsonSchema): JsonSchema =>
  object({
    error: text,
    message: text,
    near_misses: list(
      object({
        [name]: item,
        failed: {
          ...list(text),
          description:
            'The filters it failed: none where it counts, `since` where it came before the cursor.',
        },
      }),
    ),
  });

const ended: Readonly<Record<Exclude<WaitEnd, 'met' | 'timeout'>, readonly [number, string, string]>> = {
  reset: [409, 'the workspace was reset meanwhile', 'Wait again for what comes after the reset.'],
  dropped: [
    409,
    'the workspace was dropped meanwhile',
    'Too many workspaces are in use; the least recently used go.',
  ],
  stopping: [503, 'the mock stops', 'Start it again.'],
  gone: [499, 'the client is gone', 'Nobody reads this.'],
  full: [
    429,
    'too many are waiting already',
    'End a wait before the next one, or use a longer one for several.',
  ],
};

/**
 * Answers when enough came, or when the time is over: 404 with what came near. With `absent=true` the other way round, and 409
 * as soon as something came.
 */
export const waitFor = async ({ query, signal }: AdminRequest, waited: Waited): Promise<AdminReply> => {
  const count = numberOf(query.count, 1);
  const timeoutMs = numberOf(query.timeout_ms, 10_000);
  const how = await waited.wait({ count, timeoutMs, signal: signal(), since: query.since });
  if (how !== 'met' && how !== 'timeout') throw new AdminError(...ended[how]);
  const absent = query.absent === 'true';
  if ((how === 'met') !== absent) return { body: waited.page() };
  const many = count === 1 ? '' : `, ${count} of them,`;
  if (absent)
    throw new AdminError(
      409,
      `${waited.what} like these${many} came, and were to be absent`,
      'They are in this reply.',
      {},
      waited.page(),
    );
  const near = waited.nearMisses();
  throw new AdminError(
    404,
    `${count === 1 ? 'no' : `${waited.found()} of ${count}`} ${waited.what} like these came within ${timeoutMs} ms`,
    near.length === 0
      ? `There are no ${waited.what} at all; the key chooses the workspace.`
      : 'What came near is in this reply, with the filters each failed: none where it counts, since where it came before.',
    {},
    { near_misses: near },
  );
};
