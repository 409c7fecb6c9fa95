import {
  type Answer,
  findQuestion,
  listQuestions,
  nearest,
  parseAnswer,
  type Question,
  type QuestionId,
} from '../mock/questions.ts';
import { type Profile, type ProfileEntry, ProfileError } from './profile.ts';

/** `QUESTION` keeps the answer of the file, `QUESTION=ANSWER` states one. */
type Wish = { readonly question: Question; readonly answer?: Answer };

type Made = { readonly reason: string; readonly at: string; readonly version: string };

/** @throws ProfileError naming the nearest id, or the allowed answers */
const wishOf = (text: string): Wish => {
  const [id = '', ...rest] = text.split('=');
  const question = findQuestion(id);
  if (!question) {
    const ids = listQuestions().map((one) => one.id);
    throw new ProfileError(
      `there is no open question ${JSON.stringify(id)}; did you mean ${nearest(id, ids)}?`,
    );
  }
  if (rest.length === 0) return { question };
  try {
    return { question, answer: parseAnswer(question, rest.join('=')) };
  } catch (error) {
    throw new ProfileError((error as Error).message);
  }
};

/**
 * Turns observed answers into decisions. All of them or none: a wrong one leaves the profile as it was.
 * @param wanted question ids, some with `=ANSWER`; `'all'` for every observed answer
 * @throws ProfileError
 */
export const pin = (
  profile: Profile,
  wanted: readonly string[] | 'all',
  made: Made,
): { readonly profile: Profile; readonly lines: readonly string[] } => {
  const wishes = wanted === 'all' ? observedOnes(profile) : wanted.map(wishOf);
  if (wishes.length === 0)
    return { profile, lines: ['nothing to pin: no answer in the file is merely observed'] };
  const answers: Partial<Record<QuestionId, ProfileEntry>> = { ...profile.answers };
  const lines = wishes.map(({ question, answer }) => {
    const { entry, line } = pinned(question.id, answers[question.id], answer, made);
    answers[question.id] = entry;
    return line;
  });
  return { profile: { ...profile, answers }, lines };
};

const observedOnes = ({ answers }: Profile): Wish[] =>
  listQuestions()
    .filter(({ id }) => answers[id]?.state === 'observed')
    .map((question) => ({ question }));

const pinned = (
  id: QuestionId,
  before: ProfileEntry | undefined,
  stated: Answer | undefined,
  { reason, at, version }: Made,
): { readonly entry: ProfileEntry; readonly line: string } => {
  if (stated === undefined || stated === before?.answer) {
    if (!before)
      throw new ProfileError(
        `${id} has no answer in the file: observe it first, or state one with ${id}=ANSWER`,
      );
    const was =
      before.state === 'pinned' ? 'was pinned: the reason is new' : `observed ${before.observed_at}`;
    return {
      entry: { ...before, state: 'pinned', reason },
      line: `pinned ${id} = ${before.answer} (${was})`,
    };
  }
  const entry: ProfileEntry = {
    answer: stated,
    state: 'pinned',
    observed_at: at,
    suite_version: version,
    evidence: 'stated, not observed',
    reason,
  };
  return {
    entry,
    line: `pinned ${id} = ${stated} (${before ? `instead of ${before.answer}` : 'stated, not observed'})`,
  };
};
