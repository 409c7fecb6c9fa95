// `npm test`: every test file, with a sample of the suite's proof. `npm run proof` runs the whole proof.
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { missingProducts } from './build/products.mjs';
import { isStale } from './build/stamp.mjs';

const missing = missingProducts('.');
if (missing.length > 0) throw new Error(`run npm run build, which writes ${missing.join(', ')}`);
// Not a failure: whoever works on one file need not build for its tests.
if (isStale('.'))
  console.error('The sources have changed since the last build: run npm run build for tests that use dist.');

/** The longest files first: begun last, one would run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]): ReturnType<BaseSequencer['sort']> {
    const isLongest = ({ moduleId }: { moduleId: string }): boolean =>
      /(proof\/tests\/\w.*|ui\/tests\/\w+|examples\/playwright|cli\/\w+|tests\/(state|answers|hostile-text|secrets|owner-journey))\.(test|proof)\.ts$/.test(
        moduleId,
      );
    return [...files.filter(isLongest), ...files.filter((file) => !isLongest(file))];
  }
}

export default defineConfig({
  test: {
    root: '.',
    include: ['mock/**/*.test.ts', 'contract-tests/**/*.test.ts', 'scripts/**/*.test.ts'],
    provide: { proof: 'sample' },
    // One context for all files of a worker: to load the modules anew for each takes a third of the time of all tests.
    isolate: false,
    // A test that needs longer than this hangs, even on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Printed by name; the others by file.
    slowTestThreshold: 10_000,
    // A condition may take a while to come true on a busy machine.
    expect: { poll: { timeout: 12_000 } },
    // Vitest keeps a core free; on two cores that is half of them. One more, as many tests wait for servers slow on purpose.
    maxWorkers: 3,
    // Servers that are slow on purpose wait side by side.
    maxConcurrency: 12,
    sequence: { sequencer: LongestFirst },
  },
});
