import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

/** The longest file first: begun last, it would run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]): ReturnType<BaseSequencer['sort']> {
    const isLongest = ({ moduleId }: { moduleId: string }): boolean =>
      moduleId.endsWith('kill-matrix.test.ts');
    return [...files.filter(isLongest), ...files.filter((file) => !isLongest(file))];
  }
}

export default defineConfig({
  test: {
    root: '.',
    include: ['mock/**/*.test.ts', 'contract-tests/**/*.test.ts', 'scripts/**/*.test.ts'],
    // A test that needs longer than this hangs.
    testTimeout: 20_000,
    // Vitest keeps a core free; on two cores that is half of them.
    maxWorkers: 2,
    // Servers that are slow on purpose wait side by side.
    maxConcurrency: 12,
    sequence: { sequencer: LongestFirst },
  },
});
