import { decidersOf } from '../checks/scenarios.ts';
import type { Check } from '../facts/check.ts';
import { type Cost, costOfCheck, costText } from './cost.ts';

/** A check as `--json` describes it. */
export type CheckEntry = Pick<Check, 'id' | 'section' | 'level' | 'needs' | 'operation' | 'title'> & {
  /** Whether only a thorough run has it. */
  readonly thorough: boolean;
  /** What deciding it alone costs, beside the first requests of a run. */
  readonly cost: Omit<Cost, 'wrongKeys'> & { readonly wrong_keys: number };
  /** The scenarios that decide it; none if every response does. */
  readonly decided_by: readonly string[];
};

const isThoroughFor = ({ thorough }: Check, isThorough: boolean): boolean => isThorough || thorough === true;

export const describeChecks = (checks: readonly Check[], isThorough: boolean): CheckEntry[] =>
  checks.map((check) => {
    const { id, section, level, needs, operation, title, thorough } = check;
    const { wrongKeys, ...cost } = costOfCheck(check, isThoroughFor(check, isThorough));
    return {
      id,
      section,
      level,
      needs,
      operation,
      title,
      thorough: thorough === true,
      cost: { ...cost, wrong_keys: wrongKeys },
      decided_by: decidersOf(check).map((scenario) => scenario.id),
    };
  });

/** What decides a check, and what that costs: `33 requests, 4 leads; decided by leads.in-turn`. */
export const decisionText = (check: Check, isThorough: boolean): string => {
  const scenarios = decidersOf(check).map(({ id }) => id);
  const by = scenarios.length === 0 ? 'every response' : scenarios.join(', ');
  return `${costText(check, isThoroughFor(check, isThorough))}; decided by ${by}`;
};

/** One line for each check, with its cost and the scenarios that decide it. */
export const listChecks = (checks: readonly Check[], isThorough: boolean): string[] => {
  const width = Math.max(...checks.map(({ id }) => id.length));
  return checks.map((check) => {
    const { id, title, section, level, needs } = check;
    return `${id.padEnd(width)}  §${section.padEnd(4)}${level.padEnd(11)}${needs.padEnd(7)}${title} (${decisionText(check, isThorough)})`;
  });
};
