import { faultBounds } from '../faults/faults.ts';
import { checkRules, type FaultRule, type FaultState } from '../faults/rule.ts';
import type { Answers } from '../generated/questions.ts';
import type { Message, Template } from '../mail/template.ts';
import { AdminError, RawReply, type Routes } from '../route/noun.ts';
import { object, ref, success, switchedBy, wholeNumber } from '../route/schemas.ts';
import { TextEncoder } from '../runtime/platform.ts';
import { createIdSource, leadId, messageId, numberOfId } from '../store/ids.ts';
import { lengthWithin, limits, StoreFull } from '../store/store.ts';
import { compileJsonSchema } from '../validation/json-schema.ts';
import { checkSchema, escapePointer, StateError, withPointer } from '../validation/schema-errors.ts';
import schema from '../validation/seed.schema.json' with { type: 'json' };
import { parseAnswerOverrides } from './answers.ts';
import { type ClockInput, type ClockSetting, checkSetting, createClock, settingOf } from './clock.ts';
import type { JournalEntry } from './journal.ts';
import { type Lead, leadBounds } from './leads.ts';
import { checkPlaceholders, completeTemplates, type TemplateInput, templateBounds } from './templates.ts';

const validate = compileJsonSchema(schema);
const validateRules = compileJsonSchema(schema.properties.faults, schema);

/** Validates fault rules by their schema. @throws StateError with a pointer that begins with `/rules` */
export const checkFaultRules = (rules: unknown): FaultRule[] => {
  checkSchema(validateRules, rules, '/rules');
  return rules as FaultRule[];
};

/**
 * Validates a state or seed by `seed.schema.json` and by rules that a schema cannot express.
 * @throws StateError for the first violation
 */
export const checkState = (value: unknown): StateDocument => {
  checkSchema(validate, value);
  const document = value as StateDocument;
  rejectRepeatedIds('/leads', 'lead_id', document.leads);
  for (const section of ['templates', 'outbox', 'requests'] as const)
    rejectRepeatedIds(`/${section}`, 'id', document[section]);
  for (const [index, template] of (document.templates ?? []).entries())
    checkPlaceholders(`/templates/${index}`, template);
  checkRules('/faults', document.faults ?? []);
  checkSetting('/clock', document.clock ?? {});
  for (const [id, answer] of Object.entries(document.answers ?? {})) checkAnswer(id, answer);
  return document;
};

const rejectRepeatedIds = (at: string, name: string, items: readonly object[] = []): void => {
  const seenIds = new Set<string>();
  for (const [index, item] of items.entries()) {
    const { [name]: id } = item as { readonly [name: string]: string | undefined };
    if (id === undefined) continue;
    if (seenIds.has(id)) throw new StateError(`${at}/${index}/${name}`, 'is there twice');
    seenIds.add(id);
  }
};

/** Validates an answer. Its place already names the question. */
const checkAnswer = (id: string, answer: unknown): void =>
  withPointer(`/answers/${escapePointer(id).slice(0, 200)}`, () => {
    try {
      parseAnswerOverrides({ [id]: answer });
    } catch (error) {
      const { message } = error as Error;
      if (message.startsWith(`${id} `)) throw new Error(message.slice(id.length + 1));
      throw new Error(`is not an open question; ${message.slice(message.lastIndexOf('did you mean'))}`);
    }
  });

const tooLarge = {
  description: `The state is larger than ${limits.stateBytes} bytes or has more than ${limits.stateValues} values, or a store has no room for it. Nothing was changed.`,
  schema: ref('Refusal'),
};

/** A workspace as a whole. */
export type WholeWorkspace = {
  readonly exportState: () => WorkspaceState;
  /** The state that a valid document stands for. @throws StoreFull if a store has no room for it */
  readonly complete: (document: StateDocument) => WorkspaceState;
  /** Replaces the content. A seed is what later resets restore. */
  readonly load: (state: WorkspaceState, seed?: StateDocument) => void;
  /** Restores the seed; ids restart. */
  readonly reset: () => void;
  /** The seed that only this workspace has. */
  readonly ownSeed: () => StateDocument | undefined;
  /** Whether the seed of the mock is another one since the workspace was made from it. */
  readonly isOutdated: () => boolean;
  /** Reads the file of the seed again if it has changed. @throws Error for a file that cannot be read */
  readonly refreshSeed: () => void;
};

