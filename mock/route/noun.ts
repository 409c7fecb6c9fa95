import type { OperationName } from '../contract/operation-id.ts';
import type { Redact } from '../contract/redaction.ts';
import type { Answers } from '../generated/questions.ts';
import type { MessageFilter } from '../mail/template.ts';
import type { Arrivals, Signal, Waiting } from '../store/log.ts';
import type { Meter, Publish } from '../store/store.ts';
import type { JsonSchema } from '../validation/json-schema.ts';

/** The parameters of a query in the types of their schemas, with their defaults. A route has those that it describes. */
export type Query = MessageFilter & {
  readonly start: number;
  readonly limit: number;
  readonly since?: string;
  readonly count: number;
  readonly timeout_ms: number;
  readonly absent: boolean;
  readonly full: boolean;
  readonly unmatched: boolean;
  readonly seed: boolean;
  readonly operation?: OperationName;
  readonly method?: string;
  readonly path?: string;
  readonly status?: string;
  readonly images?: string;
};

/** A request to the admin API that passed the rules for callers, and is valid by the description of its route. */
export type AdminRequest = {
  /** The id in the path; empty for a path without one. */
  readonly id: string;
  readonly query: Query;
  readonly body: unknown;
  /** The URL of the mock as the client wrote it, without a path. */
  readonly base: string;
  /** Aborted when the client disconnects. */
  readonly signal: () => Signal;
};

/** Sends a response piece by piece until the client disconnects. Returns a function that stops. */
export type OpenStream = (send: (text: string) => void, end: () => void) => () => void;

/** A response that is not JSON, has a status of its own, or is a stream. */
export class RawReply {
  readonly body: string | OpenStream;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;

  constructor(body: string | OpenStream, headers: Readonly<Record<string, string>>, status = 200) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}

/** The content of a response: JSON with a schema, or another media type. */
export type ReplyDoc = {
  readonly description: string;
  readonly schema?: JsonSchema;
  readonly type?: string;
};

/** What a route does with the parts of a workspace, and what it takes. */
export type Handling<Parts> = {
  /** Query parameters in addition to `key`, which every route has. */
  readonly query?: Readonly<Record<string, JsonSchema>>;
  readonly body?: JsonSchema;
  /** False if the body is optional. */
  readonly bodyRequired?: boolean;
  /** Keeps the connection open, so it needs a persistent workspace even if it only reads. */
  readonly longLived?: boolean;
  /** Needs no key, and no workspace. */
  readonly keyless?: boolean;
  /** Returns JSON or a `RawReply`. @throws AdminError, StateError for the body, StoreFull */
  readonly run: (parts: Parts, request: AdminRequest) => object | Promise<object>;
};

/** A route of the admin API, with its description in `/__admin/openapi.json`, which also validates its query and body. */
export type Route<Parts> = Handling<Parts> & {
  /** operationId: must not change, because clients are generated from it. */
  readonly id: string;
  readonly summary: string;
  /** Details beside the summary. */
  readonly description: string;
  /** Responses by status, in addition to the error responses of every route. The first one is that of a success. */
  readonly replies: Readonly<Record<number, ReplyDoc>>;
};

/** Routes by method and path below `/__admin`: `GET /leads/{id}`. */
export type Routes<Parts> = Readonly<Record<string, Route<Parts>>>;

/** What the parts of a workspace are made with. */
export type PartSettings = {
  readonly key: string;
  readonly now: () => string;
  readonly redact: Redact;
  /** The server's. */
  readonly answers: Answers;
  /** The number of messages. */
  readonly outboxLimit: number;
  readonly waiting: Waiting;
  readonly arrivals: Arrivals;
  readonly meter: Meter;
  readonly publish: Publish;
  /** The highest number in an id so far, of what a state has counted. */
  readonly lastNumber: number;
};

/** A noun of the admin API, as a tag of its document. */
export type Noun<Parts> = {
  readonly name: string;
  readonly description: string;
  readonly routes: Routes<Parts>;
};

/** An error response of the admin API: `{error, message}` with this status. */
export class AdminError extends Error {
  readonly status: number;
  readonly hint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Fields of the response beside `error` and `message`. */
  readonly details: object;

  constructor(
    status: number,
    title: string,
    hint: string,
    headers: Readonly<Record<string, string>> = {},
    details: object = {},
  ) {
    super(title);
    this.name = 'AdminError';
    this.status = status;
    this.hint = hint;
    this.headers = headers;
    this.details = details;
  }
}

/** The item of a path. @throws AdminError 404 if it does not exist */
export const requireItem = <Item>(item: Item | undefined, problem: string, hint: string): Item => {
  if (item !== undefined) return item;
  throw new AdminError(404, problem, hint);
};
