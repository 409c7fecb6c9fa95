/** A server that is not the mock, for proving what the suite notices and what it tolerates. */
export type Deployment = {
  /** Stable slug, e.g. `integer-ids` or `add-lead-201`. */
  readonly id: string;
  /** One plain sentence: how it differs, or what it breaks. */
  readonly title: string;
  /** The kind of difference or fault, one line of the kill matrix, e.g. `status`, `echo`, `intermittent`. */
  readonly group: string;
  /** What a broken deployment breaks; absent for a conforming one. */
  readonly breaks?: { readonly level: 'documented' | 'derived'; readonly section: string };
  /** Listens on a free port of 127.0.0.1; nothing is shared between two starts. */
  readonly start: () => Promise<RunningDeployment>;
};

export type RunningDeployment = {
  /** Base URL without a trailing slash; may carry a path prefix. */
  readonly url: string;
  /** The key the deployment accepts. */
  readonly key: string;
  /** Every lead the deployment still holds, for proving that a run cleans up. */
  readonly leads: () => number;
  /** Recipients of every mail it took, `null` where the request named none. */
  readonly mails: () => readonly (string | null)[];
  readonly close: () => Promise<void>;
};
