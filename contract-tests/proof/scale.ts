import { inject } from 'vitest';
import type { BrokenDeployment } from './broken/mutation.ts';
import type { ConformingDeployment } from './conforming/index.ts';
import { brokenSample, conformingSample } from './sample.ts';
import { broken, conforming } from './servers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** How much of the proof runs: all of it with `npm run proof`, a sample of it with `npm test`. */
    readonly proof: 'sample' | 'whole';
  }
}

export const isWhole = inject('proof') === 'whole';

export const brokenInTest: readonly BrokenDeployment[] = isWhole ? broken : brokenSample;

export const conformingInTest: readonly ConformingDeployment[] = isWhole ? conforming : conformingSample;

/** Profiles of random answers for the round trip. */
export const profilesInTest = isWhole ? 200 : 2;

/** Time for one test, in ms. Only a test that hangs needs more, even on a busy machine. */
export const proofTestMs = 600_000;
