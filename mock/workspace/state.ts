import type { FaultRule } from '../faults/rule.ts';
import { timeOf } from '../nouns/clock.ts';
import { type Contents, partList } from '../nouns/index.ts';
import type { StateDocument, WorkspaceState } from '../nouns/state.ts';
import type { StateDefaults } from '../route/noun.ts';
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

/** The same, and by the rules that a schema cannot express. @throws StateError for the first violation */
export const checkState = (value: unknown): StateDocument => checkStateRules(checkStateSchema(value));

/** @throws StateError for the first violation of a rule that a schema cannot express */
export const checkStateRules = (document: StateDocument): StateDocument => {
  for (const [name, { idName, check }] of partList) {
    const part = document[name];
    if (part === undefined) continue;
    if (idName !== undefined) rejectRepeatedIds(`/${name}`, idName, part as readonly object[]);
    check?.(`/${name}`, part as never);
  }
  return document;
};

const rejectRepeatedIds = (at: string, name: string, items: readonly object[]): void => {
  const seenIds = new Set<string>();
  for (const [index, item] of items.entries()) {
    const { [name]: id } = item as { readonly [name: string]: string | undefined };
    if (id === undefined) continue;
    if (seenIds.has(id)) throw new StateError(`${at}/${index}/${name}`, 'is there twice');
    seenIds.add(id);
  }
};

type Counters = Partial<Record<string, number>>;

/** Fills in all omitted parts of a valid document. @throws StoreFull if a store has no room for it */
export const completeState = (document: StateDocument, defaults: StateDefaults): WorkspaceState => {
  const { answers = {}, clock } = document;
  const given: Counters = document.counters ?? {};
  const counters: Counters = {};
  const context = {
    ...defaults,
    idFormat: answers['lead.id-format'] ?? defaults.idFormat,
    now: timeOf(clock),
  };
  const completed = partList.map(([name, { counter = '', complete }]) => {
    const { value, lastNumber } = complete(document[name] as never, { ...context, counter: given[counter] });
    if (counter !== '') counters[counter] = lastNumber;
    return [name, value];
  });
  return { ...Object.fromEntries(completed), counters };
};

/** The state that a workspace has now. */
export const saveState = (contents: Contents): WorkspaceState => {
  const counters: Counters = {};
  const saved = partList.map(([name, { counter, save }]) => {
    const content = contents[name];
    if (counter !== undefined && 'lastNumber' in content) counters[counter] = content.lastNumber();
    return [name, save(content as never)];
  });
  return { ...Object.fromEntries(saved), counters };
};
