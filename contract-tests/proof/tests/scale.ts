import { isWhole } from '../../../mock/testing/scale.ts';
import type { BrokenDeployment } from '../broken/mutation.ts';
import type { ConformingDeployment } from '../conforming/index.ts';
import { brokenSample, conformingSample, conformingSlowFirst } from '../sample.ts';

/** Every group and every check; some of them in `npm test`. */
export const brokenInTest: readonly BrokenDeployment[] = isWhole ? brokenSample : brokenSample.slice(0, 10);

export const conformingInTest: readonly ConformingDeployment[] = isWhole
  ? conformingSlowFirst
  : conformingSample;

/** Profiles of random answers for the round trip. */
export const profilesInTest = isWhole ? 60 : 1;
