import type { IncomingHttpHeaders } from 'node:http';
import type { Reason } from './choices.ts';
import type { Store } from './store.ts';

export type Operation =
  | 'sendEmail'
  | 'listTemplates'
  | 'sendTemplateEmail'
  | 'addLead'
  | 'updateLead'
  | 'deleteLead';

/** One request, as the service understands it. */
export type Call = {
  readonly method: string;
  /** As written in the request, without the prefix and the query. */
  readonly path: string;
  /** `readLead` and `listLeads` are §4.8's operations, which the document does not show. */
  readonly operation: Operation | 'readLead' | 'listLeads' | undefined;
  /** The percent-decoded last segment of a lead's path, else empty. */
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; `undefined` where there is none or it is no JSON. */
  readonly body: unknown;
  /** Which call of its operation this is, counted from 1. */
  readonly nth: number;
};

export type Fields = { readonly [field: string]: unknown };

export type Reply = {
  readonly status: number;
  readonly body: Fields;
  /** Set where the request was refused. */
  readonly refused?: Reason;
};

/** A reply as bytes, before compression. */
export type Letter = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly payload: Buffer;
};

export type Tools = {
  readonly store: Store;
  readonly key: string;
  /** Carries a request out without asking for a key. */
  readonly perform: (call: Call) => Reply;
  /** Ends early, by throwing, when the deployment closes. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Scratch space of this start. */
  readonly memory: Map<string, unknown>;
};

/** What is wrong with a broken deployment: wrapped around a conforming service, which knows nothing of it. */
export type Fault = {
  /** Judges the key; `honest` is the verdict of the conforming service. */
  readonly admits?: (call: Call, honest: boolean, tools: Tools) => boolean;
  readonly around?: (call: Call, next: (call: Call) => Reply, tools: Tools) => Reply | Promise<Reply>;
  readonly letter?: (letter: Letter, call: Call, reply: Reply) => Letter;
};
