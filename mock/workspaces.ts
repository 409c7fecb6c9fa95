import type { Clock } from './clock.ts';
import { createJournal, type Journal } from './journal.ts';
import { createOwnAnswers, type OwnAnswers } from './own-answers.ts';
import type { Answers } from './questions.ts';
import { secretsAmong } from './redaction.ts';
import type { Shared } from './shelf.ts';
import { createWorkspace, datedSeed, type Template, type Workspace, wallClock } from './state.ts';
import type { StateDocument } from './state-document.ts';

export type Workspaces = {
  readonly accepts: (key: string) => boolean;
  /** Accepted keys that may be real ones: nothing may show them. */
  readonly secrets: readonly string[];
  /** The workspace of an accepted key, made on first use. */
  readonly open: (key: string) => Workspace;
  /** The same for what may yet be refused: where there is none, one is made, and is there for others only once it is kept. */
  readonly attempt: (key: string) => Attempt;
  /** The same for reading only: nothing is made, kept or dropped because somebody looked. */
  readonly look: (key: string) => Workspace;
  /** The workspace of a key where there is one already: for what must not make, keep or drop any. */
  readonly find: (key: string) => Workspace | undefined;
  /** What the workspace of an accepted key answers by itself, or will: a seed's answers hold from the first request on. */
  readonly answersOf: (key: string) => OwnAnswers | undefined;
  /** Requests that carried no accepted key: nobody's, and so in no workspace's journal. */
  readonly unclaimed: Journal;
  /** Real time, for what belongs to no workspace. */
  readonly clock: Clock;
  /** Those there are, the most recently used first. */
  readonly used: () => Workspace[];
  readonly size: () => number;
  /** How many were dropped because there were too many. */
  readonly dropped: () => number;
  /** One sentence: which keys are accepted. */
  readonly rule: string;
  /** The admin API's workspace where a request names none. Never a real key: one that does not begin `test_` is not guessed. */
  readonly defaultKey: string | undefined;
  /** How many wait or watch. */
  readonly waiting: () => number;
  /** Lets go of all who wait or watch, before the mock stops, and returns how many they were. */
  readonly end: () => number;
};

export type Attempt = {
  readonly workspace: Workspace;
  readonly keep: () => void;
  readonly giveUp: () => void;
};

export type WorkspacesOptions = {
  /** The only keys accepted; empty for every key that begins with `test_`. */
  readonly acceptKeys: readonly string[];
  /** What every workspace starts from. */
  readonly seed: StateDocument;
  readonly templates: readonly Template[];
  readonly outboxLimit: number;
  readonly idFormat?: Answers['lead.id-format'];
  /** Workspaces kept at most; the least recently used is dropped. */
  readonly limit?: number;
  /** Characters in all outboxes and journals together; the oldest of the least recently used workspace are dropped. */
  readonly characters?: number;
};

const mostCharacters = 256 * 1024 * 1024;
// Who waits or watches holds a connection.
const mostHeld = 1000;

// What can stand in an Authorization header after "Bearer ".
const usableKey = /^[\x21-\x7e]{1,1000}$/;
const testKey = /^test_[A-Za-z0-9_-]{0,120}$/;

/**
 * One workspace per API key: parallel tests with keys of their own never see each other.
 * @throws Error for a key to accept that no request could carry; it says which one, not what it is
 */
export const createWorkspaces = (options: WorkspacesOptions): Workspaces => {
  const { acceptKeys, limit = 10_000, characters = mostCharacters } = options;
  const unusable = acceptKeys.findIndex((key) => !usableKey.test(key));
  if (unusable >= 0)
    throw new Error(
      `key ${unusable + 1} of those to accept is not 1 to 1000 visible ASCII characters without spaces`,
    );
  const workspaces = new Map<string, Workspace>();
  const listed = new Set(acceptKeys);
  let latest: Workspace | undefined;
  let dropped = 0;

  let epoch = 0;
  const shared: Shared = {
    budget: { held: 0, most: characters, relieve: () => relieve() },
    room: { taken: 0, most: mostHeld },
    secrets: secretsAmong(acceptKeys),
    nextEpoch: () => {
      epoch += 1;
      return epoch;
    },
  };
  const unclaimed = createJournal(shared);

  // A tenth more than is needed, so that not every message has to look for room. Their newest go last.
  const relieve = (): void => {
    const { budget } = shared;
    const enough = characters * 0.9;
    const shelves = [
      unclaimed,
      ...[...workspaces.values()].flatMap(({ journal, outbox }) => [journal, outbox]),
    ];
    for (const kept of [1, 0]) {
      // All but those of the workspace in use.
      const open = kept === 1 ? shelves : shelves.slice(0, -2);
      for (const shelf of open) while (budget.held > enough && shelf.dropOldest(kept) > 0);
    }
  };

  // Last in the map is the most recently used.
  const keep = (workspace: Workspace): Workspace => {
    latest = workspace;
    workspaces.delete(workspace.key);
    workspaces.set(workspace.key, workspace);
    if (workspaces.size > limit) {
      const [oldest] = workspaces.values();
      if (oldest) forget(oldest);
    }
    return workspace;
  };
  const forget = (workspace: Workspace): void => {
    workspaces.delete(workspace.key);
    dropped += 1;
    empty(workspace);
  };
  // Dated once, and in the same epoch until one is dropped: what is read of a workspace nobody made yet is as it will be.
  const seed = datedSeed(options.seed);
  const start = (key: string, parts: { shared?: Shared } = {}): Workspace =>
    createWorkspace({ ...options, ...parts, seed, key, generation: dropped });
  const make = (key: string): Workspace => start(key, { shared });
  const open = (key: string): Workspace =>
    latest?.key === key ? latest : keep(workspaces.get(key) ?? make(key));
  const find = (key: string): Workspace | undefined => (latest?.key === key ? latest : workspaces.get(key));
  const accepts = (key: string): boolean => (listed.size > 0 ? listed.has(key) : testKey.test(key));
  const ofSeed = createOwnAnswers();
  ofSeed.replace(seed.answers ?? {});
  return {
    accepts,
    secrets: shared.secrets,
    open,
    attempt: (key) => {
      if (workspaces.has(key)) return { ...unconditional, workspace: open(key) };
      const workspace = make(key);
      return { workspace, keep: () => void keep(workspace), giveUp: () => empty(workspace) };
    },
    look: (key) => workspaces.get(key) ?? start(key),
    find,
    answersOf: (key) => find(key)?.ownAnswers ?? (accepts(key) ? ofSeed : undefined),
    unclaimed,
    clock: wallClock(),
    used: () => [...workspaces.values()].reverse(),
    size: () => workspaces.size,
    dropped: () => dropped,
    rule:
      listed.size > 0
        ? 'Only the keys given with --accept-key are accepted.'
        : 'Any key of the form test_ followed by letters, digits, "_" or "-" is accepted, for example test_key.',
    defaultKey: listed.size === 0 ? 'test_key' : acceptKeys.find((key) => key.startsWith('test_')),
    waiting: () => shared.room.taken,
    end: () => {
      const held = shared.room.taken;
      unclaimed.release('stopping');
      for (const workspace of workspaces.values()) workspace.end('stopping');
      return held;
    },
  };
};

/** What there is already stays, whatever becomes of the request. */
export const unconditional = { keep: () => undefined, giveUp: () => undefined };

const empty = (workspace: Workspace): void => {
  workspace.end('dropped');
  workspace.outbox.clear();
  workspace.journal.clear();
};
