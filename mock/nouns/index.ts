import { type FaultRule, faultPart, faultRoutes } from '../faults/faults.ts';
import type { Template } from '../mail/template.ts';
import type { Explain } from '../route/logs.ts';
import type { Noun, Part, PartSettings } from '../route/noun.ts';
import { numberOfId } from '../store/ids.ts';
import type { Publish } from '../store/store.ts';
import { compileJsonSchema } from '../validation/json-schema.ts';
import { checkSchema, StateError } from '../validation/schema-errors.ts';
import schema from '../validation/seed.schema.json' with { type: 'json' };
import { answerPart, answerRoutes } from './answers.ts';
import { clockPart, clockRoutes } from './clock.ts';
import { type Events, eventRoutes } from './events.ts';
import { type Journal, requestPart } from './journal.ts';
import { leadPart, leadRoutes } from './leads.ts';
import { type MockStatus, mockRoutes } from './mock.ts';
import { outboxPart, outboxRoutes } from './outbox.ts';
import { requestRoutes } from './requests.ts';
import { type StateDocument, stateRoutes, type WholeWorkspace, type WorkspaceState } from './state.ts';
import { templatePart, templateRoutes } from './templates.ts';

/** The parts of a workspace that a state contains, and that publish events, by their names there. */
const parts = {
  leads: leadPart,
  templates: templatePart,
  outbox: outboxPart,
  requests: requestPart,
  faults: faultPart,
  clock: clockPart,
  answers: answerPart,
};

type PartName = keyof typeof parts;

/** The same as a list, for what is done with all of them alike. */
const partList = Object.entries(parts) as unknown as readonly (readonly [PartName, Part])[];

/** The part of the state that changed; `reset`: all of it. */
export type EventKind = PartName | 'reset';

/** What the parts hold. */
export type Contents = { readonly [Name in PartName]: ReturnType<(typeof parts)[Name]['create']> };

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
  /** Templates if neither the seed nor a state contains any. */
  readonly templates: readonly Template[];
  /** Publishes the changes of a part. */
  readonly publisher: (kind: EventKind) => Publish;
};

/** The parts of a workspace with a state. @throws StateError for what its schema cannot express, StoreFull */
export const createContents = (
  document: StateDocument,
  { publisher, templates, ...settings }: ContentSettings,
): Contents => {
  const { answers = {}, counters = {} } = document;
  const numbers: Readonly<Record<string, number>> = counters;
  // All others take the time from it.
  const clock = parts.clock.create({ publish: publisher('clock') }, document.clock);
  const { now } = clock;
  const idFormat = answers['lead.id-format'] ?? settings.answers['lead.id-format'];
  const created = partList.map(([name, { ids, create }]) => {
    if (name === 'clock') return [name, clock];
    const given = name === 'templates' ? (document.templates ?? templates) : document[name];
    const own = { ...settings, now, publish: publisher(name), lastNumber: 0 };
    if (!ids) return [name, create(own, given as never)];
    const idOf = (number: number): string => ids.of(number, settings.key, idFormat);
    const items = (given ?? []) as readonly Item[];
    const { named, lastNumber } = nameItems(`/${name}`, items, ids.field, idOf, numbers[ids.counter]);
    return [name, create({ ...own, lastNumber }, named as never)];
  });
  return Object.fromEntries(created);
};

type Item = { readonly [field: string]: string | undefined };

/** Gives ids to the items without one, and finds the highest number. @throws StateError for an id that is there twice */
const nameItems = (
  at: string,
  items: readonly Item[],
  field: string,
  idOf: (number: number) => string,
  counted = 0,
) => {
  const used = new Set<string>();
  let lastNumber = counted;
  for (const [index, { [field]: id }] of items.entries()) {
    if (id === undefined) continue;
    if (used.has(id)) throw new StateError(`${at}/${index}/${field}`, 'is there twice');
    used.add(id);
    lastNumber = Math.max(lastNumber, numberOfId(id));
  }
  const next = (): string => {
    // Not every form of id shows its number.
    do lastNumber += 1;
    while (used.has(idOf(lastNumber)));
    return idOf(lastNumber);
  };
  const named = items.map((item) => (item[field] === undefined ? { ...item, [field]: next() } : item));
  return { named, lastNumber };
};

/** The state that a workspace has now. */
export const saveState = (contents: Contents): WorkspaceState => {
  const counters: Record<string, number> = {};
  const saved = partList.map(([name, { ids, save }]) => {
    const content = contents[name];
    if (ids && 'lastNumber' in content) counters[ids.counter] = content.lastNumber();
    return [name, save(content as never)];
  });
  return { ...Object.fromEntries(saved), counters };
};

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
