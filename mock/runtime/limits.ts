const mebibyte = 1024 * 1024;

/**
 * The limits of a mock. Bytes are memory: two for each character of a text in any alphabet, and a fixed sum per item for its
 * objects. With all stores full, a heap of 512 MiB still has room for the requests in progress.
 */
export const limits = {
  /** All workspaces together: the oldest messages and requests, then workspaces, of the least recently used are dropped. */
  totalBytes: 192 * mebibyte,
  workspaces: 10_000,
  /** Open waits and event streams. */
  waiting: 1000,
  /** Undelivered data of all event streams together, and of each. */
  streamsBytes: 32 * mebibyte,
  streamBytes: mebibyte,
  /** One event; it may be sent to a thousand streams. */
  eventBytes: 128 * 1024,
  /** Arriving bodies, and responses that are delayed or not read yet, of more than `smallTransferBytes` each. */
  transferBytes: 192 * mebibyte,
  smallTransferBytes: 64 * 1024,
  connections: 4000,
  /** Of each workspace. */
  outboxBytes: 64 * mebibyte,
  journalBytes: 16 * mebibyte,
  journalRequests: 1000,
  eventsBytes: 512 * 1024,
  /** About 50,000 short leads: listing, indexing or resetting all of them takes less than 100 ms. */
  leadsBytes: 16 * mebibyte,
  templatesBytes: 16 * mebibyte,
  /** Finding and filling more takes longer than reading a body. */
  templatePlaceholders: 20_000,
  faultsBytes: 8 * mebibyte,
  faultRules: 1000,
  /** A request body if the answer to `limits.body-size` is `above-1MiB`, and the HTML of a filled template. */
  requestBytes: 1.25 * mebibyte,
  /** Names, items and lists in a body that is larger than 64 KiB: parsing them takes much longer than parsing text. */
  requestValues: 20_000,
  renderedCharacters: 2 * mebibyte,
  /** The seed of one workspace. */
  seedBytes: 48 * mebibyte,
  /** The JSON of a state, read or written. */
  stateBytes: 64 * mebibyte,
  /** One item of it. */
  stateItemBytes: 4 * mebibyte,
  stateItemValues: 21_000,
} as const;

/** The most memory a text can take. A Latin-1 text takes half as much, but testing for that would cost more than it saves. */
export const textBytes = (text: string | null | undefined): number =>
  text === null || text === undefined ? 0 : 2 * text.length;

/** Bytes that all stores of a mock hold together; `evict` makes room if they exceed the maximum. */
export type Budget = { held: number; readonly max: number; readonly evict: () => void };

/** The share of one owner in a budget. */
export type Account = {
  /** Counts bytes that a store took; negative for bytes it gave back. */
  readonly charge: (bytes: number) => void;
  /** Makes room if the budget is exceeded. Call it when the store is consistent again. */
  readonly settle: () => void;
  readonly held: () => number;
  /** Gives back everything. Later changes by requests in flight are not counted. */
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

/** A store that never drops items is full. Nothing was changed. */
export class StorageFull extends Error {
  readonly hint = 'Nothing was stored. Delete some of them, or reset the workspace.';

  constructor(store: 'leads' | 'templates' | 'fault rules' | 'seed', maxBytes: number) {
    super(`the ${store} of this workspace would need more than ${maxBytes} bytes`);
    this.name = 'StorageFull';
  }
}

/** Bytes of all bodies in transfer. */
export type TransferLimit = { held: number; readonly max: number };

/** The bytes of one request or response. Small ones are not counted. */
export type Transfer = {
  /** @throws TooMuchInTransfer if all of them together would exceed the limit; then nothing is counted */
  readonly add: (bytes: number) => void;
  /** Gives everything back. Later additions are not counted. */
  readonly end: () => void;
};

/** @param uncounted a transfer of at most this many bytes is not counted */
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

/** The mock currently has no memory for another large request or response. */
export class TooMuchInTransfer extends Error {
  readonly hint = 'Send the request again when others have ended, and read the responses.';

  constructor() {
    super(`large requests and responses that are under way take more than ${limits.transferBytes} bytes`);
    this.name = 'TooMuchInTransfer';
  }
}
