import type { Address } from '../../mock/contract/gateway.ts';
import type { Profile, ProfileEntry } from '../../mock/contract/profile.ts';
import { findQuestion, type Question, type QuestionId } from '../../mock/contract/questions.ts';
import { curlFor } from '../client/curl.ts';
import type { RunResult } from '../runner/check-runner.ts';
import type { AnswerVerdict } from '../runner/summary.ts';
import type { Shared } from '../session/shared.ts';
import { observe, type QuestionResult } from './observe.ts';
import { probesFor } from './probes/index.ts';
import type { Probe } from './probes/probe.ts';
import { bySection } from './profile.ts';

/** Compares the answers of a profile with the results of the probes. */
export const compareAnswers = (
  { answers }: Profile,
  results: readonly QuestionResult[],
  target: Address,
): AnswerVerdict[] =>
  (Object.keys(answers) as QuestionId[])
    .flatMap((id) => findQuestion(id) ?? [])
    .sort(bySection)
    .flatMap((question) => {
      const entry = answers[question.id];
      const result = results.find((result) => result.question.id === question.id);
      return entry ? [compareAnswer(question, entry, result, target)] : [];
    });

const compareAnswer = (
  question: Question,
  entry: ProfileEntry,
  result: QuestionResult | undefined,
  target: Address,
): AnswerVerdict => {
  const { answer: expected, state } = entry;
  const about = { question: question.id, section: question.section, state, expected };
  if (result === undefined)
    return {
      ...about,
      status: 'skipped',
      reason: question.observable
        ? 'the run ended before it was asked'
        : 'it cannot be observed from outside',
    };
  if (result.status !== 'answered') return { ...about, status: result.status, reason: result.reason };
  const { answer: actual, evidence, exchange } = result;
  const base = { ...about, actual, evidence };
  if (actual === expected) return { ...base, status: state === 'pinned' ? 'match' : 'observed' };
  const curl = curlFor(target, exchange);
  if (state === 'pinned') return { ...base, status: 'drift', curl };
  return { ...base, status: 'observed', reason: `it was ${expected} when it was observed`, curl };
};

// The questions of a profile, asked again after the checks of a run.

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
