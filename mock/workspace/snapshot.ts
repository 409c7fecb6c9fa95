import type { Answers } from '../generated/questions.ts';
import type { Message, Template } from '../mail/template.ts';
import { lazily } from '../runtime/json-parts.ts';
import { limits, StorageFull } from '../runtime/limits.ts';
import { mapInSteps } from '../runtime/timers.ts';
import { type ClockSetting, realTime, wallClock } from './clock.ts';
import { type FaultRule, type FaultState, ruleBytes } from './faults.ts';
import { createIdSourceInSteps, leadId, messageId, numberOfId } from './ids.ts';
import { entryBytes } from './journal.ts';
import type { JournalEntry } from './journal-entry.ts';
import { type Lead, type LeadMap, leadBytes, mapLeadsInSteps } from './leads.ts';
import { messageBytes } from './outbox.ts';
import { completeTemplatesInSteps, type TemplateInput, templateBytes } from './templates.ts';

/** The highest number each ever had in an id, for the ids to come. */
type Counters = {
  readonly leads: number;
  readonly templates: number;
  readonly messages: number;
  readonly requests: number;
};

/** All that is in a workspace: what `GET /__admin/state` returns. */
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

/** A state as people write it: what is left out is as in a workspace that nobody touched, or follows from the rest. */
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

type Defaults = {
  readonly templates: readonly Template[];
  readonly now: string;
  readonly leadId: (number: number) => string;
};

const clockOf = ({ clock }: StateDocument): ClockSetting => {
  if (!clock) return realTime;
  return 'now' in clock
    ? { frozen: true, now: clock.now }
    : { frozen: false, offset_ms: clock.offset_ms ?? 0 };
};

/** A seed with the times it leaves out, by its own clock, as of now: whoever starts from it again and again has the same ones. */
export function* withTimestampsInSteps(seed: StateDocument): Generator<undefined, StateDocument> {
  const clock = wallClock();
  clock.restore(clockOf(seed));
  const now = clock.now();
  const date = <Item extends { readonly created_at?: string }>(item: Item) => ({
    ...item,
    created_at: item.created_at ?? now,
  });
  const { leads, templates, outbox } = seed;
  return {
    ...seed,
    ...(leads ? { leads: yield* mapInSteps(leads, date) } : {}),
    ...(templates ? { templates: yield* mapInSteps(templates, date) } : {}),
    ...(outbox ? { outbox: yield* mapInSteps(outbox, date) } : {}),
  };
}

/** As a workspace state; the requests can be gone through once. */
export type LazyState = Omit<WorkspaceState, 'requests'> & { readonly requests: Iterable<JournalEntry> };

/** A state that is ready to take the place of another one at once. */
export type PreparedState = { readonly content: WorkspaceState; readonly leadMap: LeadMap };

/** What a state has where the document names nothing. */
export type StateDefaults = {
  readonly key: string;
  /** Templates where neither the seed nor a state names any. */
  readonly templates: readonly Template[];
  /** The form of ids for leads of a seed that have none. */
  readonly idFormat?: Answers['lead.id-format'];
};

/** @throws StorageFull where a store has no room for it */
export function* prepareStateInSteps(
  document: StateDocument,
  { key, templates, idFormat = 'prefixed' }: StateDefaults,
): Generator<undefined, PreparedState> {
  yield* rejectOversizedInSteps(document);
  const clock = wallClock();
  clock.restore(clockOf(document));
  const format = document.answers?.['lead.id-format'] ?? idFormat;
  const content = yield* withDefaultsInSteps(document, {
    templates,
    now: clock.now(),
    leadId: (number) => leadId(format, key, number),
  });
  const leadMap = yield* mapLeadsInSteps(content.leads);
  if (leadMap.bytes > limits.leadsBytes) throw new StorageFull('leads', limits.leadsBytes);
  return { content, leadMap };
}

