import { createHash } from 'node:crypto';
import { type Clock, createClock, isoTime } from './clock.ts';
import { createEvents, type Events } from './events.ts';
import { createFaults, type Faults } from './faults.ts';
import { createJournal, type Journal } from './journal.ts';
import { createLeadStore, type Lead, type LeadFields } from './lead-store.ts';
import { highest, numberAfter, padded } from './numbering.ts';
import { createOutbox, type Message, type Outbox } from './outbox.ts';
import { createOwnAnswers, type OwnAnswers } from './own-answers.ts';
import type { Answers } from './questions.ts';
import { elapsedMs, wallMs } from './real-time.ts';
import { type Shared, unshared } from './shelf.ts';
import { type Content, clockOf, completed, dated, messageId, type StateDocument } from './state-document.ts';
import { telling } from './telling.ts';
import type { Template } from './template.ts';

export type { Lead, LeadFields, Template };

/** What an update changes; `undefined` leaves a field as it is. */
export type LeadChanges = { readonly [Field in keyof LeadFields]: LeadFields[Field] | undefined };

/** All that belongs to one API key. Nothing in it is shared with another workspace. */
export type Workspace = {
  readonly key: string;
  readonly leads: ReadonlyMap<string, Lead>;
  readonly templates: ReadonlyMap<string, Template>;
  /** Another number after every change of the templates: what was made from them before is out of date. */
  readonly templatesVersion: () => number;
  readonly outbox: Outbox;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly events: Events;
  /** What it answers differently from the server; a reset puts all of it back. */
  readonly ownAnswers: OwnAnswers;
  /** The time of this workspace, ISO 8601 in UTC. */
  readonly now: () => string;
  readonly addLead: (fields: LeadFields, format: Answers['lead.id-format']) => Lead;
  /** The changed lead, or `undefined` where there is none of that id. */
  readonly updateLead: (id: string, changes: LeadChanges) => Lead | undefined;
  readonly deleteLead: (id: string) => boolean;
  /** A lead with the same name, source and note. */
  readonly findTwin: (fields: LeadFields) => Lead | undefined;
  readonly capture: (message: Omit<Message, 'id' | 'created_at'>) => Message;
  readonly saveTemplate: (template: Template) => void;
  /** An id that no template has or had. */
  readonly nextTemplateId: () => string;
  readonly deleteTemplate: (id: string) => boolean;
  /** All that is in it; the same as long as nothing changes. */
  readonly content: () => Content;
  /** This instead of what there is. The document must be sound, see `state-rules.ts`. */
  readonly load: (document: StateDocument) => void;
  /** The same, and what a reset goes back to from then on. */
  readonly reseed: (document: StateDocument) => void;
  /** Back to the seed; ids start over. */
  readonly reset: () => void;
  /** Lets go of all who wait or watch, when the mock stops or the workspace is dropped. */
  readonly end: (why: 'dropped' | 'stopping') => void;
};

export type WorkspaceOptions = {
  readonly key: string;
  readonly seed: StateDocument;
  /** Templates where neither the seed nor a state names any. */
  readonly templates: readonly Template[];
  /** Messages kept at most; the oldest are dropped. */
  readonly outboxLimit: number;
  /** The form of ids for leads of a seed that have none. */
  readonly idFormat?: Answers['lead.id-format'];
  /** Cursors of what it starts with are good for every workspace of this key and generation. */
  readonly generation?: number;
  readonly shared?: Shared;
};

/** The time on the wall, ISO 8601 in UTC. */
export const timeNow = (): string => isoTime(wallMs());

/** A clock that shows real time until it is changed. */
export const wallClock = (): Clock => createClock(wallMs);

/** A seed with the times it leaves out, by its own clock, as of now. */
export const datedSeed = (seed: StateDocument): StateDocument => {
  const clock = wallClock();
  clock.restore(clockOf(seed));
  return dated(seed, clock.now());
};

/** An ISO 8601 time as the Date header of a mail writes it (RFC 5322). */
export const mailDate = (time: string): string => new Date(time).toUTCString().replace('GMT', '+0000');

/** Seconds since it was started. */
export const stopwatch = (): (() => number) => {
  const started = elapsedMs();
  return () => (elapsedMs() - started) / 1000;
};

