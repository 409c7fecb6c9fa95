import type { IncomingHttpHeaders } from 'node:http';
import type { Reason } from './behaviour.ts';
import type { ServedOperation } from './routes.ts';
import type { Store } from './store.ts';
import type { Time } from './time.ts';

export type { Operation } from './routes.ts';

/** One request, as the service understands it. */
export type Call = {
  readonly method: string;
  /** As written in the request, without the prefix and the query. */
  readonly path: string;
  /** From its question mark on; empty where there is none. */
  readonly query: string;
  readonly operation: ServedOperation | undefined;
  /** The percent-decoded last segment of a lead's path, else empty. */
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, the names as they were written. */
  readonly rawHeaders: readonly string[];
  readonly text: string;
  /** The parsed body; `undefined` where there is none or it is no JSON. */
  readonly body: unknown;
  /** Which call of its operation this is, counted from 1. */
  readonly nth: number;
  /** When it arrived, in milliseconds since 1970 as the server counts them. */
  readonly at: number;
};

export type Fields = { readonly [field: string]: unknown };

export type Reply = {
  readonly status: number;
  readonly body: Fields;
  /** Set where the request was refused. */
  readonly refused?: Reason;
};

/** A reply as bytes, before compression. */
export type RawResponse = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly payload: Buffer;
};

export type ServiceContext = {
  readonly store: Store;
  readonly key: string;
  /** Carries a request out without asking for a key. */
  readonly perform: (call: Call) => Reply;
  /** Ends early, by throwing, when the deployment closes. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Does something later. */
  readonly after: Time['after'];
  /** Scratch space of this start. */
  readonly memory: Map<string, unknown>;
};

/** What is wrong with a broken deployment: wrapped around a conforming service, which knows nothing of it. */
export type Mutation = {
  /** Checks the key; `expected` is the decision of the conforming service. */
  readonly admit?: (call: Call, expected: boolean, context: ServiceContext) => boolean;
  readonly handle?: (
    call: Call,
    next: (call: Call) => Reply,
    context: ServiceContext,
  ) => Reply | Promise<Reply>;
  readonly rewrite?: (rewrite: RawResponse, call: Call, reply: Reply) => RawResponse;
};

/** A server that is not the mock, for proving what the suite notices and what it tolerates. */
export type Deployment = {
  /** Stable slug, e.g. `integer-ids`; a broken server has none beside its title. */
  readonly id: string;
  /** One plain sentence: how it differs, or what it breaks. */
  readonly title: string;
  /** Listens on a free port of 127.0.0.1; nothing is shared between two starts. */
  readonly start: () => Promise<RunningDeployment>;
};

export type RunningDeployment = {
  /** Base URL without a trailing slash; may carry a path prefix. */
  readonly url: string;
  /** The key the deployment accepts. */
  readonly key: string;
  /** Advances its time by milliseconds, if that is possible. */
  readonly advance?: (ms: number) => void;
  /** Every lead the deployment still holds, for proving that a run cleans up. */
  readonly leads: () => number;
  /** Recipients of every mail it took, `null` where the request named none. */
  readonly mails: () => readonly (string | null)[];
  readonly close: () => Promise<void>;
};
