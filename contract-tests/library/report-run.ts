// A run and its report: what the command line and the library have in common.

import type { Profile } from '../../mock/contract/profile.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { Ledger } from '../client/ledger.ts';
import type { Check } from '../facts/check.ts';
import { askAgain } from '../questions/drift.ts';
import { abortReason, buildReport } from '../reports/build-report.ts';
import type { Report } from '../reports/report.ts';
import { type RunResult, runChecks } from '../runner/check-runner.ts';
import { inRun, type Run, type TargetOptions } from '../runner/run.ts';
import { type AnswerVerdict, emptyResult, type Summary, summarise } from '../runner/summary.ts';
import { notStarted } from '../runner/verdict.ts';
import type { Shared } from '../session/shared.ts';
import { redactorFor, type Target } from '../session/target.ts';
import { applyWaivers, type Waiver } from '../waivers/waivers.ts';

type Options = Omit<TargetOptions, keyof Target> & {
  readonly target: Target;
  readonly checks: readonly Check[];
  readonly runId: string;
  readonly ledger: Ledger;
  readonly strict: boolean;
  readonly waivers: readonly Waiver[];
  /** The profile whose pinned answers must still hold. */
  readonly profile?: Profile | undefined;
  /** Number of checks that are left to a thorough run. */
  readonly leftToThorough?: number;
};

/**
 * Runs checks, then the questions of a profile, and reports what they show. Where nothing could be tested, there is a report that
 * says why, and no run.
 */
export const reportRun = async ({
  target,
  checks,
  strict,
  waivers,
  profile,
  leftToThorough,
  ...settings
}: Options): Promise<{ readonly report: Report; readonly run?: Run }> => {
  const { version } = manifest;
  const { runId, ledger } = settings;
  const options = { ...target, ...settings, version };
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - started);
  const reportOf = (run: Run, summary: Summary, answers?: readonly AnswerVerdict[]): Report =>
    buildReport({ target, run, summary, strict, version, leftToThorough, answers });
  const work = async (shared: Shared): Promise<RunResult & { answers?: readonly AnswerVerdict[] }> => {
    const result = await runChecks(shared, checks);
    return profile === undefined || result.interrupted
      ? result
      : { ...result, ...(await askAgain(shared, target, profile, result)) };
  };
  try {
    const { answers, ...result } = await inRun(options, 'contract', work);
    const { verdicts, unused } = applyWaivers(result.verdicts, waivers, startedAt.slice(0, 10));
    const run = { ...result, verdicts };
    return { report: reportOf(run, summarise(run, strict, unused, answers), answers), run };
  } catch (error) {
    const reason = abortReason(error);
    if (!reason) throw error;
    const run: Run = {
      ...emptyResult,
      verdicts: checks.map((check) => ({ check, status: 'skipped', reason: notStarted })),
      runId,
      startedAt,
      durationMs: elapsedMs(),
      exchanges: [],
      mailsRequested: 0,
      waitedMs: 0,
      leftoverLeads: ledger.open(),
      redact: redactorFor(target),
    };
    return { report: reportOf(run, { ...summarise(run, false), ...reason }) };
  }
};
