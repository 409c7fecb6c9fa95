import type { Operation } from '../contract/document.ts';
import { knownOperations } from '../contract/in-force.ts';
import { canMatchPath } from '../contract/path-template.ts';
import { nearest } from '../contract/questions.ts';
import { hasTooManyPlaceholders, maxPlaceholders, placeholdersOf } from '../mail/template.ts';
import { limits } from '../runtime/limits.ts';
import { runAtOnce } from '../runtime/timers.ts';
import { parseAnswerOverrides } from '../workspace/answers.ts';
import { wallClock } from '../workspace/clock.ts';
import type { FaultRule } from '../workspace/faults.ts';
import type { StateDocument } from '../workspace/snapshot.ts';
import { withPointer } from './arguments.ts';
import type { Validator } from './request-body.ts';
import { describeSchemaError, escapePointer, StateError, unknownNameError } from './schema-errors.ts';
import { validators } from './state-schema.ts';

export type Conditions = {
  readonly operation?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly to?: string | undefined;
  readonly when?: object | undefined;
};

/** What of a rule's conditions no request can ever meet. `name` is empty where each by itself could be met. */
export type UnreachableCondition = { readonly name: keyof Conditions | ''; readonly problem: string };

/** Why a rule would never be used, whatever answers are given; `undefined` where it could be. */
const findUnreachable = ({
  operation,
  method,
  path,
  to,
  when,
}: Conditions): UnreachableCondition | undefined => {
  const operations = knownOperations();
  const withOperation = operations.filter(({ id }) => operation === undefined || id === operation);
  if (withOperation.length === 0) {
    const ids = operations.map(({ id }) => id);
    return { name: 'operation', problem: `is no operation; ${suggest(operation ?? '', ids)}` };
  }
  const upperMethod = method?.toUpperCase();
  const methods = operations.flatMap(methodsOf);
  if (upperMethod !== undefined && !methods.includes(upperMethod))
    return { name: 'method', problem: `is no method of the service; ${suggest(upperMethod, methods)}` };
  if (path?.includes('?'))
    return { name: 'path', problem: 'has a query; leave it out, a rule is about the path' };
  const atPath = operations.filter((operation) => path === undefined || canMatchPath(operation.path, path));
  if (atPath.length === 0) {
    const paths = operations.map((operation) => operation.path);
    return { name: 'path', problem: `is no path of the service; ${suggest(path ?? '', paths)}` };
  }
  const candidates = withOperation.filter((operation) => atPath.includes(operation));
  const reachable = candidates.filter(
    (operation) => upperMethod === undefined || methodsOf(operation).includes(upperMethod),
  );
  if (reachable.length === 0)
    return {
      name: '',
      problem: `can never match: there is ${describeOperations(candidates.length > 0 ? candidates : withOperation)}`,
    };
  if ((to !== undefined || when !== undefined) && !reachable.some(({ body }) => body))
    return {
      name: to === undefined ? 'when' : 'to',
      problem: `can never match: ${describeOperations(reachable)} takes no body`,
    };
  return undefined;
};

const methodsOf = ({ method }: Operation): string[] =>
  method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];

const suggest = (value: string, known: readonly string[]): string =>
  `did you mean ${nearest(value.slice(0, 200), [...new Set(known)])}?`;

const describeOperations = (operations: readonly Operation[]): string =>
  operations.map(({ id, method, path }) => `${id}, ${method.toUpperCase()} ${path}`).join(' and ');

export { StateError };

/**
 * A state or seed as `seed.schema.json` describes it, and valid in what a schema cannot say.
 * @throws StateError for the first thing that is not
 */
export const checkState = (value: unknown): StateDocument => runAtOnce(checkStateInSteps(value));

/** The same in steps, none of which takes long. */
export function* checkStateInSteps(value: unknown): Generator<undefined, StateDocument> {
  const document = value as StateDocument;
  checkSchema(validators.state, withoutItems(document));
  for (const section of sections) {
    const seenIds = new Set<string>();
    for (const [index, item] of (document[section] ?? []).entries()) {
      checkItem(section, item, index, seenIds);
      yield;
    }
  }
  checkClock('/clock', document.clock ?? {});
  for (const [id, answer] of Object.entries(document.answers ?? {})) checkAnswer(id, answer);
  return document;
}

const sections = ['leads', 'templates', 'outbox', 'requests', 'faults'] as const;
type Section = (typeof sections)[number];

/** What the schema says of the whole, without what it says of each item. */
const withoutItems = (document: StateDocument): unknown =>
  typeof document !== 'object' || document === null || Array.isArray(document)
    ? document
    : Object.fromEntries(
        Object.entries(document).map(([name, value]) => [
          name,
          // Too many rules are left to the schema, which says so.
          sections.includes(name as Section) &&
          Array.isArray(value) &&
          (name !== 'faults' || value.length <= limits.faultRules)
            ? []
            : value,
        ]),
      );

const checkItem = (section: Section, item: object, index: number, seenIds: Set<string>): void => {
  try {
    checkSchema(validators.state, { [section]: [item] });
    rejectRepeatedId(section, item, seenIds);
    if (section === 'templates') checkPlaceholders(item as TemplateItem);
    if (section === 'faults') checkRule('/faults/0', item as FaultRule);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const [, , , ...rest] = error.pointer.split('/');
    throw new StateError(['', section, index, ...rest].join('/'), error.problem);
  }
};