/** A workspace that starts from its seed. The mock's only source of time, and of ids: the same calls give the same ids. */
export const createWorkspace = (options: WorkspaceOptions): Workspace => {
  const { key, outboxLimit, shared = unshared() } = options;
  let { seed } = options;
  const leads = createLeadStore();
  const templates = new Map<string, Template>();
  let templatesVersion = 0;
  const events = createEvents(shared.room, shared.nextEpoch());
  const outbox = createOutbox(outboxLimit, shared);
  const journal = createJournal(shared, (summary) => events.publish('requests', summary));
  const faults = createFaults();
  const clock = wallClock();
  const ownAnswers = createOwnAnswers();
  const { now } = clock;
  let lastLead = 0;
  let lastTemplate = 0;
  let lastMessage = 0;

  const load = (document: StateDocument, epochs?: Epochs): void => {
    clock.restore(clockOf(document));
    const format = document.answers?.['lead.id-format'] ?? options.idFormat ?? 'prefixed';
    const content = completed(document, {
      templates: options.templates,
      now: now(),
      leadId: (number) => leadId(format, key, number),
    });
    leads.clear();
    for (const lead of content.leads) leads.put(lead);
    templates.clear();
    templatesVersion += 1;
    for (const template of content.templates) templates.set(template.id, template);
    faults.replace(content.faults);
    ownAnswers.replace(content.answers);
    lastLead = content.counters.leads;
    lastTemplate = content.counters.templates;
    lastMessage = content.counters.messages;
    outbox.load(content.outbox, epochs?.outbox);
    journal.load(content.requests, content.counters.requests, epochs?.journal);
    events.publish('reset', () => ({ leads: leads.byId.size, messages: outbox.size() }));
  };
  load(seed, firstEpochs(key, options.generation ?? 0));

  return {
    key,
    leads: leads.byId,
    templates,
    templatesVersion: () => templatesVersion,
    ...telling(events, { outbox, journal, faults, clock, ownAnswers }),
    events,
    now,
    load: (document) => load(document),
    reseed: (document) => {
      const own = datedSeed(document);
      load(own);
      seed = own;
    },
    reset: () => load(seed),
    content: () => ({
      leads: [...leads.byId.values()],
      templates: [...templates.values()],
      outbox: outbox.list().reverse(),
      requests: journal.all(),
      faults: faults.list(),
      clock: clock.setting(),
      answers: ownAnswers.given(),
      counters: {
        leads: lastLead,
        templates: lastTemplate,
        messages: lastMessage,
        requests: journal.lastNumber(),
      },
    }),
    addLead: (fields, format) => {
      const number = numberAfter(lastLead, (other) => leads.byId.has(leadId(format, key, other)));
      if (number > lastLead) lastLead = number;
      const time = now();
      // Field by field, here and below: spreading costs several times as much, and this is what a mock does most.
      const lead = {
        lead_id: leadId(format, key, number),
        name: fields.name,
        source: fields.source,
        note: fields.note,
        created_at: time,
        updated_at: time,
      };
      leads.put(lead);
      events.publish('leads', () => ({ change: 'added', lead_id: lead.lead_id }));
      return lead;
    },
    updateLead: (id, changes) => {
      const lead = leads.byId.get(id);
      if (!lead) return undefined;
      const changed = {
        lead_id: id,
        name: changes.name ?? lead.name,
        source: changes.source ?? lead.source,
        note: changes.note ?? lead.note,
        created_at: lead.created_at,
        updated_at: now(),
      };
      leads.put(changed);
      events.publish('leads', () => ({ change: 'updated', lead_id: id }));
      return changed;
    },
    deleteLead: (id) => {
      const gone = leads.remove(id);
      if (gone) events.publish('leads', () => ({ change: 'deleted', lead_id: id }));
      return gone;
    },
    findTwin: leads.twinOf,
    capture: (message) => {
      const number = numberAfter(lastMessage, (other) => outbox.get(messageId(other)) !== undefined);
      if (number > lastMessage) lastMessage = number;
      const captured = { id: messageId(number), ...message, created_at: now() };
      outbox.add(captured);
      events.publish('outbox', () => ({ change: 'added', ...withoutBody(captured) }));
      return captured;
    },
    saveTemplate: (template) => {
      const change = templates.has(template.id) ? 'updated' : 'added';
      templatesVersion += 1;
      // Not given out again once it is deleted: what was sent from it names it.
      lastTemplate = Math.max(lastTemplate, highest([template.id]));
      templates.set(template.id, template);
      events.publish('templates', () => ({ change, id: template.id }));
    },
    nextTemplateId: () => String(numberAfter(lastTemplate, (number) => templates.has(String(number)))),
    deleteTemplate: (id) => {
      templatesVersion += 1;
      const gone = templates.delete(id);
      if (gone) events.publish('templates', () => ({ change: 'deleted', id }));
      return gone;
    },
    end: (why) => {
      outbox.release(why);
      journal.release(why);
      events.end();
    },
  };
};

const withoutBody = ({ html: _html, variables: _variables, ...rest }: Message): object => rest;

// Looks random where a deployment's ids do, and is the same in every run all the same.
const digest = (key: string, number: number): Buffer =>
  createHash('sha256').update(`${key}\n${number}`).digest();

type Epochs = { readonly outbox: number; readonly journal: number };

// Far above those that are counted, and of no other key: see `cursor.ts`.
const firstEpochs = (key: string, generation: number): Epochs => {
  const bytes = digest(key, generation);
  const at = (offset: number): number => 500_000_000 + (bytes.readUInt32BE(offset) % 500_000_000);
  return { outbox: at(0), journal: at(4) };
};

const leadId = (format: Answers['lead.id-format'], key: string, number: number): string => {
  if (format === 'integer') return String(number);
  if (format === 'opaque') return digest(key, number).toString('base64url').slice(0, 22);
  if (format === 'uuid') return uuid(digest(key, number).toString('hex'));
  return `lead_${padded(number)}`;
};

const uuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
