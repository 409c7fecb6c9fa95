import type { Answers } from '../contract/questions.ts';
import { isTestKey, type Redact } from '../contract/redaction.ts';
import { createContents, saveState } from '../nouns/index.ts';
import { createJournal, isWithoutKey, type Journal, type JournalEntry } from '../nouns/journal.ts';
import type { MockStatus } from '../nouns/mock.ts';
import type { StateDocument } from '../nouns/state.ts';
import type { Item } from '../route/logs.ts';
import { stopwatch, timeNow } from '../runtime/timers.ts';
import { unclaimedId } from '../store/ids.ts';
import type { Waiting } from '../store/log.ts';
import { createMeter, limits } from '../store/store.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

/** One workspace per API key: parallel tests with different keys do not affect each other. */
export type Workspaces = ReturnType<typeof createWorkspaces>;

export type WorkspacesOptions = {
  /** The only accepted keys; if empty, every key that begins with `test_` is accepted. */
  readonly acceptKeys: readonly string[];
  /** Initial state of every workspace. */
  readonly seed?: StateDocument;
  /** Passes the seed in a file to `accept`, at first and where it has changed since the last accepted one. */
  readonly readSeed?: (accept: (seed: StateDocument) => void) => void;
  readonly answers: Answers;
  readonly outboxLimit: number;
  readonly version: string;
  readonly redact: Redact;
  /** Highest number of workspaces, and characters in all of them; the least recently used is dropped. */
  readonly limit?: number;
  readonly maxLength?: number;
};

const maxListed = 200;

/** Any other key may be real. */
const isShown = (key: string): boolean => key.startsWith('test_');

// The keys that an Authorization header can carry after "Bearer ".
const validKey = /^[\x21-\x7e]{1,1000}$/;

/** @throws Error for an accepted key that no request could carry; the message gives its position, not the key */
export const createWorkspaces = (options: WorkspacesOptions) => {
  const { acceptKeys, limit = limits.workspaces, maxLength = limits.totalLength } = options;
  const invalidKey = acceptKeys.findIndex((key) => !validKey.test(key));
  if (invalidKey >= 0)
    throw new Error(
      `key ${invalidKey + 1} of those to accept is not 1 to 1000 visible ASCII characters without spaces`,
    );
  const acceptedKeys = new Set(acceptKeys);
  const accepts = (key: string): boolean => (acceptedKeys.size > 0 ? acceptedKeys.has(key) : isTestKey(key));
  // Last in the map is the most recently used.
  const workspaces = new Map<string, Workspace>();
  let latest: Workspace | undefined;
  let dropped = 0;

  const waiting: Waiting = { count: 0, max: limits.waiting };
  const meter = createMeter();
  const publish = (): void => undefined;
  /** Requests without an accepted key, which are in no workspace's journal. */
  const arrivals = { last: 0 };
  const shared = { waiting, arrivals, meter };
  const unclaimed = createJournal(
    { ...shared, now: timeNow, redact: options.redact, publish, lastNumber: 0 },
    [],
    unclaimedId,
  );
  const byRecentUse = (): Workspace[] => [...workspaces.values()].reverse();
  const defaultKey = acceptedKeys.size === 0 ? 'test_key' : acceptKeys.find(isShown);
  const uptime = stopwatch();
  const status = {
    health: () => ({
      status: 'ok',
      version: options.version,
      uptime_s: Math.floor(uptime()),
      workspaces: workspaces.size,
      workspaces_dropped: dropped,
      waiting: waiting.count,
      held_characters: meter.held(),
    }),
    list: () => {
      const shown = byRecentUse().filter(({ key }) => isShown(key));
      return {
        default: defaultKey ?? null,
        workspaces: shown.slice(0, maxListed).map(({ key, outbox, leads, requests }) => ({
          key,
          messages: outbox.size(),
          leads: leads.size(),
          requests: requests.size(),
        })),
        total: workspaces.size,
        unclaimed: unclaimed.size(),
      };
    },
  } satisfies Omit<MockStatus, 'document'>;

  /** The seed as every workspace and reset has it, with the same timestamps. */
  const prepareSeed = (document: StateDocument) => {
    const own = { key: '', meter: createMeter(), publisher: () => publish };
    return saveState(createContents(document, { ...options, ...shared, ...own }));
  };
  let seed = prepareSeed(options.seed ?? {});
  /**
   * Reads the seed from its file again if the file has changed. From then on, workspaces without their own seed start from it
   * and reset to it.
   * @throws Error for a file that cannot be read, StoreFull; with nothing changed
   */
  const refreshSeed = (): void =>
    options.readSeed?.((document) => {
      seed = prepareSeed(document);
    });
  refreshSeed();
  const createFor = (key: string, whole = meter): Workspace =>
    createWorkspace({
      ...options,
      ...shared,
      key,
      seed: () => seed,
      meter: whole,
      refreshSeed,
      unclaimed,
      explain: (item, workspace) => explainAbsence(item, workspace, byRecentUse(), unclaimed, dropped),
    });
  /** Drops the least recently used workspaces, but none that was used after this one. */
  const makeRoomFor = (workspace: Workspace): void => {
    for (const other of workspaces.values()) {
      if (other === workspace || (workspaces.size <= limit && meter.held() <= maxLength)) break;
      workspaces.delete(other.key);
      dropped += 1;
      other.end('dropped');
    }
  };
  const markUsed = (workspace: Workspace): Workspace => {
    if (workspace !== latest) {
      latest = workspace;
      workspaces.delete(workspace.key);
      workspaces.set(workspace.key, workspace);
    }
    makeRoomFor(workspace);
    return workspace;
  };
  /** The workspace of an accepted key, created on first use. */
  const getOrCreate = (key: string): Workspace => markUsed(workspaces.get(key) ?? createFor(key));
  return {
    accepts,
    getOrCreate,
    /** The workspace of an accepted key, for reading only: a new one is not kept. */
    peek: (key: string): Workspace =>
      workspaces.get(key) ? getOrCreate(key) : createFor(key, createMeter()),
    /** The most recently used last. */
    list: (): readonly Workspace[] => [...workspaces.values()],
    /** Another text after every change of a workspace. */
    revision: (): string => {
      let changes = 0;
      for (const { events } of workspaces.values()) changes += events.changes();
      return `${dropped} dropped, ${changes} changes`;
    },
    unclaimed,
    /** The key of admin requests without one. */
    defaultKey,
    /** One sentence: which keys are accepted. */
    rule:
      acceptedKeys.size > 0
        ? 'Only the keys given with --accept-key are accepted.'
        : 'Any key of the form test_ followed by letters, digits, "_" or "-" is accepted, for example test_key.',
    status,
    /** Ends all open waits and event streams before the mock stops. Returns their number. */
    close: (): number => {
      const open = waiting.count;
      for (const workspace of workspaces.values()) workspace.end('stopping');
      return open;
    },
  };
};

