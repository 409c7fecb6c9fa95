import type { FaultState } from '../faults/faults.ts';
import type { Answers } from '../generated/questions.ts';
import type { components } from '../generated/state.ts';
import type { Message, Template } from '../mail/template.ts';
import { AdminError, RawReply, type Routes } from '../route/noun.ts';
import { object, ref, success, switchedBy, wholeNumber } from '../route/schemas.ts';
import { limits, StoreFull } from '../store/store.ts';
import type { ClockSetting } from './clock.ts';
import type { JournalEntry } from './journal.ts';
import type { Lead } from './leads.ts';

const tooLarge = {
  description: `The state is larger than ${limits.stateBytes} bytes or has more than ${limits.stateValues} values, or a store has no room for it. Nothing was changed.`,
  schema: ref('Refusal'),
};

/** A workspace as a whole. */
export type WholeWorkspace = {
  readonly exportState: () => WorkspaceState;
  /**
   * Replaces the content.
   * @param document valid by its schema
   * @throws StateError if it breaks a rule that a schema cannot express, StoreFull if a store has no room; with nothing changed
   */
  readonly load: (document: StateDocument) => void;
  /** Replaces the content, and sets what later resets restore. @throws as `load` */
  readonly seed: (document: StateDocument) => void;
  /** Restores the seed, whose file is read again if it has changed; ids restart. @throws Error for a file that cannot be read */
  readonly reset: () => void;
  /** The seed that only this workspace has. */
  readonly ownSeed: () => WorkspaceState | undefined;
};

/** The complete workspace state. What GET returns is valid for PUT and as a seed. */
export const stateRoutes = {
  'GET /state': {
    id: 'getState',
    summary: 'Get the workspace state',
    description:
      'The complete state. Without changes in between, two responses are equal. The response is a valid body for PUT and a valid file for `--seed`, up to 200,000 values.',
    replies: { ...success('The workspace state.', ref('State')), 413: tooLarge },
    run: ({ whole }) => {
      const json = JSON.stringify(whole.exportState());
      if (Buffer.byteLength(json) <= limits.stateBytes)
        return new RawReply(json, { 'content-type': 'application/json; charset=utf-8' });
      throw new AdminError(
        413,
        `the state cannot be read, as PUT would reject it: it is larger than ${limits.stateBytes} bytes`,
        'Use DELETE /__admin/outbox or DELETE /__admin/requests to make it smaller.',
      );
    },
  },
  'PUT /state': {
    id: 'putState',
    summary: 'Replace the workspace state (atomic)',
    description:
      'Omitted parts get the defaults of a new workspace. If anything is invalid, or too large, nothing is changed. A reset still restores the old seed, unless `seed=true` makes this state the new seed.',
    query: { seed: switchedBy('Whether this state also becomes the seed of the workspace.') },
    body: ref('State'),
    replies: { ...success('The state after the change.', ref('State')), 413: tooLarge },
    run: ({ whole }, { body, query }) => {
      const document = body as StateDocument;
      try {
        if (query.seed) whole.seed(document);
        else whole.load(document);
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
      'Resets leads, templates, outbox, journal, faults, clock, answers and ids of this workspace only. Reads the file of `--seed` again where it was changed. Open waits end with an error. The numbers of cursors go on: to an earlier cursor, all that comes after the reset is new.',
    replies: {
      ...success('The workspace was reset.', object({ status: { const: 'reset' }, templates: wholeNumber })),
      409: { description: 'The seed file was changed and cannot be read.', schema: ref('Refusal') },
    },
    run: (parts) => {
      try {
        parts.whole.reset();
      } catch (error) {
        const hint = 'Nothing was reset. Correct the seed file and reset again.';
        throw new AdminError(409, (error as Error).message, hint);
      }
      return { status: 'reset', templates: parts.templates.size() };
    },
  },
} satisfies Routes<{ readonly whole: WholeWorkspace; readonly templates: { readonly size: () => number } }>;

/** The complete content of a workspace, as `GET /__admin/state` returns it. `outbox` and `requests` are oldest first. */
export type WorkspaceState = {
  readonly leads: readonly Lead[];
  readonly templates: readonly Template[];
  readonly outbox: readonly Message[];
  readonly requests: readonly JournalEntry[];
  readonly faults: readonly FaultState[];
  readonly clock: ClockSetting;
  readonly answers: Readonly<Partial<Answers>>;
  readonly counters: Required<components['schemas']['Counters']>;
};

/** A state as people write it. Omitted parts have the values of a new workspace, or follow from the other parts. */
export type StateDocument = Omit<components['schemas']['State'], 'answers'> &
  Partial<Pick<WorkspaceState, 'answers'>>;
