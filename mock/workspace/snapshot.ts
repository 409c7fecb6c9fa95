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

/** Adds missing timestamps to a seed, by its own clock, so that every workspace and reset has the same ones. */
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

/** A workspace state whose requests can be iterated once. */
export type LazyState = Omit<WorkspaceState, 'requests'> & { readonly requests: Iterable<JournalEntry> };

/** A state that is ready to be loaded without further work. */
export type PreparedState = { readonly content: WorkspaceState; readonly leadMap: LeadMap };

/** Defaults for the parts that a document omits. */
export type StateDefaults = {
  readonly key: string;
  /** Templates if neither the seed nor a state contains any. */
  readonly templates: readonly Template[];
  /** The form of ids for leads of a seed without one. */
  readonly idFormat?: Answers['lead.id-format'];
};

/** Prepares a document in steps. @throws StorageFull if a store has no room for it */
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

/** Fills in all omitted parts of the document, in steps. */
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

/** @throws StorageFull if a store that never drops items has no room for all of them */
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

/** A seed with all timestamps, and the bytes of memory that it takes. */
export type PreparedSeed = { readonly document: StateDocument; readonly bytes: number };

/** @throws StorageFull for a seed that takes more than `limits.seedBytes` */
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
