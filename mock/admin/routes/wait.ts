import { runInSteps, takeTurn } from '../../runtime/timers.ts';
import { explainAbsence, type Item } from '../../workspace/registry.ts';
import type { WaitResult } from '../../workspace/waiters.ts';
import { numberOf } from '../input.ts';
import { AdminError, type AdminReply, type AdminRequest, type RouteDoc, success } from '../route.ts';
import { type JsonSchema, list, object, ref, text } from '../schemas.ts';

type WaitTarget = {
  /** The kind of items, a plural noun. */
  readonly itemName: string;
  readonly singular: Item;
  readonly wait: (options: {
    count: number;
    timeoutMs: number;
    signal: AbortSignal;
    since: string | undefined;
  }) => Promise<WaitResult>;
  /** The current response of the list. */
  readonly pageInSteps: () => Generator<undefined, WaitedPage>;
  /** Near misses, for a wait that timed out. */
  readonly nearMissesInSteps: () => Generator<undefined, readonly object[]>;
};

/** A page of a list. `total` is the number of matching items. */
export type WaitedPage = { readonly total: number; readonly [name: string]: unknown };

/** Describes the responses to a wait, for items of the list with this schema. */
export const waitReplies = (
  description: string,
  singular: Item,
  item: JsonSchema,
  page: ReturnType<typeof object>,
): RouteDoc['replies'] => ({
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

const waitErrors: Readonly<
  Record<Exclude<WaitResult, 'matched' | 'timeout'>, readonly [number, string, string]>
> = {
  reset: [409, 'the workspace was reset during the wait', 'Start a new wait after the reset.'],
  dropped: [
    409,
    'the workspace was dropped during the wait',
    'Too many workspaces are in use; the least recently used one was dropped.',
  ],
  stopping: [503, 'the mock is stopping', 'Start it again.'],
  'client-closed': [499, 'the client closed the connection', 'This response cannot be delivered.'],
  'limit-reached': [429, 'too many open waits and event streams', 'End a wait before you start another one.'],
};

/**
 * Answers when enough items match, or after the timeout with 404 and near misses. With `absent=true` it answers 200 after the
 * timeout, and 409 as soon as an item matches.
 */
export const waitFor = async (request: AdminRequest, target: WaitTarget): Promise<AdminReply> => {
  const { query, signal, context } = request;
  const count = numberOf(query.count, 1);
  const timeoutMs = numberOf(query.timeout_ms, 10_000);
  const result = await target.wait({ count, timeoutMs, signal: signal(), since: query.since });
  // Many waits may end at the same time.
  await takeTurn();
  if (result !== 'matched' && result !== 'timeout') throw new AdminError(...waitErrors[result]);
  const absent = query.absent === 'true';
  const page = await runInSteps(target.pageInSteps());
  if ((result === 'matched') !== absent) return { body: page };
  if (absent)
    throw new AdminError(
      409,
      count === 1
        ? `expected no matching ${target.singular}, but ${page.total} arrived`
        : `expected fewer than ${count} matching ${target.itemName}, but ${page.total} arrived`,
      `The response lists the ${target.itemName}.`,
      {},
      page,
    );
  const misses = await runInSteps(target.nearMissesInSteps());
  const explanations = explainAbsence(target.singular, request.workspace, context.workspaces);
  throw new AdminError(
    404,
    `${count === 1 ? 'no' : `${page.total} of ${count}`} matching ${target.itemName} arrived within ${timeoutMs} ms`,
    misses.length === 0
      ? [`There are no ${target.itemName} in this workspace`, ...explanations].join('; ')
      : `near_misses lists the nearest ${target.itemName} and the filters each one does not match.`,
    {},
    { near_misses: misses, explanations },
  );
};
