import { hasTooManyPlaceholders, maxPlaceholders, placeholdersOf } from '../mail/template.ts';
import { AdminError, RawReply, type Routes } from '../route/noun.ts';
import { object, ref, success, switchedBy, wholeNumber } from '../route/schemas.ts';
import { TextEncoder } from '../runtime/platform.ts';
import { limits, StoreFull } from '../store/store.ts';
import { compileJsonSchema } from '../validation/json-schema.ts';
import { checkSchema, escapePointer, StateError, withPointer } from '../validation/schema-errors.ts';
import schema from '../validation/seed.schema.json' with { type: 'json' };
import { parseAnswerOverrides } from './answers.ts';
import { createClock } from './clock.ts';
import { checkRule, type FaultRule } from './fault-rules.ts';
import type { StateDocument, WorkspaceState } from './state-document.ts';
import type { TemplateInput } from './templates.ts';

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
  for (const [index, rule] of (document.faults ?? []).entries()) checkRule(`/faults/${index}`, rule);
  checkClock('/clock', document.clock ?? {});
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

const checkPlaceholders = (at: string, { body, variables }: TemplateInput): void => {
  if (hasTooManyPlaceholders(body))
    throw new StateError(`${at}/body`, `must not have more than ${maxPlaceholders} placeholders`);
  if (variables && variables.join('\n') !== placeholdersOf(body).join('\n'))
    throw new StateError(
      `${at}/variables`,
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
  const { restore } = createClock();
  if (now === undefined)
    withPointer(`${at}/offset_ms`, () => restore({ frozen: false, offset_ms: offset_ms ?? 0 }));
  else withPointer(`${at}/now`, () => restore({ frozen: true, now }));
};

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
