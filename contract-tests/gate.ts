import { type Answer, findQuestion, type Question, type QuestionId } from '../mock/questions.ts';
import { curlFor } from './curl.ts';
import { type Found, observe } from './observe.ts';
import { type Probe, probesFor } from './probes/index.ts';
import { inOrder, type Profile, type ProfileEntry } from './profile.ts';
import { inRun, type TargetOptions } from './run.ts';

/**
 * What a deployment makes of an answer its profile states. Only `drift` gates: a pinned answer that changed. `observed`
 * informs: an answer nobody has decided on, as it is now.
 */
export type AnswerVerdict = {
  readonly question: QuestionId;
  /** Section of the interface document that leaves it open. */
  readonly section: string;
  readonly state: ProfileEntry['state'];
  readonly status: 'match' | 'drift' | 'observed' | 'unstable' | 'inconclusive' | 'skipped';
  readonly expected: Answer;
  readonly actual?: Answer;
  /** Why it could not be told, or that an observed answer changed. */
  readonly reason?: string;
  /** What was asked and what came, masked. */
  readonly evidence?: string;
  /** Replays the request that showed it, the key taken from `$EMAIL_LEADS_API_KEY`. */
  readonly curl?: string;
};

export type Gate = {
  readonly answers: readonly AnswerVerdict[];
  readonly interrupted: boolean;
  readonly requests: number;
  readonly mails: number;
};

/** The probes of every answer in a profile, the pinned ones first: they are what the mails that are permitted are for. */
export const gateProbes = ({ answers }: Profile): readonly Probe[] => {
  const ids = Object.keys(answers) as QuestionId[];
  const pinned = probesFor(ids.filter((id) => answers[id]?.state === 'pinned'));
  return [...pinned, ...probesFor(ids).filter((probe) => !pinned.includes(probe))];
};

/** Asks again what a profile answers, and says what still holds. */
export const runGate = async (options: TargetOptions, profile: Profile): Promise<Gate> => {
  const stated = Object.entries(profile.answers).map(
    ([id, { answer }]) => [id as QuestionId, answer] as const,
  );
  const { found, interrupted, exchanges, mailsRequested } = await inRun(options, 'observe', (shared) =>
    observe(shared, gateProbes(profile), { expected: new Map(stated) }),
  );
  const answers = judgeAnswers(profile, found, options.url);
  return { answers, interrupted, requests: exchanges.length, mails: mailsRequested };
};

const judgeAnswers = ({ answers }: Profile, found: readonly Found[], url: string): AnswerVerdict[] =>
  (Object.keys(answers) as QuestionId[])
    .flatMap((id) => findQuestion(id) ?? [])
    .sort(inOrder)
    .flatMap((question) => {
      const entry = answers[question.id];
      const now = found.find((one) => one.question.id === question.id);
      return entry ? [judge(question, entry, now, url)] : [];
    });

const judge = (
  question: Question,
  entry: ProfileEntry,
  now: Found | undefined,
  url: string,
): AnswerVerdict => {
  const { answer: expected, state } = entry;
  const about = { question: question.id, section: question.section, state, expected };
  if (now === undefined)
    return {
      ...about,
      status: 'skipped',
      reason: question.observable
        ? 'the run ended before it was asked'
        : 'it cannot be found out from outside',
    };
  if (now.status !== 'answered') return { ...about, status: now.status, reason: now.reason };
  const { answer: actual, evidence, exchange } = now;
  const seen = { ...about, actual, evidence };
  if (actual === expected) return { ...seen, status: state === 'pinned' ? 'match' : 'observed' };
  const curl = curlFor(url, exchange);
  if (state === 'pinned') return { ...seen, status: 'drift', curl };
  return { ...seen, status: 'observed', reason: `it was ${expected} when it was observed`, curl };
};

/** The answers in lines: drift with what shows it, what could not be told, then how many hold. */
export const answerLines = ({ answers, requests, mails }: Gate): string[] => {
  const pinned = answers.filter(({ state }) => state === 'pinned');
  const count = (status: AnswerVerdict['status']): number =>
    pinned.filter((one) => one.status === status).length;
  return [
    ...answers.filter(({ status }) => status === 'drift').flatMap(driftLines),
    ...answers.filter(({ actual, reason }) => actual !== undefined && reason !== undefined).map(changedLine),
    ...undecidedLines(answers),
    `answers: ${count('match')} of ${pinned.length} pinned match, ${count('drift')} drifted, ${
      pinned.length - count('match') - count('drift')
    } could not be told; ${answers.length - pinned.length} observed only; ${requests} requests, of which ${mails} asked for mail`,
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

const undecidedLines = (answers: readonly AnswerVerdict[]): string[] => {
  const groups = new Map<string, QuestionId[]>();
  for (const { question, status, actual, reason } of answers) {
    if (actual !== undefined) continue;
    const line = `${status}, because ${reason}`;
    groups.set(line, [...(groups.get(line) ?? []), question]);
  }
  return [...groups].map(([reason, ids]) => `${reason}: ${ids.join(', ')}`);
};
