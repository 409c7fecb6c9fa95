import { isWhole } from '../../../mock/testing/scale.ts';
import type { BrokenDeployment } from '../broken/mutation.ts';
import type { ConformingDeployment } from '../conforming/index.ts';
import { brokenSample, conformingSample } from '../sample.ts';
import { broken, conforming } from '../servers.ts';

export const brokenInTest: readonly BrokenDeployment[] = isWhole ? broken : brokenSample;

export const conformingInTest: readonly ConformingDeployment[] = isWhole ? conforming : conformingSample;

/** Profiles of random answers for the round trip. */
export const profilesInTest = isWhole ? 90 : 1;
