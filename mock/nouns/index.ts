import { faultPart } from '../faults/faults.ts';
import { faultRoutes } from '../faults/routes.ts';
import type { Explain } from '../route/logs.ts';
import type { Noun, Part } from '../route/noun.ts';
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
