import type { JsonSchema } from '../route/schemas.ts';
import type { Item } from '../route/wait.ts';
import { checkFields, checkFilter, milliseconds, whole } from '../validation/fields.ts';
import { type Eventual, type Port, send } from './port.ts';

/** How a client offers the messages or the requests. */
type LogClient<Filter extends object, Stored, Shown> = {
  readonly item: Item;
  readonly path: string;
  readonly filters: { readonly [Name in keyof Filter]-?: JsonSchema };
  readonly describe: (item: Stored) => string;
  readonly show: (stored: Stored) => Shown;
};

// The longest page of the admin API.
const maxListed = 1000;
const maxDescribed = 3;

/** Below the timeout of test runners, four or five seconds, so that the error message here is seen. */
const defaultTimeoutMs = 3000;

/** The methods of a log. `waitFor` and `waitForNone` are promises in the same process too. */
export const createLogClient = <Filter extends object, Stored, Shown>({
  item,
  path,
  filters,
  describe,
  show,
}: LogClient<Filter, Stored, Shown>) => {
  const check = (filter: Filter = {} as Filter): Filter => {
    checkFilter(`a filter of ${item}s`, filter, filters);
    return filter;
  };
  /** One request, unless the items are so large that a page ends before the last one. */
  const find = (
    port: Port,
    filter: Filter,
    limit?: number,
    found: readonly Shown[] = [],
  ): Eventual<Shown[]> => {
    const query = { ...filter, full: true, start: found.length, limit: limit ?? maxListed };
    const reply = port.call<{ readonly total: number } & Record<string, Stored[]>>(`GET ${path}`, { query });
    return port.chain(reply, ({ total, [`${item}s`]: more = [] }) => {
      const all = [...found, ...more.map(show)];
      const isComplete = more.length === 0 || all.length >= Math.min(limit ?? total, total);
      return isComplete ? all : find(port, filter, limit, all);
    });
  };
  const describeAll = (items: readonly Stored[]): string =>
    items.slice(0, maxDescribed).map(describe).join(', ');
  const describeFilter = (filter: Filter): string => `a ${item} with ${JSON.stringify(filter)}`;
  return {
    list: (port: Port, filter?: Filter) => find(port, check(filter)),
    latest: (port: Port, filter?: Filter): Eventual<Shown | undefined> =>
      port.chain(find(port, check(filter), 1), ([first]) => first),
    /** @throws Error after the timeout, with the expected items, those that arrived instead, and possible reasons */
    waitFor: async (
      port: Port,
      requestedFilter?: Filter,
      options: { readonly timeout?: number; readonly count?: number } = {},
    ): Promise<[Shown, ...Shown[]]> => {
      const filter = check(requestedFilter);
      checkFields('the options of waitFor', options, { timeout: milliseconds, count: whole(1) });
      const { timeout = defaultTimeoutMs, count = 1 } = options;
      const wait = { timeoutMs: timeout, count, absent: false };
      const { isMatched, items, explanations } = await port.wait<Stored>(item, filter, wait);
      if (isMatched) return (await find(port, filter)) as [Shown, ...Shown[]];
      const times = count === 1 ? '' : ` ${count} times`;
      const nearest = items.length === 0 ? 'there was nothing' : `the nearest are ${describeAll(items)}`;
      const problem = `not found${times} within ${timeout} ms: ${describeFilter(filter)}; ${nearest}`;
      throw new Error([problem, ...explanations].join('\n  '));
    },
    /** @throws Error as soon as an item matches */
    waitForNone: async (
      port: Port,
      requestedFilter?: Filter,
      options: { readonly timeout?: number } = {},
    ): Promise<void> => {
      const filter = check(requestedFilter);
      checkFields('the options of waitForNone', options, { timeout: milliseconds });
      const wait = { timeoutMs: options.timeout ?? 1000, absent: true };
      const { isMatched, items } = await port.wait<Stored>(item, filter, wait);
      if (isMatched)
        throw new Error(`found, but none was expected: ${describeFilter(filter)} is ${describeAll(items)}`);
    },
    count: (port: Port, filter?: Filter): Eventual<number> => {
      const query = { ...check(filter), limit: 0 };
      return port.chain(
        port.call<{ readonly total: number }>(`GET ${path}`, { query }),
        ({ total }) => total,
      );
    },
    clear: (port: Port) => send(port, `DELETE ${path}`, { body: { all: true } }),
  };
};
