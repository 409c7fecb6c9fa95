// `npm test`: every test file, with a sample of the suite's proof. `npm run proof` runs the whole proof.
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { missingProducts } from './build/products.mjs';
import { isStale } from './build/stamp.mjs';

const missing = missingProducts('.');
if (missing.length > 0) throw new Error(`run npm run build, which writes ${missing.join(', ')}`);
// Not an error, because the tests of a single file need no build.
if (isStale('.'))
  console.error('The sources have changed since the last build: run npm run build for tests that use dist.');

/** Files that wait for slow servers, and files with a high CPU load: both first, and alternating, to keep every core busy. */
const waiting =
  /proof\/tests\/(broken|conforming|outages)|(questions\/observe|client\/tests\/(ledger|permissions|client)|cli\/tests\/waiting)\.test/;
const busy =
  /proof\/tests\/|cli\/(tests\/)?\w+\.test|ui\/tests\/|examples\/playwright|tests\/(limits|state|answers|types|hostile|secrets|footprint|action|dockerfile)[.-]/;

class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]): ReturnType<BaseSequencer['sort']> {
    const isIn = (pattern: RegExp) => (file: { moduleId: string }) => pattern.test(file.moduleId);
    const slow = files.filter(isIn(waiting)).reverse();
    const long = files.filter((file) => isIn(busy)(file) && !slow.includes(file));
    const byTurns = [...slow, ...long].flatMap((_, index) => [slow[index] ?? [], long[index] ?? []].flat());
    return [...byTurns, ...files.filter((file) => !byTurns.includes(file))];
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
    // Vitest leaves a core free, which is half of two cores. Many tests wait for slow servers, so that more workers than
    // cores are needed; but each one loads all modules, and with many the longest files end last.
    maxWorkers: 5,
    // Slow servers can wait concurrently.
    maxConcurrency: 12,
    sequence: { sequencer: LongestFirst },
  },
});
