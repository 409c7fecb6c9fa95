import type { Answer, QuestionId } from './questions.ts';

/** The answer to one question. `observed`: found by a probe. `pinned`: a person decided that it must not change. */
export type ProfileEntry = {
  readonly answer: Answer;
  readonly state: 'observed' | 'pinned';
  /** ISO 8601, UTC. */
  readonly observed_at: string;
  readonly suite_version: string;
  /** The requests and responses that show the answer, redacted. */
  readonly evidence: string;
  /** Why it is pinned. */
  readonly reason?: string;
};

/** The answers of one deployment: a file to be committed and reviewed. */
export type Profile = {
  readonly $schema?: string;
  /** URL without user, password and query. */
  readonly deployment: string;
  /** Changes when a question or an answer space does. */
  readonly questions_digest: string;
  readonly answers: Readonly<Partial<Record<QuestionId, ProfileEntry>>>;
};

/** An invalid profile. The message is one line that names the file, the place and what is expected. */
export class ProfileError extends Error {}

/** The answers by id, for `resolveAnswers`. */
export const answersFrom = ({ answers }: Profile): Record<string, Answer> =>
  Object.fromEntries(Object.entries(answers).map(([id, { answer }]) => [id, answer]));