type TemplateItem = NonNullable<StateDocument['templates']>[number];

const checkPlaceholders = ({ body, variables }: TemplateItem): void => {
  if (hasTooManyPlaceholders(body))
    throw new StateError('/templates/0/body', `must not have more than ${maxPlaceholders} placeholders`);
  if (variables && variables.join('\n') !== placeholdersOf(body).join('\n'))
    throw new StateError(
      '/templates/0/variables',
      'must be the placeholders of the body, each once in order of appearance; left out, they are found',
    );
};

/** The place names the question already. */
const checkAnswer = (id: string, answer: unknown): void =>
  withPointer(`/answers/${escapePointer(id).slice(0, 200)}`, () => {
    try {
      parseAnswerOverrides({ [id]: answer });
    } catch (error) {
      const { message } = error as Error;
      if (message.startsWith(`${id} `)) throw new Error(message.slice(id.length + 1));
      throw new Error(`is no open question; ${message.slice(message.lastIndexOf('did you mean'))}`);
    }
  });

/**
 * Fault rules, valid by themselves.
 * @throws StateError as `checkState`, its pointer beginning at `/rules`
 */
export const checkRules = (
  value: unknown,
  names: readonly string[] = ['rules'],
): (FaultRule & RuleCounts)[] => {
  const unknownName = names.find((name) => name !== 'rules');
  if (unknownName !== undefined) throw unknownNameError('', unknownName, ['rules']);
  if (value === undefined) throw new StateError('/rules', 'is missing');
  checkSchema(validators.faultRules, value, '/rules');
  const list = value as (FaultRule & RuleCounts)[];
  for (const [index, rule] of list.entries()) checkRule(`/rules/${index}`, rule);
  return list;
};

type RuleCounts = { readonly seen?: number; readonly matched?: number };

// Deeper than anything a client sends on purpose, and shallow enough to be written as JSON.
const maxDepth = 100;
// No more values can be in a request.
const maxVisited = 1_000_000;

const checkRule = (at: string, rule: FaultRule): void => {
  const { status, fault, delay_ms, body, retry_after } = rule;
  const unreachable = findUnreachable(rule);
  if (unreachable)
    throw new StateError(unreachable.name === '' ? at : `${at}/${unreachable.name}`, unreachable.problem);
  if (status === undefined && fault === undefined && delay_ms === undefined)
    throw new StateError(at, 'does nothing; give it a status, a fault or a delay_ms');
  if (rule.take_effect && status === undefined && fault === undefined)
    throw new StateError(
      at,
      'has a take_effect, which needs a status or a fault; what only waits takes effect anyway',
    );
  if (status !== undefined && fault !== undefined)
    throw new StateError(at, 'has both a status and a fault; a broken connection has no status');
  if (status === undefined && (body !== undefined || retry_after !== undefined))
    throw new StateError(at, `has a ${body === undefined ? 'retry_after' : 'body'}, which needs a status`);
  if (status !== undefined && status < 400 && body === undefined)
    throw new StateError(`${at}/status`, 'is a success, which needs a body');
  if ((status === 204 || status === 304) && body !== undefined)
    throw new StateError(`${at}/status`, 'is one of a reply without a body');
  if (typeof delay_ms === 'object' && delay_ms.min > delay_ms.max)
    throw new StateError(`${at}/delay_ms`, 'has a min above its max');
  if (isDeep(rule.when)) throw new StateError(`${at}/when`, `is nested more than ${maxDepth} deep`);
  if (isDeep(body)) throw new StateError(`${at}/body`, `is nested more than ${maxDepth} deep`);
};

const isDeep = (value: unknown): boolean => {
  let level = [value];
  let visited = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    const children = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
    visited += children.length;
    // What repeats itself is looked at once, or it would multiply from level to level.
    level = visited > maxVisited ? [...new Set(children)] : children;
  }
  return false;
};

type ClockFields = { readonly now?: string; readonly frozen?: boolean; readonly offset_ms?: number };

const checkClock = (at: string, { now, frozen, offset_ms }: ClockFields): void => {
  if (now === undefined && frozen === true)
    throw new StateError(at, 'is frozen, but at no time: it needs a now');
  if (now !== undefined && frozen === false)
    throw new StateError(at, 'runs, so it has no now; write offset_ms, or leave out "frozen": false');
  if (now !== undefined && offset_ms !== undefined)
    throw new StateError(at, 'has both a now, at which it stands, and an offset_ms, with which it runs');
  // Tried on a clock that nobody reads: what is valid here must not fail where it is used.
  const { restore } = wallClock();
  if (now === undefined)
    withPointer(`${at}/offset_ms`, () => restore({ frozen: false, offset_ms: offset_ms ?? 0 }));
  else withPointer(`${at}/now`, () => restore({ frozen: true, now }));
};

const rejectRepeatedId = (section: Section, item: object, seenIds: Set<string>): void => {
  const name = section === 'leads' ? 'lead_id' : 'id';
  const { [name]: id } = item as { readonly [name: string]: string | undefined };
  if (id === undefined) return;
  if (seenIds.has(id)) throw new StateError(`/${section}/0/${name}`, 'is there twice');
  seenIds.add(id);
};

/** @throws StateError where a value is not as its schema says */
const checkSchema = (validate: Validator, value: unknown, base = ''): void => {
  if (validate(value)) return;
  const [error] = validate.errors ?? [];
  if (error) throw describeSchemaError(error, base);
};
