import { assumedAnswers } from '../contract/questions.ts';
import type { FaultRule } from '../faults/rule.ts';
import { type Contents, type EventKind, partList, parts } from '../nouns/index.ts';
import type { StateDocument, WorkspaceState } from '../nouns/state.ts';
import type { PartSettings } from '../route/noun.ts';
import { createMeter, type Publish } from '../store/store.ts';
import { compileJsonSchema } from '../validation/json-schema.ts';
import { checkSchema, StateError } from '../validation/schema-errors.ts';
import schema from '../validation/seed.schema.json' with { type: 'json' };

const validate = compileJsonSchema(schema);
const validateRules = compileJsonSchema(schema.properties.faults, schema);

/** Validates fault rules by their schema. @throws StateError with a pointer that begins with `/rules` */
export const checkFaultRules = (rules: unknown): FaultRule[] => {
  checkSchema(validateRules, rules, '/rules');
  return rules as FaultRule[];
};

/** Validates a state or seed by `seed.schema.json`. @throws StateError for the first violation */
export const checkStateSchema = (value: unknown): StateDocument => {
  checkSchema(validate, value);
  return value as StateDocument;
};

/** The same, and by the rules that a schema cannot express. @throws StateError for the first violation, StoreFull */
export const checkState = (value: unknown): StateDocument => {
  const document = checkStateSchema(value);
  createContents(document, {
    key: '',
    redact: (text) => text,
    answers: assumedAnswers(),
    outboxLimit: 1,
    templates: [],
    waiting: { count: 0, max: 0 },
    meter: createMeter(),
    arrivals: { last: 0 },
    publisher: () => () => undefined,
  });
  return document;
};

export type ContentSettings = Omit<PartSettings, 'now' | 'publish' | 'idFormat' | 'counter'> & {
  /** Publishes the changes of a part. */
  readonly publisher: (kind: EventKind) => Publish;
};

/** The parts of a workspace with a state. @throws StateError for what its schema cannot express, StoreFull */
export const createContents = (
  document: StateDocument,
  { publisher, ...settings }: ContentSettings,
): Contents => {
  const { answers = {}, counters = {} } = document;
  const numbers: Readonly<Record<string, number>> = counters;
  // All others take the time from it.
  const clock = parts.clock.create({ publish: publisher('clock') }, document.clock);
  const { now } = clock;
  const idFormat = answers['lead.id-format'] ?? settings.answers['lead.id-format'];
  const created = partList.map(([name, { counter = '', idName, create }]) => {
    if (name === 'clock') return [name, clock];
    const value = document[name];
    if (idName !== undefined) rejectRepeatedIds(`/${name}`, idName, value as readonly object[] | undefined);
    const own = { now, idFormat, counter: numbers[counter], publish: publisher(name) };
    return [name, create({ ...settings, ...own }, value as never)];
  });
  return Object.fromEntries(created);
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

/** The state that a workspace has now. */
export const saveState = (contents: Contents): WorkspaceState => {
  const counters: Record<string, number> = {};
  const saved = partList.map(([name, { counter, save }]) => {
    const content = contents[name];
    if (counter !== undefined && 'lastNumber' in content) counters[counter] = content.lastNumber();
    return [name, save(content as never)];
  });
  return { ...Object.fromEntries(saved), counters };
};
