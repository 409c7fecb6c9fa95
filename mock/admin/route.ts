import type { Context } from '../context.ts';
import type { Workspace } from '../state.ts';

/** A request to the admin API that passed the safety rules (loopback, origin, media type, size). */
export type AdminRequest = {
  readonly workspace: Workspace;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  readonly context: Context;
};

export type AdminReply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; a text as it is, under the `content-type` of `headers`. */
  readonly body: object | string;
};

/** One route of the admin API. A noun's file lists its routes; `admin/index.ts` serves them. */
export type AdminRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/__admin`, with `:name` for what varies. */
  readonly path: string;
  readonly run: (request: AdminRequest) => AdminReply | Promise<AdminReply>;
};

/** A refusal of the admin API: `{error, message}` with this status. */
export class AdminError extends Error {
  readonly status: number;
  readonly hint: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, what: string, hint: string, headers: Readonly<Record<string, string>> = {}) {
    super(what);
    this.name = 'AdminError';
    this.status = status;
    this.hint = hint;
    this.headers = headers;
  }
}

/** A whole number from the query. */
export const wholeNumber = (
  query: AdminRequest['query'],
  name: string,
  fallback: number,
  most: number,
): number => {
  const text = query[name];
  if (text === undefined) return fallback;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= most) return number;
  throw new AdminError(
    400,
    `query/${name} must be a whole number from 0 to ${most}`,
    `Leave it out for ${fallback}.`,
  );
};

/** The body as an object. */
export const objectBody = (body: unknown): Readonly<Record<string, unknown>> => {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw new AdminError(400, 'body must be a JSON object', 'Send it as "Content-Type: application/json".');
};
