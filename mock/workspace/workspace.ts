import type { Answers } from '../contract/questions.ts';
import type { Message, Template } from '../mail/template.ts';
import { createAccount, limits } from '../runtime/limits.ts';
import { runAtOnce } from '../runtime/timers.ts';
import { type AnswerOverrides, createAnswerOverrides } from './answers.ts';
import {
  createUnsharedResources,
  type LogItems,
  type SharedResources,
  type StoreResources,
} from './bounded-log.ts';
import { type Clock, wallClock } from './clock.ts';
import { createEvents, type Elsewhere, type Events, publishChanges } from './events.ts';
import { createFaults, type Faults } from './faults.ts';
import { createIdNumbers, type Epochs, initialEpochs, leadId, messageId } from './ids.ts';
import { createJournal, type Journal } from './journal.ts';
import type { JournalEntry } from './journal-entry.ts';
import { createLeadStore, type Lead, type LeadChanges, type LeadFields } from './leads.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import {
  type LazyState,
  type PreparedSeed,
  type PreparedState,
  prepareSeedInSteps,
  prepareStateInSteps,
  type StateDefaults,
  type StateDocument,
  type WorkspaceState,
} from './snapshot.ts';
import { createTemplateStore } from './templates.ts';

/** A prepared state without the oldest messages and requests, if the workspace has no room for them. */
type LoadableState = PreparedState & {
  readonly messages: LogItems<Message>;
  readonly requests: LogItems<JournalEntry>;
};

/** All data of one API key. Workspaces share no data. */
export type Workspace = {
  readonly key: string;
  readonly leads: ReadonlyMap<string, Lead>;
  readonly templates: ReadonlyMap<string, Template>;
  /** Changes with every change of the templates, for caches. */
  readonly templatesVersion: () => number;
  readonly outbox: Outbox;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly events: Events;
  /** Answers that differ from the server's. A reset restores those of the seed. */
  readonly answerOverrides: AnswerOverrides;
  /** The time of this workspace, ISO 8601 in UTC. */
  readonly now: () => string;
  readonly addLead: (fields: LeadFields, format: Answers['lead.id-format']) => Lead;
  /** Returns the changed lead, or `undefined` for an unknown id. */
  readonly updateLead: (id: string, changes: LeadChanges) => Lead | undefined;
  readonly deleteLead: (id: string) => boolean;
  /** A lead with the same name, source and note. */
  readonly findDuplicate: (fields: LeadFields) => Lead | undefined;
  readonly capture: (message: Omit<Message, 'id' | 'created_at'>) => Message;
  readonly saveTemplate: (template: Template) => void;
  /** An id that no template has or has had. */
  readonly nextTemplateId: () => string;
  readonly deleteTemplate: (id: string) => boolean;
  /** The complete state. Equal as long as nothing changes. */
  readonly exportState: () => WorkspaceState;
  /** The complete state for reading in steps: requests are formatted one by one. */
  readonly exportLazily: () => LazyState;
  /**
   * Prepares a document for `load`: fills in omitted parts. The document must be valid, see `checkState`.
   * @throws StorageFull if a store has no room for it
   */
  readonly prepareInSteps: (document: StateDocument) => Generator<undefined, LoadableState>;
  /** Prepares the seed for `load`, for a reset. */
  readonly prepareSeedInSteps: () => Generator<undefined, LoadableState>;
  /** Replaces the content by a prepared state. Later resets use `seed`, if it is passed. */
  readonly load: (prepared: LoadableState, seed?: PreparedSeed) => void;
  /** Replaces the content and the seed for later resets by a document. @throws StorageFull with nothing changed */
  readonly reseed: (document: StateDocument) => void;
  /** Restores the seed; ids restart. */
  readonly reset: () => void;
  /** Bytes of memory that its content takes. */
  readonly heldBytes: () => number;
  /** Ends open waits and event streams, when the mock stops. */
  readonly close: () => void;
  /** Ends open waits and event streams and gives back its memory, when the workspace is dropped. */
  readonly drop: () => void;
};

type WorkspaceOptions = StateDefaults & {
  /** Its initial state. Changes if the seed of the server is replaced. */
  readonly seed: StateDocument;
  /** Highest number of messages; the oldest are dropped. */
  readonly outboxLimit: number;
  /** Highest number of bytes of messages. */
  readonly outboxBytes?: number | undefined;
  /** Initial cursors are valid for every workspace of the same key and generation. */
  readonly generation?: number;
  readonly shared?: SharedResources;
  readonly elsewhere?: Elsewhere;
};

