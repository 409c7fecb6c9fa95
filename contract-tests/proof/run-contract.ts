import type { Check } from '../facts/check.ts';
import { runChecks } from '../runner/check-runner.ts';
import { inRun, type Run, type TargetOptions } from '../runner/run.ts';

type Options = TargetOptions & { readonly checks: readonly Check[] };

/**
 * Runs checks against one deployment, without a report, from the first request to the last deletion.
 * @throws CannotTest if nothing can be tested: no response, key refused, another service
 */
export const runContract = ({ checks, ...options }: Options): Promise<Run> =>
  inRun(options, 'contract', (shared) => runChecks(shared, checks));
