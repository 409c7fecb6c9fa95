import { readFileSync } from 'node:fs';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { validators } from '../generated/profile-validator.js';
import {
  type Answer,
  findQuestion,
  listQuestions,
  nearest,
  parseAnswer,
  type QuestionId,
} from './questions.ts';
import { describeReadError } from './system-errors.ts';

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

/** @throws ProfileError */
export const readProfile = (file: string): Profile => parseProfile(readText(file), file);

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ProfileError(describeReadError(file, error));
  }
};

/**
 * Validates by the schema, then each answer by the answer space of its question.
 * @param file its name, for messages
 * @throws ProfileError
 */
export const parseProfile = (text: string, file: string): Profile => {
  const profile = parseJson(text, file);
  if (!isLikeProfile(profile))
    throw new ProfileError(`${file} is not a profile; email-leads observe --output FILE writes one`);
  const validate = validators.validate as unknown as ProfileValidator;
  if (!validate(profile))
    throw new ProfileError(`${file}, ${describeProblem(validate.errors?.[0] as ErrorObject)}`);
  for (const [id, { answer }] of Object.entries(profile.answers)) checkAnswer(id, answer, file);
  return profile;
};

/** Whether a file is probably meant as a profile. For any other file, naming its first missing field would not help. */
const isLikeProfile = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ['deployment', 'questions_digest', 'answers'].some((name) => name in value);

type ProfileValidator = { (value: unknown): value is Profile; readonly errors?: readonly ErrorObject[] };

/** The answers by id, for `resolveAnswers`. */
export const answersFrom = ({ answers }: Profile): Record<string, Answer> =>
  Object.fromEntries(Object.entries(answers).map(([id, { answer }]) => [id, answer]));

const parseJson = (text: string, file: string) => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProfileError(`${file} is not JSON: ${(error as Error).message.replaceAll(/\s+/g, ' ')}`);
  }
};

/** Checks an answer in its own type, as the schema says: `404` and not `"404"`. */
const checkAnswer = (id: string, value: unknown, file: string): void => {
  const question = findQuestion(id);
  try {
    if (question && value !== undefined && parseAnswer(question, value) === value) return;
  } catch {
    // below
  }
  const allowed = question?.answers.map((allowedAnswer) =>
    typeof allowedAnswer === 'number' || /^\d+-\d+$/.test(allowedAnswer)
      ? allowedAnswer
      : `"${allowedAnswer}"`,
  );
  throw new ProfileError(
    `${file}, answers.${id}: answer cannot be ${describeValue(value)}; the answers are ${allowed?.join(', ')}`,
  );
};

type Schema = { readonly type?: string; readonly enum?: readonly string[]; readonly format?: string };
type ParentSchema = Schema & { readonly properties?: Readonly<Record<string, Schema>> };

/** `answers.send.to: evidence must be a text, not ""` */
const describeProblem = ({
  keyword,
  params,
  instancePath,
  propertyName,
  parentSchema,
  data,
}: ErrorObject): string => {
  const schema = parentSchema as ParentSchema;
  const path = instancePath.split('/').slice(1);
  if (propertyName !== undefined) {
    const ids = listQuestions().map(({ id }) => id);
    return `answers.${propertyName}: there is no such open question; did you mean ${nearest(propertyName, ids)}?`;
  }
  if (keyword === 'additionalProperties') {
    const known = Object.keys(schema.properties ?? {}).join(', ');
    return `${nameOf(path)}: there is no field ${describeValue(params.additionalProperty)}, only ${known}`;
  }
  if (keyword === 'required')
    return `${nameOf(path)}: ${params.missingProperty} must be ${describeSchema(schema.properties?.[params.missingProperty])}, not missing`;
  const [field, parent] = schema.type === 'object' ? ['it', path] : [path.at(-1), path.slice(0, -1)];
  return `${nameOf(parent)}: ${field} must be ${describeSchema(schema)}, not ${describeValue(data)}`;
};

const nameOf = (path: readonly string[]): string => path.join('.') || 'the file';

const describeSchema = ({ type, enum: values, format }: Schema = {}): string => {
  if (type === 'object') return 'a JSON object';
  if (values) return values.map((value) => JSON.stringify(value)).join(' or ');
  return format === 'date-time' ? 'a time like 2026-03-02T10:15:30.000Z' : 'a text';
};

const describeValue = (value: unknown): string => {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};
