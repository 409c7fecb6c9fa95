import { createFaults, type FaultRule, faultRoutes } from '../faults/faults.ts';
import defaultSeed from '../mail/default-seed.json' with { type: 'json' };
import type { Explain } from '../route/logs.ts';
import type { Noun, PartSettings } from '../route/noun.ts';
import type { Publish } from '../store/store.ts';
import { compileJsonSchema } from '../validation/json-schema.ts';
import { checkSchema, StateError } from '../validation/schema-errors.ts';
import schema from '../validation/seed.schema.json' with { type: 'json' };
import { answerRoutes, createAnswers } from './answers.ts';
import { clockRoutes, createClock } from './clock.ts';
import { type Events, eventRoutes } from './events.ts';
import { createJournal, type Journal } from './journal.ts';
import { createLeads, leadRoutes } from './leads.ts';
import { type MockStatus, mockRoutes } from './mock.ts';
import { createOutbox, outboxRoutes } from './outbox.ts';
import { requestRoutes } from './requests.ts';
import { type StateDocument, stateRoutes, type WholeWorkspace, type WorkspaceState } from './state.ts';
import { createTemplates, templateRoutes } from './templates.ts';

/** The part of the state that changed; `reset`: all of it. */
export type EventKind = Exclude<keyof WorkspaceState, 'counters'> | 'reset';

/** What the parts of a workspace hold that a state contains. */
export type Contents = ReturnType<typeof createContents>;

/** The parts of a workspace that the routes use. */
export type Parts = Contents & {
  readonly events: Events;
  /** Everything at once. */
  readonly whole: WholeWorkspace;
  /** Requests without an accepted key, of all workspaces. */
  readonly unclaimed: Journal;
  readonly explain: Explain;
  readonly mock: MockStatus;
};

const validate = compileJsonSchema(schema);
const validateRules = compileJsonSchema(schema.properties.faults, schema);

/** Validates fault rules by their schema. @throws StateError with a pointer that begins with `/rules` */
export const checkFaultRules = (rules: unknown): FaultRule[] => {
  checkSchema(validateRules, rules, '/rules');
  return rules as FaultRule[];
};

/** Validates a state or seed by `seed.schema.json`. @throws StateError for the first violation */
export const checkState = (value: unknown): StateDocument => {
  checkSchema(validate, value);
  return value as StateDocument;
};

export type ContentSettings = Omit<PartSettings, 'now' | 'publish' | 'lastNumber'> & {
  /** Publishes the changes of a part. */
  readonly publisher: (kind: EventKind) => Publish;
};

const idFields = { leads: 'lead_id', templates: 'id', outbox: 'id', requests: 'id' } as const;

/** @throws StateError for an id that is there twice */
const checkIds = (document: StateDocument): void => {
  for (const [name, field] of Object.entries(idFields)) {
    const items = (document[name as keyof typeof idFields] ?? []) as readonly Record<string, unknown>[];
    const used = new Set<unknown>();
    for (const [index, { [field]: id }] of items.entries()) {
      if (used.has(id)) throw new StateError(`/${name}/${index}/${field}`, 'is there twice');
      if (id !== undefined) used.add(id);
    }
  }
};

/** The parts of a workspace with a state. @throws StateError for what its schema cannot express, StoreFull */
export const createContents = (document: StateDocument, { publisher, ...settings }: ContentSettings) => {
  checkIds(document);
  const { counters = {}, answers } = document;
  // All others take the time from it.
  const clock = createClock({ publish: publisher('clock') }, document.clock);
  const own = (kind: EventKind, lastNumber = 0): PartSettings => ({
    ...settings,
    now: clock.now,
    publish: publisher(kind),
    lastNumber,
  });
  const idFormat = answers?.['lead.id-format'] ?? settings.answers['lead.id-format'];
  return {
    leads: createLeads(own('leads', counters.leads), document.leads, idFormat),
    templates: createTemplates(
      own('templates', counters.templates),
      document.templates ?? defaultSeed.templates,
    ),
    outbox: createOutbox(own('outbox', counters.messages), document.outbox),
    requests: createJournal(own('requests', counters.requests), document.requests),
    faults: createFaults(own('faults'), document.faults),
    clock,
    answers: createAnswers(own('answers'), answers),
  };
};

/** The state that a workspace has now. */
export const saveState = ({ clock, answers, faults, ...stores }: Contents): WorkspaceState => ({
  leads: stores.leads.all(),
  templates: stores.templates.all(),
  outbox: stores.outbox.all(),
  requests: stores.requests.all(),
  faults: faults.list(),
  clock: clock.setting(),
  answers: answers.overrides(),
  counters: {
    leads: stores.leads.lastNumber(),
    templates: stores.templates.lastNumber(),
    messages: stores.outbox.lastNumber(),
    requests: stores.requests.lastNumber(),
  },
});

/** The nouns of the admin API: one file for each, with its state and its routes. */
export const nouns: readonly Noun<Parts>[] = [
  { name: 'Mock', description: 'The mock itself.', routes: mockRoutes },
  { name: 'State', description: 'The complete state of the workspace, and its seed.', routes: stateRoutes },
  { name: 'Outbox', description: 'Messages captured instead of sent.', routes: outboxRoutes },
  { name: 'Templates', description: 'Email templates.', routes: templateRoutes },
  { name: 'Leads', description: 'Stored leads.', routes: leadRoutes },
  { name: 'Answers', description: 'Answers to the open questions, per workspace.', routes: answerRoutes },
  {
    name: 'Requests',
    description: 'The journal: requests, responses, and the reason for each error response.',
    routes: requestRoutes,
  },
  { name: 'Faults', description: 'Fault injection.', routes: faultRoutes },
  { name: 'Clock', description: 'The time of the workspace.', routes: clockRoutes },
  { name: 'Events', description: 'A live stream of changes in the workspace.', routes: eventRoutes },
];
