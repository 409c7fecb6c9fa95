// The questions of a profile, asked again after the checks of a run.

import type { Address } from '../../mock/contract/gateway.ts';
import type { Profile } from '../../mock/contract/profile.ts';
import type { QuestionId } from '../../mock/contract/questions.ts';
import type { RunResult } from '../runner/check-runner.ts';
import type { AnswerVerdict } from '../runner/summary.ts';
import type { Shared } from '../session/shared.ts';
import { compareAnswers } from './drift.ts';
import { observe } from './observe.ts';
import { probesFor } from './probes/index.ts';
import type { Probe } from './probes/probe.ts';

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
  { discovery, troubles: [trouble] }: Pick<RunResult, 'discovery' | 'troubles'>,
): Promise<{ readonly answers: readonly AnswerVerdict[]; readonly interrupted: boolean }> => {
  if (trouble !== undefined) {
    const unasked = { status: 'inconclusive', reason: trouble } as const;
    const answers = compareAnswers(profile, [], target).map((answer) => ({ ...answer, ...unasked }));
    return { answers, interrupted: false };
  }
  const expected = new Map(
    Object.entries(profile.answers).map(([id, { answer }]) => [id as QuestionId, answer] as const),
  );
  const { results, interrupted } = await observe(shared, gateProbes(profile), { expected, discovery });
  return { answers: compareAnswers(profile, results, target), interrupted };
};
