const mebibyte = 1024 * 1024;

/**
 * What a mock holds at most. Bytes are of memory: a character of a text counts two, whatever alphabet it is of, and every item
 * counts a fixed sum for its objects. With all stores full, a heap of 512 MiB has room for the requests in work.
 */
export const limits = {
  /** All workspaces together: the oldest messages and requests, then workspaces, of the least recently used are dropped. */
  totalBytes: 192 * mebibyte,
  workspaces: 10_000,
  /** Open waits and event streams. */
  waiting: 1000,
  /** What event streams have not delivered yet: of all together, and of each. */
  streamsBytes: 32 * mebibyte,
  streamBytes: mebibyte,
  /** One event, as each of a thousand streams gets it. */
  eventBytes: 128 * 1024,
  /** Bodies that arrive, and responses that are delayed or that nobody reads, of more than `smallTransferBytes` each. */
  transferBytes: 192 * mebibyte,
  smallTransferBytes: 64 * 1024,
  connections: 4000,
  /** Of each workspace. */
  outboxBytes: 64 * mebibyte,
  journalBytes: 16 * mebibyte,
  journalRequests: 1000,
  eventsBytes: 512 * 1024,
  /** About 50,000 short ones: to list, index or reset them at once takes less than 100 ms. */
  leadsBytes: 16 * mebibyte,
  templatesBytes: 16 * mebibyte,
  /** To find and fill more takes longer than to read a body. */
  templatePlaceholders: 20_000,
  faultsBytes: 8 * mebibyte,
  faultRules: 1000,
  /** A request body where the answer to `limits.body-size` is `above-1MiB`, and the HTML that a template makes: read at once. */
  requestBytes: 1.25 * mebibyte,
  /** Names, items and lists in a body that is larger than 64 KiB: to read them takes much longer than to read letters. */
  requestValues: 20_000,
  renderedCharacters: 2 * mebibyte,
  /** What a workspace of its own seed resets to. */
  seedBytes: 48 * mebibyte,
  /** The JSON of a state, read or written. */
  stateBytes: 64 * mebibyte,
  /** One item of it. */
  stateItemBytes: 4 * mebibyte,
  stateItemValues: 21_000,
} as const;

/** What a text takes in memory at most. Half as much where all of it is Latin-1, which costs more to find out than it is worth. */
export const textBytes = (text: string | null | undefined): number =>
  text === null || text === undefined ? 0 : 2 * text.length;

/** Bytes that all stores of a mock hold together; `evict` makes room where they exceed the maximum. */
export type Budget = { held: number; readonly max: number; readonly evict: () => void };

/** What one owner holds of a budget. */
export type Account = {
  /** Counts what a store took; negative for what it gave back. */
  readonly charge: (bytes: number) => void;
  /** Makes room, once the store is in order again, where the budget is exceeded. */
  readonly settle: () => void;
  readonly held: () => number;
  /** Gives back everything. What its stores do afterwards, for requests still in flight, counts nowhere. */
  readonly close: () => void;
};

export const createAccount = (budget: Budget): Account => {
  let held = 0;
  let closed = false;
  return {
    charge: (bytes) => {
      if (closed) return;
      held += bytes;
      budget.held += bytes;
    },
    settle: () => {
      if (!closed && budget.held > budget.max) budget.evict();
    },
    held: () => held,
    close: () => {
      budget.held -= held;
      held = 0;
      closed = true;
    },
  };
};

/** A store that drops nothing by itself has no room. Nothing was changed. */
export class StorageFull extends Error {
  readonly hint = 'Nothing was stored. Delete some of them, or reset the workspace.';

  constructor(store: 'leads' | 'templates' | 'fault rules' | 'seed', maxBytes: number) {
    super(`the ${store} of this workspace would need more than ${maxBytes} bytes`);
    this.name = 'StorageFull';
  }
}

/** Bytes of all bodies that are on their way. */
export type TransferLimit = { held: number; readonly max: number };

/** The bytes of one request or response. Small ones are not counted. */
export type Transfer = {
  /** @throws TooMuchInTransfer where all of them together would be more than the limit; nothing is counted then */
  readonly add: (bytes: number) => void;
  /** Gives everything back; what is added later is given back at once. */
  readonly end: () => void;
};

/** @param uncounted bytes that are not counted where there are no more */
export const createTransfer = (
  limit: TransferLimit,
  uncounted: number = limits.smallTransferBytes,
): Transfer => {
  let total = 0;
  let held = 0;
  let ended = false;
  return {
    add: (bytes) => {
      total += bytes;
      const more = total > uncounted ? total - held : 0;
      if (ended || more === 0) return;
      if (limit.held + more > limit.max) throw new TooMuchInTransfer();
      limit.held += more;
      held += more;
    },
    end: () => {
      limit.held -= held;
      held = 0;
      ended = true;
    },
  };
};

/** The mock has no memory left for another large request or response at this moment. */
export class TooMuchInTransfer extends Error {
  readonly hint = 'Send the request again when others have ended, and read the responses.';

  constructor() {
    super(`large requests and responses that are under way take more than ${limits.transferBytes} bytes`);
    this.name = 'TooMuchInTransfer';
  }
}
