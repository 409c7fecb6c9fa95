import type { Address } from '../../mock/contract/gateway.ts';
import type { Profile, ProfileEntry } from '../../mock/contract/profile.ts';
import { findQuestion, type Question, type QuestionId } from '../../mock/contract/questions.ts';
import { curlFor } from '../client/curl.ts';
import type { AnswerVerdict } from '../runner/summary.ts';
import type { QuestionResult } from './observe.ts';
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
