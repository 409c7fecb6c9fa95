import { hasTooManyPlaceholders, maxPlaceholders, placeholdersOf } from '../mail/template.ts';
import { limits } from '../runtime/limits.ts';
import { runAtOnce } from '../runtime/timers.ts';
import { parseAnswerOverrides } from '../workspace/answers.ts';
import { wallClock } from '../workspace/clock.ts';
import type { FaultRule } from '../workspace/faults.ts';
import type { StateDocument } from '../workspace/snapshot.ts';
import { withPointer } from './arguments.ts';
import { checkRule } from './fault-rules.ts';
import { checkSchema, escapePointer, StateError } from './schema-errors.ts';
import { validators } from './state-schema.ts';

/**
 * Validates a state or seed by `seed.schema.json` and by rules that a schema cannot express.
 * @throws StateError for the first violation
 */
export const checkState = (value: unknown): StateDocument => runAtOnce(checkStateInSteps(value));

/** As `checkState`, in short steps. */
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

/** The document without the items of its lists, which are validated one by one. */
const withoutItems = (document: StateDocument): unknown =>
  typeof document !== 'object' || document === null || Array.isArray(document)
    ? document
    : Object.fromEntries(
        Object.entries(document).map(([name, value]) => [
          name,
          // A list with too many rules stays, so that the schema reports it.
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

type ClockFields = { readonly now?: string; readonly frozen?: boolean; readonly offset_ms?: number };

const checkClock = (at: string, { now, frozen, offset_ms }: ClockFields): void => {
  if (now === undefined && frozen === true)
    throw new StateError(at, 'is frozen, but at no time: it needs a now');
  if (now !== undefined && frozen === false)
    throw new StateError(at, 'runs, so it has no now; write offset_ms, or leave out "frozen": false');
  if (now !== undefined && offset_ms !== undefined)
    throw new StateError(at, 'has both a now, at which it stands, and an offset_ms, with which it runs');
  // Tried on a temporary clock, so that a valid setting cannot fail later.
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