/** Creates a workspace from its seed. It is the only source of time and ids: the same calls give the same ids. */
export const createWorkspace = (options: WorkspaceOptions): Workspace => {
  const { key, outboxLimit, outboxBytes = limits.outboxBytes, shared = createUnsharedResources() } = options;
  const account = createAccount(shared.budget);
  const resources: StoreResources = { ...shared, account };
  let ownSeed: StateDocument | undefined;
  const seed = (): StateDocument => ownSeed ?? options.seed;
  let seedHeld = 0;
  const leads = createLeadStore(account);
  const templates = createTemplateStore(account);
  const events = createEvents(resources, shared.nextEpoch(), options.elsewhere);
  const outbox = createOutbox(outboxLimit, resources, outboxBytes);
  const journal = createJournal(resources, (summary) => events.publish('requests', summary));
  const faults = createFaults(account);
  const clock = wallClock();
  const answerOverrides = createAnswerOverrides();
  const { now } = clock;
  const messageNumbers = createIdNumbers();
  account.charge(overhead);

  const prepareInSteps = function* (document: StateDocument): Generator<undefined, LoadableState> {
    const { content, leadMap } = yield* prepareStateInSteps(document, options);
    const messages = yield* outbox.fitInSteps(content.outbox);
    const requests = yield* journal.fitInSteps(content.requests);
    const fittedContent = { ...content, outbox: messages.items, requests: requests.items };
    return { content: fittedContent, leadMap, messages, requests };
  };
  const load = ({ content, leadMap, messages, requests }: LoadableState, epochs?: Epochs): void => {
    clock.restore(content.clock);
    leads.load(leadMap, content.counters.leads);
    templates.load(content.templates, content.counters.templates);
    faults.replace(content.faults);
    answerOverrides.replace(content.answers);
    messageNumbers.restart(content.counters.messages);
    outbox.load(messages, epochs?.outbox);
    journal.load(requests, content.counters.requests, epochs?.journal);
    account.settle();
    events.forget();
    events.publish('reset', () => ({ leads: leads.byId().size, messages: outbox.size() }));
  };
  const release = (reason: 'dropped' | 'stopping'): void => {
    outbox.release(reason);
    journal.release(reason);
    events.end();
  };
  load(runAtOnce(prepareInSteps(seed())), initialEpochs(key, options.generation ?? 0));

  const keepAsSeed = ({ document, bytes }: PreparedSeed): void => {
    ownSeed = document;
    account.charge(bytes - seedHeld);
    seedHeld = bytes;
  };
  const exportLazily = (): LazyState => ({
    leads: [...leads.byId().values()],
    templates: [...templates.byId.values()],
    outbox: outbox.list().reverse(),
    requests: journal.each(),
    faults: faults.list(),
    clock: clock.setting(),
    answers: answerOverrides.values(),
    counters: {
      leads: leads.lastNumber(),
      templates: templates.lastNumber(),
      messages: messageNumbers.last(),
      requests: journal.lastNumber(),
    },
  });

  return {
    key,
    get leads() {
      return leads.byId();
    },
    templates: templates.byId,
    templatesVersion: templates.version,
    ...publishChanges(events, { outbox, journal, faults, clock, answerOverrides }),
    events,
    now,
    prepareInSteps,
    prepareSeedInSteps: () => prepareInSteps(seed()),
    load: (prepared, newSeed) => {
      if (newSeed) keepAsSeed(newSeed);
      load(prepared);
    },
    reseed: (document) => {
      const newSeed = runAtOnce(prepareSeedInSteps(document));
      const prepared = runAtOnce(prepareInSteps(newSeed.document));
      keepAsSeed(newSeed);
      load(prepared);
    },
    reset: () => load(runAtOnce(prepareInSteps(seed()))),
    exportLazily,
    exportState: () => {
      const state = exportLazily();
      return { ...state, requests: [...state.requests] };
    },
    addLead: (fields, format) => {
      const lead = leads.add(fields, (number) => leadId(format, key, number), now());
      events.publish('leads', () => ({ change: 'added', lead_id: lead.lead_id }));
      return lead;
    },
    updateLead: (id, changes) => {
      const lead = leads.update(id, changes, now());
      if (lead) events.publish('leads', () => ({ change: 'updated', lead_id: id }));
      return lead;
    },
    deleteLead: (id) => {
      const deleted = leads.remove(id);
      if (deleted) events.publish('leads', () => ({ change: 'deleted', lead_id: id }));
      return deleted;
    },
    findDuplicate: leads.findDuplicate,
    capture: (message) => {
      const number = messageNumbers.next();
      messageNumbers.use(number);
      const captured = { id: messageId(number), ...message, created_at: now() };
      outbox.add(captured);
      events.publish('outbox', () => ({ change: 'added', ...withoutBody(captured) }));
      return captured;
    },
    saveTemplate: (template) => {
      const change = templates.byId.has(template.id) ? 'updated' : 'added';
      templates.put(template);
      events.publish('templates', () => ({ change, id: template.id }));
    },
    nextTemplateId: templates.nextId,
    deleteTemplate: (id) => {
      const deleted = templates.remove(id);
      if (deleted) events.publish('templates', () => ({ change: 'deleted', id }));
      return deleted;
    },
    heldBytes: account.held,
    close: () => release('stopping'),
    drop: () => {
      release('dropped');
      account.close();
    },
  };
};

// Bytes of memory for each workspace, in addition to its stores.
const overhead = 12 * 1024;

const withoutBody = ({ html: _html, variables: _variables, ...rest }: Message): object => rest;
