import type { Log, Logged, Page, Search, Tests, WaitResult } from '../store/log.ts';
import { lengthOf } from '../store/store.ts';
import type { JsonSchema } from '../validation/json-schema.ts';
import { AdminError, type AdminRequest, type ReplyDoc, type Routes } from './noun.ts';
import { list, listPage, object, paging, ref, since, success, switchedBy, text, waiting } from './schemas.ts';

/** The kinds of items that can be waited for. */
export type Item = 'message' | 'request';

/** Possible reasons why an item is not in a workspace. */
export type Explain = (item: Item) => readonly string[];

type Query = AdminRequest['query'];
type WaitRequest = Pick<AdminRequest, 'query'> & Partial<Pick<AdminRequest, 'signal'>>;

/** A log of a workspace as the admin API and the SDK offer it. */
export type LogView<Stored extends Logged, Parts> = {
  readonly item: Item;
  readonly log: (parts: Parts) => Log<Stored>;
  /** Where items are searched, if it is not this log alone. */
  readonly search?: (parts: Parts, query: Query) => Search<Stored>;
  readonly tests: (query: Query) => Tests<Stored>;
  /** Reads what a search or a response needs of the items, if that takes long. */
  readonly read?: (parts: Parts, query: Query) => Promise<void>;
  /** An item in a list, and one with all that it has. */
  readonly summary: (item: Stored) => object;
  readonly full: (item: Stored) => object;
};

const searchOf = <Stored extends Logged, Parts>(
  { search, log }: LogView<Stored, Parts>,
  parts: Parts,
  query: Query,
): Search<Stored> => search?.(parts, query) ?? log(parts);

/** The items that match a query. */
export const findIn = <Stored extends Logged, Parts>(
  view: LogView<Stored, Parts>,
  parts: Parts,
  query: Query,
): Page<Stored> => searchOf(view, parts, query).page(view.tests(query), query);

type Explained = { readonly explain: Explain };

// A page in full ends after so many characters: reading the contents of messages takes time.
const maxFullLength = 1024 * 1024;

/** A page of a log as a response has it. In full it has as many items as fit, and at least one. */
export const pageOf = <Stored extends Logged, Parts>(
  view: LogView<Stored, Parts>,
  parts: Parts,
  query: Query,
) => {
  const { item, summary, full } = view;
  const { items, ...page } = findIn(view, parts, query);
  let length = 0;
  const end = items.findIndex((each) => {
    const isFull = query.full && length > maxFullLength;
    length += lengthOf(each);
    return isFull;
  });
  const shown = items.slice(0, end < 0 ? items.length : end).map(query.full ? full : summary);
  return { [`${item}s`]: shown, ...page };
};

const readPage = async <Stored extends Logged, Parts>(
  view: LogView<Stored, Parts>,
  parts: Parts,
  query: Query,
) => {
  await view.read?.(parts, query);
  return pageOf(view, parts, query);
};

/** The routes that every log has, and those that this one has beside them. */
/* @__NO_SIDE_EFFECTS__ */
export const logRoutes = <Stored extends Logged, Parts extends Explained>(
  path: string,
  view: LogView<Stored, Parts>,
  filters: Readonly<Record<string, JsonSchema>>,
  texts: { readonly list: string; readonly left: string },
  own: Routes<Parts>,
): Routes<Parts> => {
  const { item } = view;
  const name = item === 'message' ? 'Message' : 'Request';
  const full = switchedBy(
    `Whether the ${item}s have all fields of \`GET ${path}/{id}\`. A page then ends after about a million characters.`,
  );
  const query = { ...filters, ...since, ...paging, full };
  const page = listPage(`${item}s`, ref(`${name}Summary`));
  return {
    [`GET ${path}`]: {
      id: `list${name}s`,
      summary: `List the ${item}s, newest first, without ${texts.left}`,
      description: texts.list,
      query,
      replies: success(
        `A page of ${item}s. \`dropped\` counts those removed because there was no room for them.`,
        page,
      ),
      run: (parts, request) => readPage(view, parts, request.query),
    },
    [`GET ${path}/wait`]: {
      id: `waitFor${name}s`,
      summary: `Wait for matching ${item}s`,
      description: `Responds like the list as soon as \`count\` ${item}s match the filters; earlier ones count too. With \`since\`, only ${item}s after that cursor count. \`absent=true\` inverts the wait: it succeeds when fewer than \`count\` ${item}s match within \`timeout_ms\`.`,
      query: { ...query, ...waiting },
      longLived: true,
      replies: waitReplies(item, ref(`${name}Summary`), page),
      run: (parts, request) => waitIn(view, parts, request),
    },
    [`DELETE ${path}`]: {
      id: `delete${name}s`,
      summary: `Delete all ${item}s (requires \`{"all": true}\`)`,
      description: `The body must be \`{"all": true}\`, so that a request for one ${item} cannot delete all of them by mistake. Ids continue from the last one.`,
      body: ref('All'),
      replies: success(`The number of deleted ${item}s.`, ref('Deleted')),
      run: (parts) => ({ deleted: view.log(parts).clear() }),
    },
    ...own,
  };
};

