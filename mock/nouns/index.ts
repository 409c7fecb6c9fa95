import { faultRoutes } from '../faults/routes.ts';
import type { Noun, Routes } from '../route/noun.ts';
import { answerRoutes } from './answers.ts';
import { clockRoutes } from './clock.ts';
import { eventRoutes } from './events.ts';
import { leadRoutes } from './leads.ts';
import { mockRoutes, workspaceRoutes } from './mock.ts';
import { outboxRoutes } from './outbox.ts';
import { requestRoutes } from './requests.ts';
import { stateRoutes } from './state.ts';
import { templateRoutes } from './templates.ts';

type PartsOf<Table> = Table extends Routes<infer Parts> ? Parts : never;

/** The parts of a workspace that the routes use. */
export type Parts = PartsOf<typeof answerRoutes> &
  PartsOf<typeof clockRoutes> &
  PartsOf<typeof eventRoutes> &
  PartsOf<typeof faultRoutes> &
  PartsOf<typeof leadRoutes> &
  PartsOf<typeof mockRoutes> &
  PartsOf<typeof outboxRoutes> &
  PartsOf<typeof requestRoutes> &
  PartsOf<typeof stateRoutes> &
  PartsOf<typeof templateRoutes>;

const noun = (name: string, description: string, routes: Routes<Parts>): Noun<Parts> => ({
  name,
  description,
  routes,
});

/** The nouns of the admin API: one file for each, with its state and its routes. */
export const nouns: readonly Noun<Parts>[] = [
  noun('Mock', 'The mock itself.', { ...mockRoutes, ...workspaceRoutes }),
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
