import type { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import type { Workspace } from '../state.ts';
import type { RouteDoc } from './documentation.ts';

/** A request to the admin API that passed the safety rules (loopback, origin, media type, size). */
export type AdminRequest = {
  readonly workspace: Workspace;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  readonly context: Context;
  /** Aborted when the client is gone. */
  readonly signal: () => AbortSignal;
};

export type AdminReply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; a text or a stream as it is, under the `content-type` of `headers`. */
  readonly body: object | string | Readable;
};

/** One route of the admin API. A noun's file lists its routes; `admin/index.ts` serves them. */
export type AdminRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/__admin`, with `:name` for what varies. */
  readonly path: string;
  /** What the document at `/__admin/openapi.json` says of it; the page's own files are not in it. */
  readonly doc?: RouteDoc;
  /** Keeps its client waiting, and so needs the workspace that others use, also where it only reads. */
  readonly holds?: boolean;
  /** It holds its body to its schema itself, where a seed or a program's call is held to the same. */
  readonly checksBody?: boolean;
  /** Only reads, though its method does not say so. */
  readonly changesNothing?: boolean;
  /** Bytes of a body at most, where that is not the usual mebibyte. */
  readonly bodyLimit?: number;
  readonly run: (request: AdminRequest) => AdminReply | Promise<AdminReply>;
};

/** A refusal of the admin API: `{error, message}` with this status. */
export class AdminError extends Error {
  readonly status: number;
  readonly hint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What the reply carries beside `error` and `message`. */
  readonly details: object;

  constructor(
    status: number,
    what: string,
    hint: string,
    headers: Readonly<Record<string, string>> = {},
    details: object = {},
  ) {
    super(what);
    this.name = 'AdminError';
    this.status = status;
    this.hint = hint;
    this.headers = headers;
    this.details = details;
  }
}

/** The body as an object. */
export const objectBody = (
  body: unknown,
  hint = 'Send it as "Content-Type: application/json".',
): Readonly<Record<string, unknown>> => {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw new AdminError(400, 'body must be a JSON object', hint);
};