/** Whether a request was refused that may have been meant as a mail: a send operation, or no known operation. No message came of it. */
const isRefusedMail = ({ outbox }: Workspace) => {
  const sent = new Set(outbox.all().map(({ request_id: id }) => id));
  return ({ id, operation, status, why }: JournalEntry): boolean =>
    why !== null &&
    // A rule that only delays.
    !(why.code === 'fault' && status === 200) &&
    !sent.has(id) &&
    [null, 'sendEmail', 'sendTemplateEmail'].includes(operation);
};

const maxKeys = 3;

/**
 * Possible reasons why a message or a request is not in a workspace: a refused request, and, if there are no items at all,
 * requests without an accepted key and other workspaces. Empty if there is none.
 */
const explainAbsence = (
  item: Item,
  workspace: Workspace,
  all: readonly Workspace[],
  unclaimed: Journal,
  dropped: number,
): string[] => {
  const sizeOf = ({ outbox, requests }: Workspace): number => (item === 'message' ? outbox : requests).size();
  const refusals =
    item === 'message' ? describeLatest(workspace.requests, isRefusedMail(workspace), 'refused') : [];
  if (sizeOf(workspace) > 0) return refusals;
  const others = all.filter((other) => other !== workspace && isShown(other.key) && sizeOf(other) > 0);
  const full = 'the mock was full and dropped the least recently used';
  return [
    ...refusals,
    ...describeLatest(unclaimed, isWithoutKey, 'sent without an accepted key'),
    ...others
      .slice(0, maxKeys)
      .map((other) => `the workspace ${other.key} has ${count(sizeOf(other), item)}`),
    ...(dropped > 0 ? [`${full}: ${count(dropped, 'workspace')}`] : []),
  ];
};

const describeLatest = (
  journal: Journal,
  matches: (entry: JournalEntry) => boolean,
  participle: string,
): string[] => {
  const { items, total } = journal.page([['', matches]], { limit: 1 });
  const requests = total === 1 ? `was ${participle}` : `were ${participle}, the latest`;
  return items.map(({ method, path, status, why }) => {
    const outcome = status === 0 ? 'no response' : status;
    const reason = why === null ? '' : ` (${why.what})`;
    return `${count(total, 'request')} ${requests}: ${method} ${path} → ${outcome}${reason}`;
  });
};

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
