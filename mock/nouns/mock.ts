import type { Routes } from '../route/noun.ts';
import { list, object, success, text, textOrNull, wholeNumber } from '../route/schemas.ts';
import { limits } from '../store/store.ts';

/** What the mock knows about itself. */
export type MockStatus = {
  readonly version: string;
  /** Seconds since the mock was made. */
  readonly uptime: () => number;
  /** Number of workspaces, and of those dropped because there were too many. */
  readonly size: () => number;
  readonly dropped: () => number;
  /** Number of open waits and event streams. */
  readonly waiting: () => number;
  /** Characters of all workspaces. */
  readonly held: () => number;
  readonly outboxBounds: { readonly count: number; readonly length: number };
  /** Oldest messages and requests dropped at a limit, in the current workspaces. */
  readonly droppedItems: () => { readonly messages: number; readonly requests: number };
  /** The key of admin requests without one. */
  readonly defaultKey: string | undefined;
  /** Most recently used first. */
  readonly summaries: () => readonly WorkspaceSummary[];
};

export type WorkspaceSummary = {
  readonly key: string;
  readonly messages: number;
  readonly leads: number;
  readonly requests: number;
};

export type WorkspaceList = {
  /** The key of admin requests without one. */
  readonly default: string | null;
  readonly workspaces: readonly WorkspaceSummary[];
  readonly total: number;
};

const limitsOf = ({ count, length }: MockStatus['outboxBounds']) => ({
  total_characters: limits.totalLength,
  workspaces: limits.workspaces,
  waiting: limits.waiting,
  outbox_messages: count,
  outbox_characters: length,
  journal_requests: limits.journalRequests,
  journal_characters: limits.journalLength,
  events: limits.events,
  events_characters: limits.eventsLength,
  event_characters: limits.eventLength,
  stream_characters: limits.streamLength,
  leads: limits.leads,
  leads_characters: limits.leadsLength,
  templates: limits.templates,
  templates_characters: limits.templatesLength,
  template_placeholders: limits.templatePlaceholders,
  fault_rules: limits.faultRules,
  fault_rules_characters: limits.faultRulesLength,
  request_bytes: limits.requestBytes,
  request_values: limits.requestValues,
  rendered_characters: limits.renderedCharacters,
  state_bytes: limits.stateBytes,
  state_values: limits.stateValues,
});

const limitsSchema = {
  ...object(
    Object.fromEntries(Object.keys(limitsOf({ count: 0, length: 0 })).map((name) => [name, wholeNumber])),
  ),
  description:
    'Maximum values. `total_characters`, `workspaces` and `waiting` apply to the whole mock, `event_characters` and `stream_characters` to each event and stream, the others to each workspace, request or state. The oldest messages, requests and events are dropped, and of the whole mock the least recently used workspaces; leads, templates and fault rules beyond a limit are refused with 507, states with 413.',
};

const maxListed = 200;

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
        limits: limitsSchema,
        dropped: {
          ...object({ messages: wholeNumber, requests: wholeNumber }),
          description: 'Oldest messages and requests dropped at a limit, in the current workspaces.',
        },
      }),
    ),
    run: ({ mock }) => ({
      status: 'ok',
      version: mock.version,
      uptime_s: Math.floor(mock.uptime()),
      workspaces: mock.size(),
      workspaces_dropped: mock.dropped(),
      waiting: mock.waiting(),
      held_characters: mock.held(),
      limits: limitsOf(mock.outboxBounds),
      dropped: mock.droppedItems(),
    }),
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
      }),
    ),
    run: ({ mock }): WorkspaceList => ({
      default: mock.defaultKey ?? null,
      workspaces: mock
        .summaries()
        .filter(({ key }) => key.startsWith('test_'))
        .slice(0, maxListed),
      total: mock.size(),
    }),
  },
} satisfies Routes<{ readonly mock: MockStatus }>;
