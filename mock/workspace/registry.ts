import type { Answers } from '../contract/questions.ts';
import type { Template } from '../mail/template.ts';
import { createAccount, limits, type TransferLimit } from '../runtime/limits.ts';
import { isTestKey, secretsAmong } from '../runtime/redaction.ts';
import { runAtOnce } from '../runtime/timers.ts';
import { type AnswerOverrides, createAnswerOverrides } from './answers.ts';
import { createUnsharedResources, type SharedResources } from './bounded-log.ts';
import { type Clock, wallClock } from './clock.ts';
import { createElsewhere } from './events.ts';
import { createJournal, type Journal } from './journal.ts';
import type { Recorded } from './journal-entry.ts';
import { rejectOversizedInSteps, type StateDocument, withTimestampsInSteps } from './snapshot.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

export type Workspaces = {
  readonly accepts: (key: string) => boolean;
  /** Accepted keys that may be real: they must never be shown. */
  readonly secrets: readonly string[];
  /** The workspace of an accepted key, created on first use. */
  readonly getOrCreate: (key: string) => Workspace;
  /** The workspace of an accepted key, for reading only: does not create it, mark it as used, or drop others. */
  readonly peek: (key: string) => Workspace;
  /** The workspace of a key if it exists. Does not mark it as used. */
  readonly getExisting: (key: string) => Workspace | undefined;
  /** The answer overrides of the workspace of an accepted key. Those of a seed apply from the first request on. */
  readonly answersOf: (key: string) => AnswerOverrides | undefined;
  /**
   * Reads the seed from its file again if the file has changed. From then on, workspaces without their own seed start from it
   * and reset to it.
   * @throws Error for a file that cannot be read, StorageFull; with nothing changed
   */
  readonly refreshSeed: () => void;
  /** Requests without an accepted key, which are in no workspace's journal. */
  readonly unclaimed: Journal;
  /** Real time, for requests without a workspace. */
  readonly clock: Clock;
  /** All workspaces, the most recently used first. */
  readonly byRecentUse: () => Workspace[];
  readonly size: () => number;
  /** Number of workspaces dropped because there were too many. */
  readonly dropped: () => number;
  /** One sentence: which keys are accepted. */
  readonly rule: string;
  /** The workspace for admin requests without a key. Only a test key: any other may be real. */
  readonly defaultKey: string | undefined;
  /** Bytes of memory of all workspaces, including undelivered data of event streams. */
  readonly heldBytes: () => number;
  readonly maxBytes: number;
  readonly outboxBytes: number;
  readonly streams: { held: number; readonly max: number };
  readonly transfers: TransferLimit;
  /** Number of open waits and event streams. */
  readonly waiting: () => number;
  /** Ends all open waits and event streams before the mock stops. Returns their number. */
  readonly close: () => number;
};

type WorkspacesOptions = {
  /** The only accepted keys; if empty, every key that begins with `test_` is accepted. */
  readonly acceptKeys: readonly string[];
  /** Initial state of every workspace. */
  readonly seed: StateDocument;
  /** Passes the seed to `accept` if its file has changed since the last accepted one. */
  readonly readChangedSeed?: ((accept: (seed: StateDocument) => void) => void) | undefined;
  readonly templates: readonly Template[];
  readonly outboxLimit: number;
  readonly outboxBytes?: number | undefined;
  readonly idFormat?: Answers['lead.id-format'];
  /** Highest number of workspaces; the least recently used is dropped. */
  readonly limit?: number;
  /** Highest number of bytes in all workspaces. Of the least recently used, old messages and requests are dropped, then all. */
  readonly maxBytes?: number;
};

// The keys that an Authorization header can carry after "Bearer ".
const validKey = /^[\x21-\x7e]{1,1000}$/;

/**
 * One workspace per API key: parallel tests with different keys do not affect each other.
 * @throws Error for an accepted key that no request could carry; the message gives its position, not the key
 */
