import type { Address } from '../../mock/contract/gateway.ts';
import type { Profile, ProfileEntry } from '../../mock/contract/profile.ts';
import { findQuestion, type Question, type QuestionId } from '../../mock/contract/questions.ts';
import { curlFor } from '../client/curl.ts';
import { inRun, type TargetOptions } from '../runner/run.ts';
import { type AnswerVerdict, groupBy, plural } from '../runner/summary.ts';
import { observe, type QuestionResult } from './observe.ts';
import { probesFor } from './probes/index.ts';
import type { Probe } from './probes/probe.ts';
import { bySection } from './profile.ts';

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
export const unaskedGate = (profile: Profile, reason: string): Gate => ({
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

/** Formats the answers: drift with its evidence, changed and unanswered questions, then the counts. */
export const answerLines = (
  { answers, requests, mails }: Pick<Gate, 'answers' | 'requests' | 'mails'>,
  isQuiet = false,
): string[] => {
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
