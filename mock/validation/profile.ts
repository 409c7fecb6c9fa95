import { type Profile, type ProfileEntry, ProfileError } from '../contract/profile.ts';
import { listQuestions, nearest, parseAnswer, type Question } from '../contract/questions.ts';
import { readFileFor } from '../contract/system-errors.ts';
import { compileJsonSchema, type SchemaError } from './json-schema.ts';

const text = { type: 'string', pattern: '\\S' };

const entry = {
  type: 'object',
  required: ['answer', 'state', 'observed_at', 'suite_version', 'evidence'],
  properties: {
    answer: true,
    state: {
      enum: ['observed', 'pinned'],
      description: 'Pinned: a person decided that the answer must not change.',
    },
    observed_at: { type: 'string', format: 'date-time' },
    suite_version: text,
    evidence: { ...text, description: 'The requests and responses that show the answer, redacted.' },
    reason: { ...text, description: 'Why it is pinned.' },
  },
  additionalProperties: false,
};

/** The JSON Schema of a profile. @param answers the schema of its answers, which may refer to `#/$defs/entry` */
export const profileSchemaWith = (answers: object) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Profile of `email-leads observe`',
  description:
    'The answers of one deployment to the open questions of the interface document. To be committed and reviewed.',
  type: 'object',
  required: ['deployment', 'questions_digest', 'answers'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    deployment: { ...text, description: 'URL without user, password and query.' },
    questions_digest: { ...text, description: 'Changes if a question or its possible answers change.' },
    answers,
  },
  $defs: { entry },
});

// The answers themselves are checked by their questions, which name the valid ones.
const readerSchema = () => {
  const reference = { $ref: '#/$defs/entry' };
  const schema = profileSchemaWith({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(listQuestions().map(({ id }) => [id, reference])),
  });
  const required = entry.required.filter((name) => name !== 'answer');
  return { ...schema, $defs: { entry: { ...entry, required } } };
};

/** @throws ProfileError */
export const readProfile = (file: string): Profile => parseProfile(readText(file), file);

const readText = (file: string): string => readFileFor(file, (reason) => new ProfileError(reason)).toString();

/**
 * Validates by the schema, then each entry by its question.
 * @param file its name, for messages
 * @throws ProfileError
 */
export const parseProfile = (text: string, file: string): Profile => {
  const profile = parseJson(text, file);
  if (!isLikeProfile(profile))
    throw new ProfileError(`${file} is not a profile; email-leads observe --output FILE writes one`);
  const error = compileJsonSchema(readerSchema())(profile);
  if (error) throw new ProfileError(`${file}, ${describeProblem(error)}`);
  const { answers } = profile as Profile;
  for (const question of listQuestions()) {
    const problem = problemOf(question, answers[question.id]);
    if (problem !== undefined) throw new ProfileError(`${file}, answers.${question.id}: ${problem}`);
  }
  return profile as Profile;
};

/** Whether a file is probably meant as a profile. For any other file, naming its first missing field would not help. */
const isLikeProfile = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  ['deployment', 'questions_digest', 'answers'].some((name) => name in value);

const parseJson = (text: string, file: string) => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProfileError(`${file} is not JSON: ${(error as Error).message.replaceAll(/\s+/g, ' ')}`);
  }
};

/** What a schema cannot say of an entry: its answer in its own type (`404` and not `"404"`), and the reason of a pin. */
const problemOf = (question: Question, entry: ProfileEntry | undefined): string | undefined => {
  if (!entry) return undefined;
  const { answer, state, reason } = entry;
  if (!isAnswer(question, answer)) {
    const allowed = question.answers.map((value) =>
      typeof value === 'number' || /^\d+-\d+$/.test(value) ? value : `"${value}"`,
    );
    return `answer cannot be ${describeValue(answer)}; the answers are ${allowed.join(', ')}`;
  }
  return state === 'pinned' && reason === undefined ? 'reason must be a text, not missing' : undefined;
};

const isAnswer = (question: Question, value: unknown): boolean => {
  try {
    return value !== undefined && parseAnswer(question, value) === value;
  } catch {
    return false;
  }
};

type Schema = { readonly type?: string; readonly enum?: readonly string[]; readonly format?: string };
type ParentSchema = Schema & { readonly properties?: Readonly<Record<string, Schema>> };

/** `answers.send.to: evidence must be a text, not ""` */
const describeProblem = ({ pointer, keyword, schema, value, name = '' }: SchemaError): string => {
  const { properties = {}, ...own } = schema as ParentSchema;
  const path = pointer.split('/').slice(1);
  if (keyword === 'additionalProperties' && pointer === '/answers')
    return `answers.${name}: there is no such open question; did you mean ${nearest(name, Object.keys(properties))}?`;
  if (keyword === 'additionalProperties')
    return `${nameOf(path)}: there is no field ${describeValue(name)}, only ${Object.keys(properties).join(', ')}`;
  if (keyword === 'required')
    return `${nameOf(path)}: ${name} must be ${describeSchema(properties[name])}, not missing`;
  const [field, parent] = own.type === 'object' ? ['it', path] : [path.at(-1), path.slice(0, -1)];
  return `${nameOf(parent)}: ${field} must be ${describeSchema(own)}, not ${describeValue(value)}`;
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
