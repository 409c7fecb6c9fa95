import type { Check } from '../check.ts';
import { checks } from '../checks/index.ts';
import { selectChecks } from '../select.ts';
import named from './catchers.json' with { type: 'json' };

const few: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(named));

/**
 * Checks that are enough to catch a broken deployment, by `npm run kill-matrix`, which asks all of them of all: a tenth of the
 * requests, so that the proof can be repeated with every run of the tests. All of them for one that was not asked yet.
 */
export const catchersOf = ({ id }: { readonly id: string }): readonly Check[] => {
  const ids = few.get(id);
  return ids ? selectChecks(checks, ids, []) : checks;
};
