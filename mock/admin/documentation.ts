import type { JsonSchema } from './schemas.ts';

/** What a reply carries: JSON of a schema, or another media type. */
export type ReplyDoc = {
  readonly description: string;
  readonly schema?: JsonSchema;
  readonly type?: string;
};

/** What the admin API's own OpenAPI document says of a route, and what its query is held to. */
export type RouteDoc = {
  /** operationId: stable, as clients are generated from it. */
  readonly id: string;
  readonly summary: string;
  /** What the summary has no room for. */
  readonly description: string;
  readonly tag: string;
  /** Query parameters beside `key`, which every route takes. */
  readonly query?: Readonly<Record<string, JsonSchema>>;
  /** Header parameters, beside the key. */
  readonly headers?: Readonly<Record<string, JsonSchema>>;
  readonly body?: JsonSchema;
  /** False where a body may be left out. */
  readonly bodyRequired?: boolean;
  /** Replies by status, beside the refusals that every route has. */
  readonly replies: Readonly<Record<number, ReplyDoc>>;
};

export const success = (description: string, schema: JsonSchema): Record<number, ReplyDoc> => ({
  200: { description, schema },
});

const number = (description: string, fallback: number, maximum: number, minimum = 0): JsonSchema => ({
  type: 'integer',
  minimum,
  maximum,
  default: fallback,
  description,
});

/** The parameters of a list in pages. */
export const paging = {
  start: number('How many of the newest to pass over.', 0, 999_999_999),
  limit: number('How many to return at most.', 50, 1000),
};

export const since = {
  since: {
    type: 'string',
    pattern: '^\\d{1,9}\\.\\d{1,15}$',
    'x-form': 'the cursor of an earlier reply, as it came',
    description: 'A cursor from an earlier reply: only what came after it.',
  },
};

/** The parameters of a wait. */
export const waiting = {
  count: number('How many must be there.', 1, 1000, 1),
  timeout_ms: number('How long to wait at most.', 10_000, 120_000),
  absent: {
    type: 'boolean',
    default: false,
    description: 'Turns the question round: success when not so many came within the time.',
  },
};

export const filterText = (description: string): JsonSchema => ({ type: 'string', description });
