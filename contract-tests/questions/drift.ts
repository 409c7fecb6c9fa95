import type { Address } from '../../mock/contract/gateway.ts';
import type { Profile, ProfileEntry } from '../../mock/contract/profile.ts';
import { findQuestion, type Question, type QuestionId } from '../../mock/contract/questions.ts';
import { curlFor } from '../client/curl.ts';
import { type AnswerVerdict, groupBy, plural } from '../runner/summary.ts';
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

/** The answers of a profile, and what asking for them cost. */
type Asked = {
  readonly answers: readonly AnswerVerdict[];
  readonly requests: number;
  readonly mails: number;
};

/** Formats the answers: drift with its evidence, changed and unanswered questions, then the counts. */
export const answerLines = ({ answers, requests, mails }: Asked, isQuiet = false): string[] => {
  const drifted = answers.filter(({ status }) => status === 'drift').flatMap(driftLines);
  if (isQuiet) return drifted;
  const pinned = answers.filter(({ state }) => state === 'pinned');
  const count = (status: AnswerVerdict['status']): number =>
    pinned.filter((result) => result.status === status).length;
  return [
    ...drifted,
    ...answers.filter(({ actual, reason }) => actual !== undefined && reason !== undefined).map(changedLine),
    ...unansweredLines(answers.filter(({ actual }) => actual === undefined)),
    `answers: ${count('match')} of ${pinned.length} pinned match, ${count('drift')} drifted, ${
      pinned.length - count('match') - count('drift')
    } could not be decided; ${answers.length - pinned.length} observed only; ${plural(requests, 'request')}, of which ${mails} requested mail`,
    '',
  ];
};

const driftLines = ({ question, section, expected, actual, evidence, curl }: AnswerVerdict): string[] => [
  `DRIFT ${question}  §${section}, pinned`,
  `  pinned:   ${expected}`,
  `  now:      ${actual}`,
  `  evidence: ${evidence}`,
  ...(curl === undefined ? [] : [`  replay:   ${curl}`]),
  '',
];

const changedLine = ({ question, expected, actual }: AnswerVerdict): string =>
  `observed: ${question} is ${actual} now, ${expected} in the profile`;

/** Formats questions without an answer, grouped by reason. */
export const unansweredLines = (
  unanswered: readonly { question: string; status: string; reason?: string | undefined }[],
): string[] => {
  const groups = groupBy(unanswered, ({ status, reason }) => `${status}, because ${reason}`);
  return [...groups].map(
    ([reason, group]) => `${reason}: ${group.map(({ question }) => question).join(', ')}`,
  );
};
