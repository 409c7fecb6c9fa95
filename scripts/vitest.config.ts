// `npm test`: every test file, with a sample of the suite's proof. `npm run proof` runs the whole proof.
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { isStale, missingProducts } from './build/products.mjs';

const missing = missingProducts('.');
if (missing.length > 0) throw new Error(`run npm run build, which writes ${missing.join(', ')}`);
// Not an error, because the tests of a single file need no build.
if (isStale('.'))
  console.error('The sources have changed since the last build: run npm run build for tests that use dist.');

/** Where the files are that take longest, waiting or computing, in this order: what starts last must end soon. */
const longest = ['proof/tests/', 'tests/hostile', 'tests/keys', 'runner/tests/', 'cli/tests/'];

/** The other files are in the order of Vitest: by the time that they took, at first by their size. */
class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]): ReturnType<BaseSequencer['sort']> {
    const rankOf = ({ moduleId }: { moduleId: string }): number => {
      const rank = longest.findIndex((part) => moduleId.includes(part));
      return rank < 0 ? longest.length : rank;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

export default defineConfig({
  test: {
    root: '.',
    include: ['mock/**/*.test.ts', 'contract-tests/**/*.test.ts', 'scripts/**/*.test.ts'],
    provide: { proof: 'sample' },
    // One context for all files of a worker: loading the modules again for each file takes a third of the total time.
    isolate: false,
    // A test that takes longer hangs, even on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Slower tests are printed by name, others by file.
    slowTestThreshold: 10_000,
    // A condition may become true late on a busy machine.
    expect: { poll: { timeout: 12_000 } },
    // Vitest leaves a core free, which is half of two cores. Some tests wait, so that one worker more than cores is needed; each
    // one loads all modules.
    maxWorkers: 3,
    // Slow servers can wait concurrently.
    maxConcurrency: 12,
    sequence: { sequencer: LongestFirst },
  },
});
