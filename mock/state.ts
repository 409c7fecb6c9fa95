import { createHash } from 'node:crypto';
import { createOutbox, type Message, type Outbox } from './outbox.ts';
import { createOwnAnswers, type OwnAnswers } from './own-answers.ts';
import type { Answers } from './questions.ts';

/** A stored lead (§2.3) with both timestamps; replies show one of them each. */
export type Lead = {
  readonly lead_id: string;
  readonly name: string;
  readonly source: string;
  readonly note: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** A stored template (§2.2). */
export type Template = {
  readonly id: string;
  readonly name: string;
  readonly body: string;
  readonly variables: readonly string[];
  readonly created_at: string;
};

export type LeadFields = Pick<Lead, 'name' | 'source' | 'note'>;

/** What an update changes; `undefined` leaves a field as it is. */
export type LeadChanges = { readonly [Field in keyof LeadFields]: LeadFields[Field] | undefined };

/** All that belongs to one API key. Nothing in it is shared with another workspace. */
export type Workspace = {
  readonly key: string;
  readonly leads: ReadonlyMap<string, Lead>;
  readonly templates: ReadonlyMap<string, Template>;
  readonly outbox: Outbox;
  /** What it answers differently from the server; a reset puts all of it back. */
  readonly ownAnswers: OwnAnswers;
  /** The time of this workspace, ISO 8601 in UTC. */
  readonly now: () => string;
  readonly addLead: (fields: LeadFields, format: Answers['lead.id-format']) => Lead;
  /** The changed lead, or `undefined` where there is none of that id. */
  readonly updateLead: (id: string, changes: LeadChanges) => Lead | undefined;
  readonly deleteLead: (id: string) => boolean;
  readonly capture: (message: Omit<Message, 'id' | 'created_at'>) => Message;
  readonly saveTemplate: (template: Template) => void;
  readonly nextTemplateId: () => string;
  readonly deleteTemplate: (id: string) => boolean;
  /** Back to the seed; ids start over. */
  readonly reset: () => void;
};

export type WorkspaceOptions = {
  readonly key: string;
  readonly seed: readonly Template[];
  /** Messages kept at most; the oldest are dropped. */
  readonly outboxLimit: number;
};

/** The time on the wall, ISO 8601 in UTC. */
export const timeNow = (): string => new Date().toISOString();

/** An ISO 8601 time as the Date header of a mail writes it (RFC 5322). */
export const mailDate = (time: string): string => new Date(time).toUTCString().replace('GMT', '+0000');

/** Seconds since it was started. */
export const stopwatch = (): (() => number) => {
  const started = performance.now();
  return () => (performance.now() - started) / 1000;
};

/** A workspace that starts from its seed. The mock's only source of time, and of ids: the same calls give the same ids. */
export const createWorkspace = ({ key, seed, outboxLimit }: WorkspaceOptions): Workspace => {
  const leads = new Map<string, Lead>();
  const templates = new Map<string, Template>();
  const outbox = createOutbox(outboxLimit);
  const ownAnswers = createOwnAnswers();
  let lastLead = 0;
  let lastMessage = 0;
  const now = timeNow;

  const reset = (): void => {
    leads.clear();
    templates.clear();
    outbox.clear();
    ownAnswers.replace({});
    lastLead = 0;
    lastMessage = 0;
    for (const template of seed) templates.set(template.id, template);
  };
  reset();

  return {
    key,
    leads,
    templates,
    outbox,
    ownAnswers,
    now,
    reset,
    addLead: (fields, format) => {
      lastLead += 1;
      const time = now();
      // Field by field, here and below: spreading costs several times as much, and this is what a mock does most.
      const lead = {
        lead_id: leadId(format, key, lastLead),
        name: fields.name,
        source: fields.source,
        note: fields.note,
        created_at: time,
        updated_at: time,
      };
      leads.set(lead.lead_id, lead);
      return lead;
    },
    updateLead: (id, changes) => {
      const lead = leads.get(id);
      if (!lead) return undefined;
      const changed = {
        lead_id: id,
        name: changes.name ?? lead.name,
        source: changes.source ?? lead.source,
        note: changes.note ?? lead.note,
        created_at: lead.created_at,
        updated_at: now(),
      };
      leads.set(id, changed);
      return changed;
    },
    deleteLead: (id) => leads.delete(id),
    capture: (message) => {
      lastMessage += 1;
      const captured = { id: `msg_${padded(lastMessage)}`, ...message, created_at: now() };
      outbox.add(captured);
      return captured;
    },
    saveTemplate: (template) => void templates.set(template.id, template),
    nextTemplateId: () => {
      let id = templates.size + 1;
      while (templates.has(String(id))) id += 1;
      return String(id);
    },
    deleteTemplate: (id) => templates.delete(id),
  };
};

const padded = (number: number): string => String(number).padStart(6, '0');

// Looks random where a deployment's ids do, and is the same in every run all the same.
const digest = (key: string, number: number): Buffer =>
  createHash('sha256').update(`${key}\n${number}`).digest();

const leadId = (format: Answers['lead.id-format'], key: string, number: number): string => {
  if (format === 'integer') return String(number);
  if (format === 'opaque') return digest(key, number).toString('base64url').slice(0, 22);
  if (format === 'uuid') return uuid(digest(key, number).toString('hex'));
  return `lead_${padded(number)}`;
};

const uuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