/* @__NO_SIDE_EFFECTS__ */
const waitReplies = (
  name: Item,
  item: JsonSchema,
  page: ReturnType<typeof object>,
): Readonly<Record<number, ReplyDoc>> => ({
  ...success(`The matching ${name}s, as in the list; with \`absent\`, fewer than \`count\` matched.`, page),
  404: {
    description: 'Too few items matched within the time; the nearest items.',
    schema: object({
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
    }),
  },
  409: {
    description: 'Items matched although `absent` was set, or the workspace was reset during the wait.',
    schema: object({ ...page.properties, error: text, message: text }, ...Object.keys(page.properties)),
  },
  429: { description: 'Too many open waits and event streams.', schema: ref('Refusal') },
  503: { description: 'The mock is stopping.', schema: ref('Refusal') },
});

/** Status, problem and hint of a wait, or an event stream, that ends for another reason than its items or its time. */
export const waitErrors: Readonly<
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
  'limit-reached': [
    429,
    'too many open waits and event streams',
    'End a wait, or close a connection to /__admin/events, before you open another one.',
  ],
};

/**
 * Answers when enough items match, or after the timeout with 404 and near misses. With `absent=true` it answers 200 after the
 * timeout, and 409 as soon as an item matches.
 */
export const waitIn = async <Stored extends Logged, Parts extends Explained>(
  view: LogView<Stored, Parts>,
  parts: Parts,
  { query, signal }: WaitRequest,
): Promise<object> => {
  const { item, summary } = view;
  const { count, timeout_ms: timeoutMs, since: cursor, absent } = query;
  // Without a pause: what happens directly after the call ends the wait.
  if (view.read) await view.read(parts, query);
  const [search, tests] = [searchOf(view, parts, query), view.tests(query)];
  const result = await search.wait(tests, { count, timeoutMs, since: cursor, signal: signal?.() });
  if (result !== 'matched' && result !== 'timeout') throw new AdminError(...waitErrors[result]);
  const found = await readPage(view, parts, query);
  if ((result === 'matched') !== absent) return found;
  if (absent) {
    const expected = count === 1 ? `no matching ${item}` : `fewer than ${count} matching ${item}s`;
    const problem = `expected ${expected}, but ${found.total} arrived`;
    throw new AdminError(409, problem, `The response lists the ${item}s.`, {}, found);
  }
  const near_misses = search
    .nearest(tests, cursor)
    .map(({ item: missed, failed }) => ({ [item]: summary(missed), failed }));
  const explanations = parts.explain(item);
  const arrived = count === 1 ? 'no' : `${found.total} of ${count}`;
  throw new AdminError(
    404,
    `${arrived} matching ${item}s arrived within ${timeoutMs} ms`,
    near_misses.length === 0
      ? [`There are no ${item}s in this workspace`, ...explanations].join('; ')
      : `near_misses lists the nearest ${item}s and the filters each one does not match.`,
    {},
    { near_misses, explanations },
  );
};
