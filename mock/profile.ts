import { readFileSync } from 'node:fs';
import {
  type Answer,
  findQuestion,
  listQuestions,
  nearest,
  parseAnswer,
  type QuestionId,
} from './questions.ts';

/** What is known of one question. `observed`: a probe found it. `pinned`: somebody decided that it is to stay so. */
export type ProfileEntry = {
  readonly answer: Answer;
  readonly state: 'observed' | 'pinned';
  /** ISO 8601, UTC. */
  readonly observed_at: string;
  readonly suite_version: string;
  /** What was asked and what came, masked. */
  readonly evidence: string;
  /** Why it is pinned. */
  readonly reason?: string;
};

/** The answers of one deployment, in a file made to be committed and reviewed. */
export type Profile = {
  readonly $schema?: string;
  /** URL without user, password and query. */
  readonly deployment: string;
  /** Changes when a question or an answer space does. */
  readonly questions_digest: string;
  readonly answers: Readonly<Partial<Record<QuestionId, ProfileEntry>>>;
};

/** A file that is no profile; one line that names the file, the place and what would be right. */
export class ProfileError extends Error {}

/** @throws ProfileError */
export const readProfile = (file: string): Profile => parseProfile(readText(file), file);

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ProfileError(`${file} cannot be read: ${(error as Error).message}`);
  }
};

/**
 * @param file its name, for messages
 * @throws ProfileError
 */
export const parseProfile = (text: string, file: string): Profile => {
  const content = objectAt(parsed(text, file), file, 'the file');
  const known = ['$schema', 'deployment', 'questions_digest', 'answers'];
  refuseOthers(content, known, file, 'the file');
  const deployment = textAt(content, 'deployment', file, 'the file');
  const questions_digest = textAt(content, 'questions_digest', file, 'the file');
  const answers = Object.entries(objectAt(content.answers, file, 'answers')).map(
    ([id, entry]) => [id, entryAt(id, entry, file)] as const,
  );
  const schema = typeof content.$schema === 'string' ? { $schema: content.$schema } : {};
  return { ...schema, deployment, questions_digest, answers: Object.fromEntries(answers) };
};

/** The bare answers, as `resolveAnswers` takes them. */
export const answersIn = ({ answers }: Profile): Record<string, Answer> =>
  Object.fromEntries(Object.entries(answers).map(([id, { answer }]) => [id, answer]));

type Fields = Readonly<Record<string, unknown>>;

const parsed = (text: string, file: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProfileError(`${file} is not JSON: ${(error as Error).message.replaceAll(/\s+/g, ' ')}`);
  }
};

const entryFields = ['answer', 'state', 'observed_at', 'suite_version', 'evidence', 'reason'];

const entryAt = (id: string, given: unknown, file: string): ProfileEntry => {
  const place = `answers.${id}`;
  const question = findQuestion(id);
  if (!question) {
    const ids = listQuestions().map((one) => one.id);
    throw new ProfileError(
      `${file}, ${place}: there is no such open question; did you mean ${nearest(id, ids)}?`,
    );
  }
  const entry = objectAt(given, file, place);
  refuseOthers(entry, entryFields, file, place);
  const { state, reason } = entry;
  if (state !== 'observed' && state !== 'pinned')
    throw new ProfileError(`${file}, ${place}: state must be "observed" or "pinned", not ${shown(state)}`);
  if (state === 'pinned' || reason !== undefined) textAt(entry, 'reason', file, place);
  const observed_at = textAt(entry, 'observed_at', file, place);
  if (Number.isNaN(Date.parse(observed_at)))
    throw new ProfileError(`${file}, ${place}: observed_at must be a time like 2026-03-02T10:15:30.000Z`);
  return {
    answer: answerAt(id as QuestionId, entry.answer, file),
    state,
    observed_at,
    suite_version: textAt(entry, 'suite_version', file, place),
    evidence: textAt(entry, 'evidence', file, place),
    ...(typeof reason === 'string' ? { reason } : {}),
  };
};

/** In its own type, as the schema says: `404` and not `"404"`. */
const answerAt = (id: QuestionId, given: unknown, file: string): Answer => {
  const question = findQuestion(id);
  try {
    const answer = question && parseAnswer(question, given);
    if (answer !== undefined && answer === given) return answer;
  } catch {
    // below
  }
  const allowed = question?.answers.map((one) =>
    typeof one === 'number' || /^\d+-\d+$/.test(one) ? one : `"${one}"`,
  );
  throw new ProfileError(
    `${file}, answers.${id}: answer cannot be ${shown(given)}; the answers are ${allowed?.join(', ')}`,
  );
};

const objectAt = (value: unknown, file: string, place: string): Fields => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new ProfileError(`${file}, ${place}: it must be a JSON object, not ${shown(value)}`);
};

const textAt = (fields: Fields, name: string, file: string, place: string): string => {
  const value = fields[name];
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new ProfileError(`${file}, ${place}: ${name} must be a text, not ${shown(value)}`);
};

const refuseOthers = (fields: Fields, known: readonly string[], file: string, place: string): void => {
  const stray = Object.keys(fields).find((name) => !known.includes(name));
  if (stray === undefined) return;
  throw new ProfileError(`${file}, ${place}: there is no field ${shown(stray)}, only ${known.join(', ')}`);
};

const shown = (value: unknown): string => {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};
