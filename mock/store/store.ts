const [kibi, mebi] = [1024, 1024 * 1024];

/**
 * The limits of a mock. A length is in characters, see `lengthOf`. A full log drops its oldest items; leads, templates and fault
 * rules that do not fit are refused. With all of them reached, a heap of 512 MiB still has room for the requests in progress.
 */
export const limits = {
  /** All workspaces together: the least recently used one is dropped. */
  totalLength: 96 * mebi,
  workspaces: 10_000,
  /** Open waits and event streams. */
  waiting: 1000,
  connections: 4000,
  /** Of each workspace. */
  outboxLength: 32 * mebi,
  journalRequests: 1000,
  journalLength: 8 * mebi,
  leads: 20_000,
  leadsLength: 16 * mebi,
  templates: 10_000,
  templatesLength: 8 * mebi,
  /** Finding and filling more takes longer than reading a body. */
  templatePlaceholders: 20_000,
  faultRules: 1000,
  faultRulesLength: mebi,
  /** What one event stream has not delivered yet. */
  streamLength: 512 * kibi,
  /** A request body if the answer to `limits.body-size` is `above-1MiB`, and the HTML of a filled template. */
  requestBytes: 1.25 * mebi,
  renderedCharacters: 2 * mebi,
  /** Names, items and lists in a body that is larger than 64 KiB: parsing them takes much longer than parsing text. */
  requestValues: 20_000,
  /** The JSON of a state, read or written. */
  stateBytes: 16 * mebi,
  stateValues: 200_000,
};

// For the objects that hold the texts.
const lengthOfMember = 12;

/** The length of an item in characters: its texts and the names of its members, and a fixed sum for each. */
export const lengthOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object') return 0;
  let length = 0;
  for (const name in value)
    length += lengthOfMember + name.length + lengthOf(value[name as keyof typeof value]);
  return length;
};

/** Counts what a store, a workspace and the whole mock hold, in characters. */
export type Meter = ReturnType<typeof createMeter>;

type Counter = { readonly add: (length: number) => void };

/** @param first also counts what is added here */
export const createMeter = (first?: Counter) => {
  let held = 0;
  let whole = first;
  return {
    add: (length: number): void => {
      held += length;
      whole?.add(length);
    },
    held: () => held,
    /** From now on another one, or none, counts what is held here. */
    moveTo: (other: Counter | undefined): void => {
      whole?.add(-held);
      whole = other;
      whole?.add(held);
    },
  };
};

/** What a store may hold, and its name in a message. */
type Bounds = { readonly name: string; readonly count: number; readonly length: number };

/** A store that never drops items has no room. Nothing was changed. */
export class StoreFull extends Error {
  readonly hint = 'Nothing was stored. Delete some of them, or reset the workspace.';

  constructor({ name, count, length }: Bounds) {
    super(`there is no room for these ${name}: a workspace has at most ${count}, of ${length} characters`);
    this.name = 'StoreFull';
  }
}

/** The length of some items together. @throws StoreFull if they do not fit */
export const lengthWithin = (bounds: Bounds, items: readonly unknown[]): number => {
  const length = items.reduce((sum: number, item) => sum + lengthOf(item), 0);
  if (items.length > bounds.count || length > bounds.length) throw new StoreFull(bounds);
  return length;
};

/** Publishes a change of a part of a workspace: what changed, for a client that loads it then. */
export type Publish = (change: object) => void;

/**
 * Items by id, in the order in which they were added.
 * @param idName the field of an item that is its id, also in the events
 * @param items its first items, the highest number of whose ids is `lastNumber`
 * @throws StoreFull if these do not fit
 */
export const createStore = <Item>(
  bounds: Bounds,
  idName: keyof Item & string,
  { meter, publish }: { readonly meter: Meter; readonly publish: Publish },
  items: readonly Item[],
  lastNumber: number,
) => {
  const { add, held } = createMeter(meter);
  const idOf = (item: Item): string => String(item[idName]);
  const byId = new Map(items.map((item) => [idOf(item), item]));
  let last = lastNumber;
  let list: readonly Item[] | undefined;
  add(lengthWithin(bounds, items));
  return {
    get: (id: string): Item | undefined => byId.get(id),
    /** The same array until an item changes. */
    all: (): readonly Item[] => {
      list ??= [...byId.values()];
      return list;
    },
    size: () => byId.size,
    /**
     * Adds an item, or replaces the one with its id. The number of its id is not given again.
     * @throws StoreFull with nothing changed
     */
    put: (item: Item, number = 0): void => {
      const id = idOf(item);
      const previous = byId.get(id);
      const difference = lengthOf(item) - lengthOf(previous);
      // A change that needs no more room is allowed even if the store is full.
      const isTooLong = difference > 0 && held() + difference > bounds.length;
      if (isTooLong || (previous === undefined && byId.size >= bounds.count)) throw new StoreFull(bounds);
      byId.set(id, item);
      list = undefined;
      add(difference);
      last = Math.max(last, number);
      publish({ change: previous === undefined ? 'added' : 'updated', [idName]: id });
    },
    remove: (id: string): boolean => {
      add(-lengthOf(byId.get(id)));
      const isRemoved = byId.delete(id);
      list = undefined;
      if (isRemoved) publish({ change: 'deleted', [idName]: id });
      return isRemoved;
    },
    /** The number after the highest of an id so far. */
    nextNumber: () => last + 1,
    lastNumber: () => last,
  };
};
