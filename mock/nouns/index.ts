import { faultPart } from '../faults/faults.ts';
import { faultRoutes } from '../faults/routes.ts';
import type { Noun, Part, Routes } from '../route/noun.ts';
import type { Explain } from '../route/wait.ts';
import { answerPart, answerRoutes } from './answers.ts';
import { clockPart, clockRoutes } from './clock.ts';
import { type Events, eventRoutes } from './events.ts';
import { type Journal, requestPart } from './journal.ts';
import { leadPart, leadRoutes } from './leads.ts';
import { type MockStatus, mockRoutes } from './mock.ts';
import { outboxPart, outboxRoutes } from './outbox.ts';
import { requestRoutes } from './requests.ts';
import { stateRoutes, type WholeWorkspace } from './state.ts';
import { templatePart, templateRoutes } from './templates.ts';

/** The parts of a workspace that a state contains, and that publish events, by their names there. */
export const parts = {
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
export const partList = Object.entries(parts) as unknown as readonly (readonly [PartName, Part])[];

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

/* @__NO_SIDE_EFFECTS__ */
const noun = (name: string, description: string, routes: Routes<Parts>): Noun<Parts> => ({
  name,
  description,
  routes,
});

/** The nouns of the admin API: one file for each, with its state and its routes. */
export const nouns: readonly Noun<Parts>[] = [
  noun('Mock', 'The mock itself.', mockRoutes),
  noun('State', 'The complete state of the workspace, and its seed.', stateRoutes),
  noun('Outbox', 'Messages captured instead of sent.', outboxRoutes),
  noun('Templates', 'Email templates.', templateRoutes),
  noun('Leads', 'Stored leads.', leadRoutes),
  noun('Answers', 'Answers to the open questions, per workspace.', answerRoutes),
  noun(
    'Requests',
    'The journal: requests, responses, and the reason for each error response.',
    requestRoutes,
  ),
  noun('Faults', 'Fault injection.', faultRoutes),
  noun('Clock', 'The time of the workspace.', clockRoutes),
  noun('Events', 'A live stream of changes in the workspace.', eventRoutes),
];