const encoder = new TextEncoder();

/** A state as JSON. @throws AdminError 413 for one that is too large to be imported again */
const toJson = (state: WorkspaceState, problem: string, hint: string): RawReply => {
  const json = JSON.stringify(state);
  if (encoder.encode(json).length <= limits.stateBytes)
    return new RawReply(json, { 'content-type': 'application/json; charset=utf-8' });
  throw new AdminError(
    413,
    `${problem} larger than ${limits.stateBytes} bytes`,
    `Nothing was changed. ${hint}`,
  );
};

/** The complete workspace state. What GET returns is valid for PUT and as a seed. */
export const stateRoutes = {
  'GET /state': {
    id: 'getState',
    summary: 'Get the workspace state',
    description:
      'The complete state. Without changes in between, two responses are equal. The response is a valid body for PUT and a valid file for `--seed`.',
    replies: { ...success('The workspace state.', ref('State')), 413: tooLarge },
    run: ({ whole }) =>
      toJson(
        whole.exportState(),
        'the state cannot be read, as PUT would reject it: it is',
        'Use DELETE /__admin/outbox or DELETE /__admin/requests to make it smaller.',
      ),
  },
  'PUT /state': {
    id: 'putState',
    summary: 'Replace the workspace state (atomic)',
    description:
      'Omitted parts get the defaults of a new workspace. If anything is invalid, or too large, nothing is changed. A reset still restores the old seed, unless `seed=true` makes this state the new seed.',
    query: { seed: switchedBy('Whether this state also becomes the seed of the workspace.') },
    body: ref('State'),
    bodyLimit: limits.stateBytes,
    replies: { ...success('The state after the change.', ref('State')), 413: tooLarge },
    run: ({ whole }, { body, query }) => {
      const document = checkState(body);
      try {
        const state = whole.complete(document);
        toJson(state, 'the state cannot be replaced: read again, it is', 'Send a smaller state.');
        whole.load(state, query.seed ? document : undefined);
      } catch (error) {
        if (!(error instanceof StoreFull)) throw error;
        throw new AdminError(413, error.message, 'Nothing was changed. Send a smaller state.');
      }
      return whole.exportState();
    },
  },
  'POST /reset': {
    id: 'reset',
    summary: 'Reset the workspace to its seed',
    description:
      'Resets leads, templates, outbox, journal, faults, clock, answers and ids of this workspace only. Reads the file of `--seed` again where it was changed. Open waits end with an error, and earlier cursors become invalid.',
    replies: {
      ...success('The workspace was reset.', object({ status: { const: 'reset' }, templates: wholeNumber })),
      409: { description: 'The seed file was changed and cannot be read.', schema: ref('Refusal') },
    },
    run: ({ whole, templates }) => {
      try {
        whole.refreshSeed();
      } catch (error) {
        throw new AdminError(
          409,
          (error as Error).message,
          'Nothing was reset. Correct the seed file and reset again.',
        );
      }
      whole.reset();
      return { status: 'reset', templates: templates.size() };
    },
  },
} satisfies Routes<{ readonly whole: WholeWorkspace; readonly templates: { readonly size: () => number } }>;

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
  readonly $comment?: string;
  readonly leads?: readonly PartialExcept<Lead, 'name'>[];
  readonly templates?: readonly TemplateInput[];
  readonly outbox?: readonly PartialExcept<Message, 'operation'>[];
  readonly requests?: WorkspaceState['requests'];
  readonly faults?: WorkspaceState['faults'];
  readonly clock?: ClockInput;
  readonly answers?: WorkspaceState['answers'];
  readonly counters?: Partial<Counters>;
};

/** The time by the clock of a document. */
const timeOf = (document: StateDocument): string => {
  const clock = createClock();
  clock.restore(settingOf(document.clock));
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
    clock: settingOf(document.clock),
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
