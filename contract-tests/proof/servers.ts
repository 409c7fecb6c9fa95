import { broken as brokenResponses } from './broken/index.ts';
import { contents } from './broken/leads/contents.ts';
import { commonDefects, undocumentedDemands } from './broken/leads/demands.ts';
import { effects } from './broken/leads/effects.ts';
import { histories } from './broken/leads/history.ts';
import { passing } from './broken/leads/lasting.ts';
import { lastingRefusals } from './broken/leads/lasting-refusals.ts';
import { otherEffects } from './broken/leads/other-effects.ts';
import { storage } from './broken/leads/storage.ts';
import type { BrokenDeployment } from './broken/mutation.ts';

/** Every broken server. */
export const broken: readonly BrokenDeployment[] = [
  ...brokenResponses,
  ...effects,
  ...passing,
  ...undocumentedDemands,
  ...commonDefects,
  ...histories,
  ...otherEffects,
  ...storage,
  ...contents,
  ...lastingRefusals,
];

export type { BrokenDeployment } from './broken/mutation.ts';
export { type ConformingDeployment, conforming } from './conforming/index.ts';
export type { Deployment, RunningDeployment } from './server/types.ts';
