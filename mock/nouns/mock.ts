import type { Routes } from '../route/noun.ts';
import { list, object, success, text, textOrNull, wholeNumber } from '../route/schemas.ts';

export type WorkspaceSummary = {
  readonly key: string;
  readonly messages: number;
  readonly leads: number;
  readonly requests: number;
};

export type WorkspaceList = {
  /** The key of admin requests without one. */
  readonly default: string | null;
  /** Most recently used first. */
  readonly workspaces: readonly WorkspaceSummary[];
  readonly total: number;
  /** Number of requests without an accepted key that are kept. */
  readonly unclaimed: number;
};

/** What the mock knows about itself. */
export type MockStatus = {
  readonly health: () => Readonly<Record<string, string | number>>;
  readonly list: () => WorkspaceList;
  /** Describes the admin API. */
  readonly document: () => object;
};

/** The mock itself. No key is needed. */
export const mockRoutes = {
  'GET /health': {
    id: 'getHealth',
    summary: 'Check that the mock is ready (no key needed)',
    description:
      'For scripts that start the mock and wait until it is ready. `waiting` shows whether a client left a connection open.',
    keyless: true,
    replies: success(
      'The mock is ready.',
      object({
        status: { const: 'ok' },
        version: text,
        uptime_s: wholeNumber,
        workspaces: wholeNumber,
        workspaces_dropped: wholeNumber,
        waiting: { ...wholeNumber, description: 'Open waits and event streams.' },
        held_characters: { ...wholeNumber, description: 'What all workspaces hold together.' },
      }),
    ),
    run: ({ mock }) => mock.health(),
  },
  'GET /workspaces': {
    id: 'listWorkspaces',
    summary: 'List the workspaces, most recently used first (no key needed)',
    description:
      'One workspace per key in use. A key that does not begin with `test_` may be a real one: it is counted but not shown.',
    keyless: true,
    replies: success(
      'The workspaces of test keys; `total` counts all workspaces.',
      object({
        default: textOrNull,
        workspaces: list(
          object({ key: text, messages: wholeNumber, leads: wholeNumber, requests: wholeNumber }),
        ),
        total: wholeNumber,
        unclaimed: { ...wholeNumber, description: 'Requests without an accepted key that are kept.' },
      }),
    ),
    run: ({ mock }) => mock.list(),
  },
  'GET /openapi.json': {
    id: 'getDocument',
    summary: 'Get this OpenAPI document',
    description: 'Describes the requests and responses of the admin API.',
    keyless: true,
    replies: success('The OpenAPI 3.1 document.', { type: 'object' }),
    run: ({ mock }) => mock.document(),
  },
} satisfies Routes<{ readonly mock: MockStatus }>;
