import type { BodyRule } from './body-rules.ts';
import { within } from './clock-rules.ts';
import { unmetConditions } from './fault-reach.ts';
import type { FaultRule } from './faults.ts';
import { faultRules, stateRule } from './generated/state-rules.js';
import { parseOwnAnswers } from './own-answers.ts';
import { describeSchemaError, escaped, StateError, strayName } from './schema-error.ts';
import { wallClock } from './state.ts';
import type { StateDocument } from './state-document.ts';
import { placeholdersOf } from './substitute.ts';

export { StateError };

/**
 * A state or seed as `seed.schema.json` describes it, and sound in what a schema cannot say.
 * @throws StateError for the first thing that is not
 */
export const checkState = (given: unknown): StateDocument => {
  hold(stateRule, given);
  const document = given as StateDocument;
  const { leads = [], templates = [], outbox = [], requests = [], faults = [] } = document;
  unique('/leads', 'lead_id', leads);
  unique('/templates', 'id', templates);
  unique('/outbox', 'id', outbox);
  unique('/requests', 'id', requests);
  for (const [index, { body, variables }] of templates.entries())
    if (variables && variables.join('\n') !== placeholdersOf(body).join('\n'))
      throw new StateError(
        `/templates/${index}/variables`,
        'must be the placeholders of the body, each once in order of appearance; left out, they are found',
      );
  for (const [index, rule] of faults.entries()) checkRule(`/faults/${index}`, rule);
  checkClock('/clock', document.clock ?? {});
  for (const [id, answer] of Object.entries(document.answers ?? {})) checkAnswer(id, answer);
  return document;
};

/** The place names the question already. */
const checkAnswer = (id: string, answer: unknown): void =>
  within(`/answers/${escaped(id).slice(0, 200)}`, () => {
    try {
      parseOwnAnswers({ [id]: answer });
    } catch (error) {
      const { message } = error as Error;
      if (message.startsWith(`${id} `)) throw new Error(message.slice(id.length + 1));
      throw new Error(`is no open question; ${message.slice(message.lastIndexOf('did you mean'))}`);
    }
  });

/**
 * Fault rules, sound by themselves.
 * @throws StateError as `checkState`, its pointer beginning at `/rules`
 */
export const checkRules = (given: unknown, names: readonly string[] = ['rules']): (FaultRule & Counted)[] => {
  const stray = names.find((name) => name !== 'rules');
  if (stray !== undefined) throw strayName('', stray, ['rules']);
  if (given === undefined) throw new StateError('/rules', 'is missing');
  hold(faultRules, given, '/rules');
  const list = given as (FaultRule & Counted)[];
  for (const [index, rule] of list.entries()) checkRule(`/rules/${index}`, rule);
  return list;
};

type Counted = { readonly seen?: number; readonly matched?: number };

// Deeper than anything a client sends on purpose, and shallow enough to be written as JSON.
const deepest = 100;

const checkRule = (at: string, rule: FaultRule): void => {
  const { status, fault, delay_ms, body, retry_after } = rule;
  const unmet = unmetConditions(rule);
  if (unmet) throw new StateError(unmet.name === '' ? at : `${at}/${unmet.name}`, unmet.what);
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
  if (isDeep(body)) throw new StateError(`${at}/body`, `is nested more than ${deepest} deep`);
};

const isDeep = (value: unknown): boolean => {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    const below = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
    // What repeats itself is looked at once, or it would multiply from level to level.
    level = [...new Set(below)];
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
  // Tried out, on a clock that nobody reads: what is found sound here must not fail where it is used.
  const { restore } = wallClock();
  if (now === undefined)
    within(`${at}/offset_ms`, () => restore({ frozen: false, offset_ms: offset_ms ?? 0 }));
  else within(`${at}/now`, () => restore({ frozen: true, now }));
};

const unique = <Name extends string>(
  at: string,
  name: Name,
  items: readonly { readonly [Key in Name]?: string | undefined }[],
): void => {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const id = item[name];
    if (id === undefined) continue;
    if (seen.has(id)) throw new StateError(`${at}/${index}/${name}`, 'is there twice');
    seen.add(id);
  }
};

/** @throws StateError where a value is not as its schema says */
const hold = (rule: BodyRule, value: unknown, base = ''): void => {
  if (rule(value)) return;
  const [error] = rule.errors ?? [];
  if (error) throw describeSchemaError(error, base);
};
