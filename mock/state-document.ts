import { type ClockSetting, realTime } from './clock.ts';
import type { FaultRule, FaultState } from './faults.ts';
import type { Answers } from './generated/questions.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { Lead } from './lead-store.ts';
import type { Message } from './message.ts';
import { placeholdersOf } from './substitute.ts';
import type { Template } from './template.ts';

/** How many of each there ever were, for the ids to come. */
export type Counters = { readonly leads: number; readonly messages: number; readonly requests: number };

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

/** The document with everything filled in that it leaves out. */
export const completed = (document: StateDocument, { now, ...defaults }: Defaults): Content => {
  const { leads = [], outbox = [], requests = [], faults = [], answers = {}, counters = {} } = document;
  const lastLead = Math.max(counters.leads ?? 0, highest(leads.map(({ lead_id }) => lead_id)));
  const lastMessage = Math.max(counters.messages ?? 0, highest(outbox.map(({ id }) => id)));
  const newLeads = numbers(lastLead);
  const newMessages = numbers(lastMessage);
  return {
    leads: leads.map((lead) => ({
      lead_id: lead.lead_id ?? defaults.leadId(newLeads.next()),
      name: lead.name,
      source: lead.source ?? '',
      note: lead.note ?? '',
      created_at: lead.created_at ?? now,
      updated_at: lead.updated_at ?? lead.created_at ?? now,
    })),
    templates: document.templates ? named(document.templates, now) : defaults.templates,
    outbox: outbox.map((message) => ({
      id: message.id ?? messageId(newMessages.next()),
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
      messages: newMessages.last(),
      requests: Math.max(counters.requests ?? 0, highest(requests.map(({ id }) => id))),
    },
  };
};

const named = (templates: NonNullable<StateDocument['templates']>, now: string): Template[] => {
  const ids = new Set(templates.map(({ id }) => id));
  let free = 0;
  return templates.map(({ id, name, body, created_at = now }) => {
    while (id === undefined && (free === 0 || ids.has(String(free)))) free += 1;
    const own = id ?? String(free);
    ids.add(own);
    return { id: own, name, body, variables: placeholdersOf(body), created_at };
  });
};

const numbers = (start: number): { next: () => number; last: () => number } => {
  let last = start;
  return {
    next: () => {
      last += 1;
      return last;
    },
    last: () => last,
  };
};

/** The highest number among ids of the forms the mock gives out, so that none is given out twice. */
const highest = (ids: readonly (string | undefined)[]): number => {
  let most = 0;
  for (const id of ids) {
    const [, number] = /^(?:lead_|msg_|req_)?(\d{1,15})$/.exec(id ?? '') ?? [];
    if (number !== undefined && Number(number) > most) most = Number(number);
  }
  return most;
};

export const padded = (number: number): string => String(number).padStart(6, '0');

export const messageId = (number: number): string => `msg_${padded(number)}`;
