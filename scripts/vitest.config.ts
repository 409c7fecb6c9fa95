import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

/** The longest files first: begun last, one would run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]): ReturnType<BaseSequencer['sort']> {
    const isLongest = ({ moduleId }: { moduleId: string }): boolean =>
      /(false-alarms|kill-matrix|secrets|page\/\w+|playwright|admin\/state)\.test\.ts$/.test(moduleId);
    return [...files.filter(isLongest), ...files.filter((file) => !isLongest(file))];
  }
}

export default defineConfig({
  test: {
    root: '.',
    include: ['mock/**/*.test.ts', 'contract-tests/**/*.test.ts', 'scripts/**/*.test.ts'],
    // A test that needs longer than this hangs.
    testTimeout: 20_000,
    // Vitest keeps a core free; on two cores that is half of them. One more, as many tests wait for servers slow on purpose.
    maxWorkers: 3,
    // Servers that are slow on purpose wait side by side.
    maxConcurrency: 12,
    sequence: { sequencer: LongestFirst },
  },
});