export const createWorkspaces = (options: WorkspacesOptions): Workspaces => {
  const { acceptKeys, limit = limits.workspaces, maxBytes = limits.totalBytes } = options;
  const invalidKey = acceptKeys.findIndex((key) => !validKey.test(key));
  if (invalidKey >= 0)
    throw new Error(
      `key ${invalidKey + 1} of those to accept is not 1 to 1000 visible ASCII characters without spaces`,
    );
  const workspaces = new Map<string, Workspace>();
  const acceptedKeys = new Set(acceptKeys);
  let latest: Workspace | undefined;
  let dropped = 0;

  const shared: SharedResources = {
    ...createUnsharedResources(),
    budget: { held: 0, max: maxBytes, evict: () => evict() },
    connectionLimit: { used: 0, max: limits.waiting },
    secrets: secretsAmong(acceptKeys),
  };
  const elsewhere = createElsewhere();
  const unclaimedAccount = createAccount(shared.budget);
  const unclaimed = createJournal({ ...shared, account: unclaimedAccount }, () => elsewhere.tell());

  // Frees a tenth more than is needed, so that not every message causes another eviction. The newest items go last.
  const evict = (): void => {
    const { budget } = shared;
    const target = maxBytes * 0.9;
    const logs = [unclaimed, ...[...workspaces.values()].flatMap(({ journal, outbox }) => [journal, outbox])];
    for (const keep of [1, 0]) {
      // All logs except those of the workspace in use.
      const evictable = keep === 1 ? logs : logs.slice(0, -2);
      for (const log of evictable) while (budget.held > target && log.dropOldest(keep) > 0);
    }
    for (const workspace of workspaces.values())
      if (budget.held > target && workspace !== latest) drop(workspace);
  };

  // Last in the map is the most recently used.
  const markUsed = (workspace: Workspace): Workspace => {
    latest = workspace;
    workspaces.delete(workspace.key);
    workspaces.set(workspace.key, workspace);
    if (workspaces.size > limit) {
      const [oldest] = workspaces.values();
      if (oldest) drop(oldest);
    }
    return workspace;
  };
  const drop = (workspace: Workspace): void => {
    workspaces.delete(workspace.key);
    dropped += 1;
    workspace.drop();
  };
  const readSeed = (document: StateDocument): StateDocument => {
    runAtOnce(rejectOversizedInSteps(document));
    return runAtOnce(withTimestampsInSteps(document));
  };
  // Timestamps are set once, and the epoch stays until a workspace is dropped: `peek` shows a workspace as it will be created.
  let seed = readSeed(options.seed);
  const createFor = (key: string, parts: { shared?: SharedResources } = {}): Workspace =>
    createWorkspace({
      ...options,
      ...parts,
      get seed() {
        return seed;
      },
      key,
      generation: dropped,
      elsewhere,
    });
  const getOrCreate = (key: string): Workspace =>
    latest?.key === key ? latest : markUsed(workspaces.get(key) ?? createFor(key, { shared }));
  const getExisting = (key: string): Workspace | undefined =>
    latest?.key === key ? latest : workspaces.get(key);
  const accepts = (key: string): boolean => (acceptedKeys.size > 0 ? acceptedKeys.has(key) : isTestKey(key));
  const seedAnswers = createAnswerOverrides();
  seedAnswers.replace(seed.answers ?? {});
  return {
    accepts,
    secrets: shared.secrets,
    getOrCreate,
    peek: (key) => workspaces.get(key) ?? createFor(key),
    getExisting,
    answersOf: (key) => getExisting(key)?.answerOverrides ?? (accepts(key) ? seedAnswers : undefined),
    refreshSeed: () =>
      options.readChangedSeed?.((document) => {
        seed = readSeed(document);
        seedAnswers.replace(seed.answers ?? {});
      }),
    unclaimed,
    clock: wallClock(),
    byRecentUse: () => [...workspaces.values()].reverse(),
    size: () => workspaces.size,
    dropped: () => dropped,
    rule:
      acceptedKeys.size > 0
        ? 'Only the keys given with --accept-key are accepted.'
        : 'Any key of the form test_ followed by letters, digits, "_" or "-" is accepted, for example test_key.',
    defaultKey: acceptedKeys.size === 0 ? 'test_key' : acceptKeys.find((key) => key.startsWith('test_')),
    heldBytes: () => shared.budget.held,
    maxBytes,
    outboxBytes: options.outboxBytes ?? limits.outboxBytes,
    streams: { held: 0, max: limits.streamsBytes },
    transfers: { held: 0, max: limits.transferBytes },
    waiting: () => shared.connectionLimit.used,
    close: () => {
      const openConnections = shared.connectionLimit.used;
      unclaimed.release('stopping');
      for (const workspace of workspaces.values()) workspace.close();
      return openConnections;
    },
  };
};

/** The kinds of items that may be missing. */
export type Item = 'message' | 'request';

const mailOperations: readonly (string | null)[] = ['sendEmail', 'sendTemplateEmail'];

/** Whether a request was refused that may have been meant as a mail: a send operation, or no known operation. */
const isRefusedMail = ({ operation, why }: Recorded): boolean =>
  why !== null && (operation === null || mailOperations.includes(operation));

const keyErrors: readonly string[] = ['authentication_missing', 'authentication_malformed', 'key_unknown'];

const isWithoutKey = ({ why }: Recorded): boolean => why !== null && keyErrors.includes(why.code);

const maxKeys = 3;

/**
 * Possible reasons why a message or a request is not in a workspace: a refused request, and, if there are no items at all,
 * requests without an accepted key and other workspaces. Empty if there is none.
 */
export const explainAbsence = (
  item: Item,
  workspace: Workspace,
  { unclaimed, byRecentUse }: Workspaces,
): string[] => {
  const sizeOf = ({ outbox, journal }: Workspace): number => (item === 'message' ? outbox : journal).size();
  const refusals = item === 'message' ? describeLatest(workspace.journal, isRefusedMail, 'refused') : [];
  if (sizeOf(workspace) > 0) return refusals;
  // Any other key may be real.
  const others = byRecentUse().filter(
    (other) => other.key !== workspace.key && other.key.startsWith('test_') && sizeOf(other) > 0,
  );
  return [
    ...refusals,
    ...describeLatest(unclaimed, isWithoutKey, 'sent without an accepted key'),
    ...others
      .slice(0, maxKeys)
      .map((other) => `the workspace ${other.key} has ${count(sizeOf(other), item)}`),
  ];
};

const describeLatest = (
  journal: Journal,
  search: (recorded: Recorded) => boolean,
  participle: string,
): string[] => {
  const { requests, total } = journal.page({ search }, { limit: 1 });
  const verb = total === 1 ? 'was' : 'were';
  return requests.map(
    ({ method, path, status, why }) =>
      `${count(total, 'request')} ${verb} ${participle}${total === 1 ? '' : ', the latest'}: ` +
      `${method} ${path} → ${status === 0 ? 'no response' : status}${why === null ? '' : ` (${why.what})`}`,
  );
};

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
