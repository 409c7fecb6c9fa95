import { type ClockSetting, realTime } from './clock.ts';
import type { FaultRule, FaultState } from './faults.ts';
import type { Answers } from './generated/questions.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { Lead } from './lead-store.ts';
import type { Message } from './message.ts';
import { highest, numberAfter, padded } from './numbering.ts';
import { placeholdersOf } from './substitute.ts';
import type { Template } from './template.ts';

/** The highest number each ever had in an id, for the ids to come. */
export type Counters = {
  readonly leads: number;
  readonly templates: number;
  readonly messages: number;
  readonly requests: number;
};

/** All that is in a workspace: what `GET /__admin/state` returns. */
export type Content = {
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

type Loosely<Whole, Needed extends keyof Whole> = Pick<Whole, Needed> & Partial<Whole>;

/** A state as people write it: what is left out is as in a workspace that nobody touched, or follows from the rest. */
export type StateDocument = {
  readonly $schema?: string;
  readonly leads?: readonly Loosely<Lead, 'name'>[];
  readonly templates?: readonly Loosely<Template, 'name' | 'body'>[];
  readonly outbox?: readonly Loosely<Message, 'operation'>[];
  readonly requests?: Content['requests'];
  readonly faults?: Content['faults'];
  readonly clock?:
    | { readonly frozen?: true; readonly now: string }
    | { readonly frozen: false; readonly offset_ms?: number };
  readonly answers?: Content['answers'];
  readonly counters?: Partial<Counters>;
};

type Defaults = {
  readonly templates: readonly Template[];
  readonly now: string;
  readonly leadId: (number: number) => string;
};

export const clockOf = ({ clock }: StateDocument): ClockSetting => {
  if (!clock) return realTime;
  return 'now' in clock
    ? { frozen: true, now: clock.now }
    : { frozen: false, offset_ms: clock.offset_ms ?? 0 };
};

/** The document with the times it leaves out: one that is started from again and again has the same ones every time. */
export const dated = (document: StateDocument, now: string): StateDocument => {
  const at = <Item extends { readonly created_at?: string }>(item: Item) => ({
    ...item,
    created_at: item.created_at ?? now,
  });
  const { leads, templates, outbox } = document;
  return {
    ...document,
    ...(leads ? { leads: leads.map(at) } : {}),
    ...(templates ? { templates: templates.map(at) } : {}),
    ...(outbox ? { outbox: outbox.map(at) } : {}),
  };
};

/** The document with everything filled in that it leaves out. */
export const completed = (document: StateDocument, { now, ...defaults }: Defaults): Content => {
  const { leads = [], outbox = [], requests = [], faults = [], answers = {}, counters = {} } = document;
  const newLeads = newIds(
    counters.leads,
    leads.map(({ lead_id }) => lead_id),
    defaults.leadId,
  );
  const newMessages = newIds(
    counters.messages,
    outbox.map(({ id }) => id),
    messageId,
  );
  const templates = document.templates
    ? named(document.templates, now, counters.templates)
    : defaults.templates;
  return {
    leads: leads.map((lead) => ({
      lead_id: lead.lead_id ?? newLeads.next(),
      name: lead.name,
      source: lead.source ?? '',
      note: lead.note ?? '',
      created_at: lead.created_at ?? now,
      updated_at: lead.updated_at ?? lead.created_at ?? now,
    })),
    templates,
    outbox: outbox.map((message) => ({
      id: message.id ?? newMessages.next(),
      operation: message.operation,
      to: message.to ?? null,
      from: message.from ?? null,
      subject: message.subject ?? null,
      html: message.html ?? null,
      template_id: message.template_id ?? null,
      variables: message.variables ?? null,
      created_at: message.created_at ?? now,
    })),
    requests,
    faults,
    clock: clockOf(document),
    answers,
    counters: {
      leads: newLeads.last(),
      templates: Math.max(counters.templates ?? 0, highest(templates.map(({ id }) => id))),
      messages: newMessages.last(),
      requests: Math.max(counters.requests ?? 0, highest(requests.map(({ id }) => id))),
    },
  };
};

// Numbers between those that are given are used too: a template that is written first is to be 1.
const named = (templates: NonNullable<StateDocument['templates']>, now: string, counted = 0): Template[] => {
  const taken = new Set(templates.map(({ id }) => id));
  const isTaken = (number: number): boolean => taken.has(String(number));
  let last = counted;
  const next = (): string => {
    do last = numberAfter(last, isTaken);
    while (isTaken(last));
    taken.add(String(last));
    return String(last);
  };
  return templates.map(({ id = next(), name, body, created_at = now }) => ({
    id,
    name,
    body,
    variables: placeholdersOf(body),
    created_at,
  }));
};

/** Ids for what has none, after all that there are. */
const newIds = (
  counted: number | undefined,
  given: readonly (string | undefined)[],
  idOf: (number: number) => string,
): { next: () => string; last: () => number } => {
  const taken = new Set(given);
  let last = Math.max(counted ?? 0, highest(given));
  return {
    next: () => {
      const number = numberAfter(last, (other) => taken.has(idOf(other)));
      last = Math.max(last, number);
      taken.add(idOf(number));
      return idOf(number);
    },
    last: () => last,
  };
};

export const messageId = (number: number): string => `msg_${padded(number)}`;
