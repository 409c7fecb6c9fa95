import { createWorkspace, type Template, type Workspace } from './state.ts';

export type Workspaces = {
  readonly accepts: (key: string) => boolean;
  /** The workspace of an accepted key, made on first use. */
  readonly open: (key: string) => Workspace;
  /** The workspace of a key if it has been used already. */
  readonly find: (key: string) => Workspace | undefined;
  /** One sentence: which keys are accepted. */
  readonly rule: string;
  /** The key to try: printed, and used by the admin API where a request names none. */
  readonly exampleKey: string;
};

export type WorkspacesOptions = {
  /** The only keys accepted; empty for every key that begins with `test_`. */
  readonly acceptKeys: readonly string[];
  readonly seed: readonly Template[];
  readonly outboxLimit: number;
  /** Workspaces kept at most; the least recently used is dropped. */
  readonly limit?: number;
};

const testKey = /^test_[A-Za-z0-9_-]{0,120}$/;

/** One workspace per API key: parallel tests with keys of their own never see each other. */
export const createWorkspaces = ({
  acceptKeys,
  seed,
  outboxLimit,
  limit = 10_000,
}: WorkspacesOptions): Workspaces => {
  const workspaces = new Map<string, Workspace>();
  const listed = new Set(acceptKeys);
  return {
    accepts: (key) => (listed.size > 0 ? listed.has(key) : testKey.test(key)),
    find: (key) => workspaces.get(key),
    open: (key) => {
      const known = workspaces.get(key);
      if (known) {
        // Last in the map is the most recently used.
        workspaces.delete(key);
        workspaces.set(key, known);
        return known;
      }
      const workspace = createWorkspace({ key, seed, outboxLimit });
      workspaces.set(key, workspace);
      if (workspaces.size > limit) {
        const oldest = workspaces.keys().next().value;
        if (oldest !== undefined) workspaces.delete(oldest);
      }
      return workspace;
    },
    rule:
      listed.size > 0
        ? 'Only the keys given with --accept-key are accepted.'
        : 'Any key of the form test_ followed by letters, digits, "_" or "-" is accepted, for example test_key.',
    exampleKey: acceptKeys[0] ?? 'test_key',
  };
};
