import { isFailure } from '../reports/view.ts';
import { isUndecided } from '../runner/summary.ts';
import { notStarted } from '../runner/verdict.ts';
import { checksFor, isEmbedded, runContract } from './run-contract.ts';
import type { CheckResult, ContractOptions, Report } from './types.ts';

/** `test` of vitest, Jest, node:test or Playwright. */
export type TestFunction = {
  // Runners differ in what they pass to a test.
  (name: string, run: () => Promise<void>, timeoutMs?: number): unknown;
  skip(name: string, run: () => Promise<void>): unknown;
};

export type ContractTestsOptions = ContractOptions & {
  readonly test: TestFunction;
  /** Milliseconds that the run, and so its first test, may take. Default: 300,000. */
  readonly runTimeoutMs?: number;
};

type Context = {
  readonly skip?: (...reason: unknown[]) => void;
  readonly setTimeout?: (ms: number) => void;
};

/** Skips the running test, in the way of its runner. Jest has none: there the test passes, and says why it decides nothing. */
const skipTest = ([first, second]: readonly (Context | undefined)[], reason: string): void => {
  if (second?.skip) second.skip(true, reason);
  else if (first?.skip) first.skip(reason);
  else console.warn(`not decided: ${reason}`);
};

const textOf = ({ id, section, finding, reason, status }: CheckResult): string =>
  finding === undefined
    ? `${id} (§${section}) is ${status}: ${reason ?? 'no reason is known'}`
    : `${id} (§${section})\nexpected: ${finding.expected}\nactual: ${finding.actual}`;

/** Why the options do not permit a check, before anything runs. */
const forbidden = (options: ContractOptions, needs: string): string | undefined => {
  if (isEmbedded(options) || needs === 'read') return undefined;
  if (needs === 'writes') return options.allowWrites ? undefined : 'it needs allowWrites';
  return options.sendTo === undefined ? 'it needs sendTo' : undefined;
};

/** Jest cannot skip a test that has begun. */
const cannotSkipLater = (test: TestFunction): boolean => 'concurrent' in test && !('extend' in test);

/**
 * Registers one test for each check, named by the fact that it checks. The first test runs all of them once; each then fails
 * with the text of its finding, or is skipped with the reason.
 * @throws Error for options that cannot work
 */
export const contractTests = ({ test, runTimeoutMs = 300_000, ...options }: ContractTestsOptions): void => {
  const { strict = false } = options;
  let run: Promise<Report> | undefined;
  const decide = async (id: string, contexts: readonly (Context | undefined)[]): Promise<void> => {
    contexts[1]?.setTimeout?.(runTimeoutMs);
    run ??= runContract(options);
    const { checks, verdict } = await run;
    const result = checks.find((check) => check.id === id);
    if (result === undefined) throw new Error(verdict);
    if (result.status === 'skipped' && result.reason === notStarted) throw new Error(verdict);
    if (isFailure(result, { strict }) || isUndecided(result)) throw new Error(textOf(result));
    const known = result.waived === undefined ? undefined : `waived: ${result.waived}`;
    const why = known ?? (result.status === 'skipped' ? (result.reason ?? 'skipped') : undefined);
    if (why !== undefined) skipTest(contexts, why);
  };
  for (const { id, title, needs } of checksFor(options)) {
    const name = `${title} (${id})`;
    const register =
      cannotSkipLater(test) && forbidden(options, needs) !== undefined ? test.skip.bind(test) : test;
    register(
      name,
      // No parameters: runners take their number, and their names, for what the test wants from them.
      function () {
        // biome-ignore lint/complexity/noArguments: see above
        return decide(id, Array.from(arguments));
      },
      runTimeoutMs,
    );
  }
};
