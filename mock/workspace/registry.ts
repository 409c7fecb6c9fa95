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
  /** Accepted keys that may be real ones: nothing may show them. */
  readonly secrets: readonly string[];
  /** The workspace of an accepted key, made on first use. */
  readonly getOrCreate: (key: string) => Workspace;
  /** The same for reading only: nothing is made, kept or dropped because somebody looked. */
  readonly peek: (key: string) => Workspace;
  /** The workspace of a key where there is one already: for what must not make, keep or drop any. */
  readonly getExisting: (key: string) => Workspace | undefined;
  /** What the workspace of an accepted key answers by itself, or will: a seed's answers hold from the first request on. */
  readonly answersOf: (key: string) => AnswerOverrides | undefined;
  /**
   * Takes the seed from its file again where that was changed: what workspaces without a seed of their own start from and
   * reset to from now on.
   * @throws Error for a file that cannot be read, StorageFull; with nothing changed
   */
  readonly refreshSeed: () => void;
  /** Requests that carried no accepted key: nobody's, and so in no workspace's journal. */
  readonly unclaimed: Journal;
  /** Real time, for what belongs to no workspace. */
  readonly clock: Clock;
  /** Those there are, the most recently used first. */
  readonly byRecentUse: () => Workspace[];
  readonly size: () => number;
  /** How many were dropped because there were too many. */
  readonly dropped: () => number;
  /** One sentence: which keys are accepted. */
  readonly rule: string;
  /** The admin API's workspace where a request names none. Never a real key: one that does not begin `test_` is not guessed. */
  readonly defaultKey: string | undefined;
  /** Bytes that everything in all of them takes in memory, and of what event streams have not delivered. */
  readonly heldBytes: () => number;
  readonly maxBytes: number;
  readonly outboxBytes: number;
  readonly streams: { held: number; readonly max: number };
  readonly transfers: TransferLimit;
  /** How many wait or watch. */
  readonly waiting: () => number;
  /** Lets go of all who wait or watch, before the mock stops, and returns how many they were. */
  readonly close: () => number;
};

type WorkspacesOptions = {
  /** The only keys accepted; empty for every key that begins with `test_`. */
  readonly acceptKeys: readonly string[];
  /** What every workspace starts from. */
  readonly seed: StateDocument;
  /** Hands over the seed where its file was changed since one was last accepted. */
  readonly readChangedSeed?: ((accept: (seed: StateDocument) => void) => void) | undefined;
  readonly templates: readonly Template[];
  readonly outboxLimit: number;
  readonly outboxBytes?: number | undefined;
  readonly idFormat?: Answers['lead.id-format'];
  /** Workspaces kept at most; the least recently used is dropped. */
  readonly limit?: number;
  /** Bytes of everything in all of them; the oldest messages and requests of the least recently used are dropped, then it. */
  readonly maxBytes?: number;
};

// What can stand in an Authorization header after "Bearer ".
const validKey = /^[\x21-\x7e]{1,1000}$/;

/**
 * One workspace per API key: parallel tests with keys of their own never see each other.
 * @throws Error for a key to accept that no request could carry; it says which one, not what it is
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

  // A tenth more than is needed, so that not every message has to look for room. Their newest go last.
  const evict = (): void => {
    const { budget } = shared;
    const target = maxBytes * 0.9;
    const logs = [unclaimed, ...[...workspaces.values()].flatMap(({ journal, outbox }) => [journal, outbox])];
    for (const keep of [1, 0]) {
      // All but those of the workspace in use.
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
  // Dated once, and in the same epoch until one is dropped: what is read of a workspace nobody made yet is as it will be.
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

/** What somebody may look for in vain. */
export type Item = 'message' | 'request';

const mailOperations: readonly (string | null)[] = ['sendEmail', 'sendTemplateEmail'];

/** Refused under the key of the workspace, as a mail or where no operation is. */
const isRefusedMail = ({ operation, why }: Recorded): boolean =>
  why !== null && (operation === null || mailOperations.includes(operation));

const keyErrors: readonly string[] = ['authentication_missing', 'authentication_malformed', 'key_unknown'];

const isWithoutKey = ({ why }: Recorded): boolean => why !== null && keyErrors.includes(why.code);

const maxKeys = 3;

/**
 * What may explain that a message or a request is not in a workspace: a refused request, and where there are no items at all
 * a request without an accepted key and other workspaces. Empty where nothing does.
 */
export const explainAbsence = (
  item: Item,
  workspace: Workspace,
  { unclaimed, byRecentUse }: Workspaces,
): string[] => {
  const sizeOf = ({ outbox, journal }: Workspace): number => (item === 'message' ? outbox : journal).size();
  const refusals = item === 'message' ? describeLatest(workspace.journal, isRefusedMail, 'refused') : [];
  if (sizeOf(workspace) > 0) return refusals;
  // A key that does not begin so may be a real one.
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
