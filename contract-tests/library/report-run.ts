// A run and its report: what the command line and the library have in common.

import type { Profile, QuestionId } from '../../mock/contract/questions.ts';
import { type Address, redactorFor } from '../client/gateway.ts';
import type { Ledger } from '../client/ledger.ts';
import type { Check } from '../facts/check.ts';
import { observe } from '../questions/observe.ts';
import { probesFor } from '../questions/probes/index.ts';
import type { Probe } from '../questions/probes/probe.ts';
import { compareAnswers } from '../questions/profile.ts';
import { abortReason, buildReport, type ReportOptions } from '../reports/build-report.ts';
import type { Report } from '../reports/report.ts';
import { type RunResult, runChecks } from '../runner/check-runner.ts';
import { CannotTest } from '../runner/preflight.ts';
import { beginRun, inRun, type Run, type TargetOptions } from '../runner/run.ts';
import { type AnswerVerdict, emptyResult } from '../runner/summary.ts';
import { notStarted } from '../runner/verdict.ts';
import type { Shared } from '../session/shared.ts';
import type { Target } from '../session/target.ts';

type Options = TargetOptions &
  Pick<Target, 'kind'> &
  Pick<ReportOptions, 'strict' | 'waivers' | 'leftToThorough'> & {
    readonly checks: readonly Check[];
    readonly runId: string;
    readonly ledger: Ledger;
    /** The profile whose pinned answers must still hold. */
    readonly profile?: Profile | undefined;
  };

/**
 * Runs checks, then the questions of a profile, and reports what they show. Where nothing could be tested, the report says why, and
 * the run is empty.
 */
export const reportRun = async (
  options: Options,
): Promise<{ readonly report: Report; readonly run: Run }> => {
  const { checks, strict = false, waivers = [], profile, leftToThorough, runId, ledger } = options;
  const factsNow = beginRun(runId);
  const about = { target: options, strict, leftToThorough };
  const work = async (shared: Shared): Promise<RunResult & { answers?: readonly AnswerVerdict[] }> => {
    const result = await runChecks(shared, checks);
    return profile === undefined || result.interrupted
      ? result
      : { ...result, ...(await askAgain(shared, options, profile, result)) };
  };
  try {
    const { answers, ...run } = await inRun(options, 'contract', work);
    return { report: buildReport({ ...about, run, waivers, answers }), run };
  } catch (error) {
    const reason = abortReason(error);
    if (!reason) throw error;
    const run: Run = {
      ...emptyResult,
      verdicts: checks.map((check) => ({ check, status: 'skipped', reason: notStarted })),
      ...factsNow(),
      ...(error instanceof CannotTest ? error.effort : {}),
      leftoverLeads: ledger.open(),
      redact: redactorFor(options),
    };
    const conclude: ReportOptions['conclude'] = (summary) => ({ ...summary, ...reason });
    return { report: buildReport({ ...about, run, conclude }), run };
  }
};

/** The probes of all answers in a profile. Those of pinned answers come first, so that they get the permitted mails. */
export const gateProbes = ({ answers }: Profile): readonly Probe[] => {
  const ids = Object.keys(answers) as QuestionId[];
  const pinned = probesFor(ids.filter((id) => answers[id]?.state === 'pinned'));
  return [...pinned, ...probesFor(ids).filter((probe) => !pinned.includes(probe))];
};

/**
 * Asks the questions of a profile again, with the mails and the waiting time that the checks left, and compares the answers. After
 * trouble every answer is undecided.
 */
export const askAgain = async (
  shared: Shared,
  target: Address,
  profile: Profile,
  { troubles: [trouble] }: Pick<RunResult, 'troubles'>,
): Promise<{ readonly answers: readonly AnswerVerdict[]; readonly interrupted: boolean }> => {
  if (trouble !== undefined) {
    const unasked = { status: 'inconclusive', reason: trouble } as const;
    const answers = compareAnswers(profile, [], target).map((answer) => ({ ...answer, ...unasked }));
    return { answers, interrupted: false };
  }
  const expected = new Map(
    Object.entries(profile.answers).map(([id, { answer }]) => [id as QuestionId, answer] as const),
  );
  const { results, interrupted } = await observe(shared, gateProbes(profile), expected);
  return { answers: compareAnswers(profile, results, target), interrupted };
};
