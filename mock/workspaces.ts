import { createWorkspace, type Template, type Workspace } from './state.ts';

export type Workspaces = {
  readonly accepts: (key: string) => boolean;
  /** The workspace of an accepted key, made on first use. */
  readonly open: (key: string) => Workspace;
  /** The same for reading only: nothing is made, kept or dropped because somebody looked. */
  readonly look: (key: string) => Workspace;
  /** The workspace of a key where there is one already: for what must not make, keep or drop any. */
  readonly find: (key: string) => Workspace | undefined;
  readonly size: () => number;
  /** How many were dropped because there were too many. */
  readonly dropped: () => number;
  /** One sentence: which keys are accepted. */
  readonly rule: string;
  /** The admin API's workspace where a request names none. Never a real key: one that does not begin `test_` is not guessed. */
  readonly defaultKey: string | undefined;
};

export type WorkspacesOptions = {
  /** The only keys accepted; empty for every key that begins with `test_`. */
  readonly acceptKeys: readonly string[];
  readonly seed: readonly Template[];
  readonly outboxLimit: number;
  /** Workspaces kept at most; the least recently used is dropped. */
  readonly limit?: number;
};

// What can stand in an Authorization header after "Bearer ".
const usableKey = /^[\x21-\x7e]{1,1000}$/;
const testKey = /^test_[A-Za-z0-9_-]{0,120}$/;

/**
 * One workspace per API key: parallel tests with keys of their own never see each other.
 * @throws Error for a key to accept that no request could carry; it says which one, not what it is
 */
export const createWorkspaces = (options: WorkspacesOptions): Workspaces => {
  const { acceptKeys, seed, outboxLimit, limit = 10_000 } = options;
  const unusable = acceptKeys.findIndex((key) => !usableKey.test(key));
  if (unusable >= 0)
    throw new Error(
      `key ${unusable + 1} of those to accept is not 1 to 1000 visible ASCII characters without spaces`,
    );
  const workspaces = new Map<string, Workspace>();
  const listed = new Set(acceptKeys);
  let latest: Workspace | undefined;
  let dropped = 0;

  // Last in the map is the most recently used.
  const keep = (workspace: Workspace): Workspace => {
    latest = workspace;
    workspaces.delete(workspace.key);
    workspaces.set(workspace.key, workspace);
    if (workspaces.size > limit) {
      workspaces.delete(workspaces.keys().next().value ?? '');
      dropped += 1;
    }
    return workspace;
  };
  const make = (key: string): Workspace => createWorkspace({ key, seed, outboxLimit });
  return {
    accepts: (key) => (listed.size > 0 ? listed.has(key) : testKey.test(key)),
    open: (key) => (latest?.key === key ? latest : keep(workspaces.get(key) ?? make(key))),
    look: (key) => workspaces.get(key) ?? make(key),
    find: (key) => (latest?.key === key ? latest : workspaces.get(key)),
    size: () => workspaces.size,
    dropped: () => dropped,
    rule:
      listed.size > 0
        ? 'Only the keys given with --accept-key are accepted.'
        : 'Any key of the form test_ followed by letters, digits, "_" or "-" is accepted, for example test_key.',
    defaultKey: listed.size === 0 ? 'test_key' : acceptKeys.find((key) => key.startsWith('test_')),
  };
};
