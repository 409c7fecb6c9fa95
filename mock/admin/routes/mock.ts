import { limits } from '../../runtime/limits.ts';
import type { Workspaces } from '../../workspace/registry.ts';
import { success, tagged } from '../route.ts';
import { list, object, text, textOrNull, wholeNumber } from '../schemas.ts';

export const mockTag = { name: 'Mock', description: 'The mock itself.' };

const limitsOf = (
  { maxBytes, outboxBytes }: Pick<Workspaces, 'maxBytes' | 'outboxBytes'>,
  outboxLimit: number,
) => ({
  total_bytes: maxBytes,
  workspaces: limits.workspaces,
  waiting: limits.waiting,
  streams_bytes: limits.streamsBytes,
  transfer_bytes: limits.transferBytes,
  outbox_messages: outboxLimit,
  outbox_bytes: outboxBytes,
  journal_requests: limits.journalRequests,
  journal_bytes: limits.journalBytes,
  events_bytes: limits.eventsBytes,
  leads_bytes: limits.leadsBytes,
  request_bytes: limits.requestBytes,
  request_values: limits.requestValues,
  rendered_characters: limits.renderedCharacters,
  templates_bytes: limits.templatesBytes,
  template_placeholders: limits.templatePlaceholders,
  fault_rules: limits.faultRules,
  faults_bytes: limits.faultsBytes,
  seed_bytes: limits.seedBytes,
  state_bytes: limits.stateBytes,
  state_item_bytes: limits.stateItemBytes,
  state_item_values: limits.stateItemValues,
  event_bytes: limits.eventBytes,
});

const limitNames = Object.keys(limitsOf({ maxBytes: 0, outboxBytes: 0 }, 0));

const limitsSchema = {
  ...object(Object.fromEntries(limitNames.map((name) => [name, wholeNumber]))),
  description:
    'Maximum values. Bytes are memory (two per character), except `state_bytes` and `state_item_bytes`, which are bytes of JSON. `total_bytes`, `workspaces`, `waiting`, `streams_bytes` and `transfer_bytes` apply to the whole mock, the others to each workspace. The oldest messages, requests, events and workspaces are dropped; leads, templates and fault rules beyond a limit are refused with 507, states with 413.',
};

/** The mock is ready as soon as this route responds. No key is needed. */
export const healthRoutes = tagged(mockTag, [
  {
    method: 'GET',
    path: '/health',
    doc: {
      id: 'getHealth',
      summary: 'Check that the mock is ready (no key needed)',
      description:
        'For scripts that start the mock and wait until it is ready. `waiting` shows whether a client left a connection open.',
      replies: success(
        'The mock is ready.',
        object({
          status: { const: 'ok' },
          version: text,
          uptime_s: wholeNumber,
          workspaces: wholeNumber,
          workspaces_dropped: wholeNumber,
          waiting: { ...wholeNumber, description: 'Open waits and event streams.' },
          held_bytes: { ...wholeNumber, description: 'Memory of all workspaces together.' },
          streams_bytes: { ...wholeNumber, description: 'What event streams have not delivered yet.' },
          transfer_bytes: {
            ...wholeNumber,
            description: 'Large request bodies and responses that are under way, or that nobody reads.',
          },
          limits: limitsSchema,
          dropped: {
            ...object({ messages: wholeNumber, requests: wholeNumber }),
            description: 'Oldest messages and requests dropped at a limit, in the current workspaces.',
          },
        }),
      ),
    },
    run: ({ context: { version, uptime, workspaces, outboxLimit } }) => ({
      body: {
        status: 'ok',
        version,
        uptime_s: Math.floor(uptime()),
        workspaces: workspaces.size(),
        workspaces_dropped: workspaces.dropped(),
        waiting: workspaces.waiting(),
        held_bytes: workspaces.heldBytes(),
        streams_bytes: workspaces.streams.held,
        transfer_bytes: workspaces.transfers.held,
        limits: limitsOf(workspaces, outboxLimit),
        dropped: droppedIn(workspaces),
      },
    }),
  },
]);

const droppedIn = (workspaces: Workspaces) => {
  const dropped = { messages: 0, requests: workspaces.unclaimed.dropped() };
  for (const { outbox, journal } of workspaces.byRecentUse()) {
    dropped.messages += outbox.dropped();
    dropped.requests += journal.dropped();
  }
  return dropped;
};

const maxListed = 200;

/**
 * The workspaces, the most recently used first; no key is needed. A key that does not begin with `test_` may be real: it is
 * counted and not listed.
 */
export const workspaceRoutes = tagged(mockTag, [
  {
    method: 'GET',
    path: '/workspaces',
    doc: {
      id: 'listWorkspaces',
      summary: 'List the workspaces, most recently used first (no key needed)',
      description:
        'One workspace per key in use. A key that does not begin with `test_` may be a real one: it is counted but not shown.',
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
    },
    run: ({ context: { workspaces } }) => {
      const allWorkspaces = workspaces.byRecentUse();
      const listed = allWorkspaces.filter(({ key }) => key.startsWith('test_')).slice(0, maxListed);
      return {
        body: {
          default: workspaces.defaultKey ?? null,
          workspaces: listed.map(({ key, outbox, leads, journal }) => ({
            key,
            messages: outbox.size(),
            leads: leads.size,
            requests: journal.size(),
          })),
          total: allWorkspaces.length,
        },
      };
    },
  },
]);
