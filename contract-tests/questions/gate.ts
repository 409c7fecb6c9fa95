// The questions of a profile, asked again after the checks of a run.

import type { Profile } from '../../mock/contract/profile.ts';
import type { QuestionId } from '../../mock/contract/questions.ts';
import { defaultMaxWait } from '../client/client.ts';
import { CannotTest } from '../runner/preflight.ts';
import { inRun, type Run, type TargetOptions } from '../runner/run.ts';
import type { AnswerVerdict } from '../runner/summary.ts';
import { compareAnswers } from './drift.ts';
import { observe } from './observe.ts';
import { probesFor } from './probes/index.ts';
import type { Probe } from './probes/probe.ts';

export type Gate = {
  readonly answers: readonly AnswerVerdict[];
  readonly interrupted: boolean;
  readonly requests: number;
  readonly mails: number;
  readonly waitedMs: number;
};

/** The probes of all answers in a profile. Those of pinned answers come first, so that they get the permitted mails. */
export const gateProbes = ({ answers }: Profile): readonly Probe[] => {
  const ids = Object.keys(answers) as QuestionId[];
  const pinned = probesFor(ids.filter((id) => answers[id]?.state === 'pinned'));
  return [...pinned, ...probesFor(ids).filter((probe) => !pinned.includes(probe))];
};

/** Repeats the questions of a profile and compares the answers. */
export const runGate = async (options: TargetOptions, profile: Profile): Promise<Gate> => {
  const answersInProfile = Object.entries(profile.answers).map(
    ([id, { answer }]) => [id as QuestionId, answer] as const,
  );
  const { results, interrupted, exchanges, mailsRequested, waitedMs } = await inRun(
    options,
    'observe',
    (shared) => observe(shared, gateProbes(profile), { expected: new Map(answersInProfile) }),
  );
  const answers = compareAnswers(profile, results, options);
  return { answers, interrupted, requests: exchanges.length, mails: mailsRequested, waitedMs };
};

/** The result if no question of a profile could be asked: every answer is undecided. */
const unaskedGate = (profile: Profile, reason: string): Gate => ({
  answers: compareAnswers(profile, [], { url: '' }).map((verdict) => ({
    ...verdict,
    status: 'inconclusive',
    reason,
  })),
  interrupted: false,
  requests: 0,
  mails: 0,
  waitedMs: 0,
});

/** Repeats the questions of a profile after a run, with the permitted mails and the waiting time that its checks left. */
export const runGateAfter = async (run: Run, options: TargetOptions, profile: Profile): Promise<Gate> => {
  const [trouble] = run.troubles;
  if (trouble !== undefined) return unaskedGate(profile, trouble);
  const { permissions, maxWait = defaultMaxWait } = options;
  const maxSends = Math.max(0, permissions.maxSends - run.mailsRequested);
  const left = {
    permissions: { ...permissions, maxSends },
    maxWait: Math.max(0, maxWait - run.waitedMs),
  };
  try {
    return await runGate({ ...options, ...left }, profile);
  } catch (error) {
    if (!(error instanceof CannotTest)) throw error;
    return unaskedGate(profile, error.message);
  }
};

/** A run whose counts and times include those of the questions of a profile. */
export const withGate = (run: Run, gate: Gate | undefined, durationMs: number): Run =>
  gate === undefined
    ? run
    : {
        ...run,
        durationMs,
        mailsRequested: run.mailsRequested + gate.mails,
        waitedMs: run.waitedMs + gate.waitedMs,
      };
