import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** How much of the proof runs: all of it with `npm run proof`, a sample of it with `npm test`. */
    readonly proof: 'sample' | 'whole';
  }
}

/** Whether this is `npm run proof`. `npm test` takes a smaller number of the same. */
export const isWhole = inject('proof') === 'whole';