/** The document with everything filled in that it leaves out, in steps. */
function* withDefaultsInSteps(
  document: StateDocument,
  { now, ...defaults }: Defaults,
): Generator<undefined, WorkspaceState> {
  const { leads = [], outbox = [], requests = [], faults = [], answers = {}, counters = {} } = document;
  const newLeads = yield* createIdSourceInSteps(
    counters.leads,
    lazily(leads, ({ lead_id }) => lead_id),
    defaults.leadId,
  );
  const newMessages = yield* createIdSourceInSteps(
    counters.messages,
    lazily(outbox, ({ id }) => id),
    messageId,
  );
  const templates = document.templates
    ? yield* completeTemplatesInSteps(document.templates, now, counters.templates)
    : defaults.templates;
  const completeLeads = yield* mapInSteps(leads, (lead) => ({
    lead_id: lead.lead_id ?? newLeads.next(),
    name: lead.name,
    source: lead.source ?? '',
    note: lead.note ?? '',
    created_at: lead.created_at ?? now,
    updated_at: lead.updated_at ?? lead.created_at ?? now,
  }));
  const completeMessages = yield* mapInSteps(outbox, (message) => ({
    id: message.id ?? newMessages.next(),
    operation: message.operation,
    to: message.to ?? null,
    from: message.from ?? null,
    subject: message.subject ?? null,
    html: message.html ?? null,
    template_id: message.template_id ?? null,
    variables: message.variables ?? null,
    created_at: message.created_at ?? now,
  }));
  return {
    leads: completeLeads,
    templates,
    outbox: completeMessages,
    requests,
    faults,
    clock: clockOf(document),
    answers,
    counters: {
      leads: newLeads.last(),
      templates: yield* highestInSteps(templates, counters.templates),
      messages: newMessages.last(),
      requests: yield* highestInSteps(requests, counters.requests),
    },
  };
}

function* highestInSteps(
  items: readonly { readonly id: string }[],
  counted = 0,
): Generator<undefined, number> {
  let highest = counted;
  for (const { id } of items) {
    highest = Math.max(highest, numberOfId(id));
    yield;
  }
  return highest;
}

/** @throws StorageFull where a store that drops nothing by itself has no room for all of it */
export function* rejectOversizedInSteps({
  leads = [],
  templates = [],
  faults = [],
}: StateDocument): Generator<undefined, void> {
  if ((yield* sumInSteps(leads, documentLeadBytes)) > limits.leadsBytes)
    throw new StorageFull('leads', limits.leadsBytes);
  if ((yield* sumInSteps(templates, templateBytes)) > limits.templatesBytes)
    throw new StorageFull('templates', limits.templatesBytes);
  if ((yield* sumInSteps(faults, ruleBytes)) > limits.faultsBytes)
    throw new StorageFull('fault rules', limits.faultsBytes);
}

/** A document that a reset goes back to, with the times it leaves out, and what all that is in it takes in memory. */
export type PreparedSeed = { readonly document: StateDocument; readonly bytes: number };

/** @throws StorageFull where it takes more than a seed may */
export function* prepareSeedInSteps(seed: StateDocument): Generator<undefined, PreparedSeed> {
  const document = yield* withTimestampsInSteps(seed);
  const { leads = [], templates = [], outbox = [], requests = [], faults = [] } = document;
  const bytes =
    (yield* sumInSteps(leads, documentLeadBytes)) +
    (yield* sumInSteps(templates, templateBytes)) +
    (yield* sumInSteps(outbox, messageBytes)) +
    (yield* sumInSteps(requests, entryBytes)) +
    (yield* sumInSteps(faults, ruleBytes));
  if (bytes > limits.seedBytes) throw new StorageFull('seed', limits.seedBytes);
  return { document, bytes };
}

const documentLeadBytes = ({
  lead_id = '',
  name,
  source = '',
  note = '',
}: NonNullable<StateDocument['leads']>[number]): number => leadBytes({ lead_id, name, source, note });

function* sumInSteps<Item>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
): Generator<undefined, number> {
  let sum = 0;
  for (const item of items) {
    sum += bytesOf(item);
    yield;
  }
  return sum;
}
