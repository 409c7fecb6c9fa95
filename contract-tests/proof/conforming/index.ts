import { createService } from '../server/server.ts';
import type { Deployment } from '../server/types.ts';
import { combined } from './combined.ts';
import { startIndependentServer } from './independent-server.ts';
import { leadHabits } from './leads.ts';
import { addresses, requests } from './requests.ts';
import { failures, pages, replies, transport } from './responses.ts';
import { editedTemplates, refusedMails } from './templates.ts';
import { type Variant, variants } from './variant.ts';

export type ConformingDeployment = Deployment & Pick<Variant, 'group' | 'requirements'>;

/** Every conforming deployment that is `createService`; what broken ones are built on. */
export const conformingVariants: readonly Variant[] = [
  variants('plain')('plain', 'Decides every open point in the most usual way', {}),
  ...addresses,
  ...requests,
  ...failures,
  ...replies,
  ...transport,
  ...combined,
  ...pages,
  ...editedTemplates,
  ...refusedMails,
  ...leadHabits,
];

/** Servers that keep every promise of the document, and of which no suite may say otherwise. */
export const conforming: readonly ConformingDeployment[] = [
  ...conformingVariants.map((variant) => ({
    ...variant,
    start: createService(variant.behaviour, variant.habit).start,
  })),
  {
    id: 'another-service',
    title: 'An implementation that shares no line with the others',
    group: 'another',
    requirements: {},
    start: startIndependentServer,
  },
];
