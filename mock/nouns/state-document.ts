import type { Answers } from '../generated/questions.ts';
import type { Message, Template } from '../mail/template.ts';
import { createIdSource, leadId, messageId, numberOfId } from '../store/ids.ts';
import { lengthWithin, limits } from '../store/store.ts';
import { type ClockSetting, createClock, realTime } from './clock.ts';
import type { FaultRule, FaultState } from './fault-rules.ts';
import { faultBounds } from './faults.ts';
import type { JournalEntry } from './journal-entry.ts';
import { type Lead, leadBounds } from './leads.ts';
import { completeTemplates, type TemplateInput, templateBounds } from './templates.ts';

/** The highest number in the ids of each kind, for new ids. */
type Counters = {
  readonly leads: number;
  readonly templates: number;
  readonly messages: number;
  readonly requests: number;
};

/** The complete content of a workspace, as `GET /__admin/state` returns it. */
export type WorkspaceState = {
  readonly leads: readonly Lead[];
  readonly templates: readonly Template[];
  /** Oldest first, as `requests`. */
  readonly outbox: readonly Message[];
  readonly requests: readonly JournalEntry[];
  readonly faults: readonly (FaultRule & Partial<FaultState>)[];
  readonly clock: ClockSetting;
  readonly answers: Readonly<Partial<Answers>>;
  readonly counters: Counters;
};

type PartialExcept<Whole, Needed extends keyof Whole> = Pick<Whole, Needed> & Partial<Whole>;

/** A state as people write it. Omitted parts have the values of a new workspace, or follow from the other parts. */
export type StateDocument = {
  readonly $schema?: string;
  readonly leads?: readonly PartialExcept<Lead, 'name'>[];
  readonly templates?: readonly TemplateInput[];
  readonly outbox?: readonly PartialExcept<Message, 'operation'>[];
  readonly requests?: WorkspaceState['requests'];
  readonly faults?: WorkspaceState['faults'];
  readonly clock?:
    | { readonly frozen?: true; readonly now: string }
    | { readonly frozen: false; readonly offset_ms?: number };
  readonly answers?: WorkspaceState['answers'];
  readonly counters?: Partial<Counters>;
};

const clockOf = ({ clock }: StateDocument): ClockSetting => {
  if (!clock) return realTime;
  return 'now' in clock
    ? { frozen: true, now: clock.now }
    : { frozen: false, offset_ms: clock.offset_ms ?? 0 };
};

/** The time by the clock of a document. */
const timeOf = (document: StateDocument): string => {
  const clock = createClock();
  clock.restore(clockOf(document));
  return clock.now();
};

/** Adds missing timestamps to a seed, by its own clock, so that every workspace and reset has the same ones. */
export const withTimestamps = (seed: StateDocument): StateDocument => {
  const now = timeOf(seed);
  const date = <Item extends { readonly created_at?: string }>(item: Item) => ({ created_at: now, ...item });
  const { leads, templates, outbox } = seed;
  return {
    ...seed,
    ...(leads ? { leads: leads.map(date) } : {}),
    ...(templates ? { templates: templates.map(date) } : {}),
    ...(outbox ? { outbox: outbox.map(date) } : {}),
  };
};

/** Defaults for the parts that a document omits. */
export type StateDefaults = {
  readonly key: string;
  /** Templates if neither the seed nor a state contains any. */
  readonly templates: readonly Template[];
  /** The form of ids for leads of a seed without one. */
  readonly idFormat: Answers['lead.id-format'];
  /** Highest number of messages; older ones are left out. */
  readonly outboxLimit: number;
};

const highest = (items: readonly { readonly id: string }[], counted = 0): number =>
  items.reduce((most, { id }) => Math.max(most, numberOfId(id)), counted);

/** Fills in all omitted parts of a valid document. @throws StoreFull if a store has no room for it */
export const completeState = (
  document: StateDocument,
  { key, templates: defaultTemplates, idFormat, outboxLimit }: StateDefaults,
): WorkspaceState => {
  const { leads = [], outbox = [], requests = [], faults = [], answers = {}, counters = {} } = document;
  const now = timeOf(document);
  const format = answers['lead.id-format'] ?? idFormat;
  const newLeads = createIdSource(
    leads.map(({ lead_id }) => lead_id),
    (number) => leadId(format, key, number),
    counters.leads,
  );
  const newMessages = createIdSource(
    outbox.map(({ id }) => id),
    messageId,
    counters.messages,
  );
  const templates = document.templates
    ? completeTemplates(document.templates, now, counters.templates)
    : defaultTemplates;
  const state = {
    leads: leads.map((lead) => ({
      lead_id: lead.lead_id ?? newLeads.next(),
      name: lead.name,
      source: lead.source ?? '',
      note: lead.note ?? '',
      created_at: lead.created_at ?? now,
      updated_at: lead.updated_at ?? lead.created_at ?? now,
    })),
    templates,
    outbox: outbox.slice(-outboxLimit).map((message) => ({
      id: message.id ?? newMessages.next(),
      operation: message.operation,
      request_id: message.request_id ?? null,
      to: message.to ?? null,
      from: message.from ?? null,
      subject: message.subject ?? null,
      html: message.html ?? null,
      template_id: message.template_id ?? null,
      variables: message.variables ?? null,
      created_at: message.created_at ?? now,
    })),
    requests: requests.slice(-limits.journalRequests),
    faults,
    clock: clockOf(document),
    answers,
    counters: {
      leads: newLeads.last(),
      templates: highest(templates, counters.templates),
      messages: newMessages.last(),
      requests: highest(requests, counters.requests),
    },
  };
  lengthWithin(leadBounds, state.leads);
  lengthWithin(templateBounds, templates);
  lengthWithin(faultBounds, faults);
  return state;
};
