import {
  listQuestions,
  type Profile,
  type ProfileEntry,
  parseAnswer,
  type Question,
} from '../contract/questions.ts';
import { readFileFor, UsageError } from '../contract/system-errors.ts';
import { compileJsonSchema } from './json-schema.ts';
import schema from './profile.schema.json' with { type: 'json' };
import { checkSchema, StateError, withPointer } from './schema-errors.ts';

/** The JSON Schema of a profile with the schema of its answers, which may refer to `#/$defs/entry`. */
export const profileSchemaWith = (answers: object) => ({
  ...schema,
  properties: { ...schema.properties, answers },
});

// The answers themselves are checked by their questions, which name the valid ones.
const readerSchema = () => {
  const reference = { $ref: '#/$defs/entry' };
  return profileSchemaWith({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(listQuestions().map(({ id }) => [id, reference])),
  });
};

/** @throws UsageError */
export const readProfile = (file: string): Profile => parseProfile(readFileFor(file).toString(), file);

/**
 * Validates by the schema, then each entry by its question.
 * @param file its name, for messages
 * @throws UsageError
 */
export const parseProfile = (text: string, file: string): Profile => {
  try {
    const profile: unknown = JSON.parse(text);
    if (!isLikeProfile(profile))
      throw new UsageError(`${file} is not a profile; email-leads observe --output FILE writes one`);
    checkSchema(compileJsonSchema(readerSchema()), profile);
    for (const question of listQuestions()) checkEntry(question, profile.answers[question.id]);
    return profile;
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof StateError) throw new UsageError(`${file}: ${message}`);
    if (error instanceof SyntaxError)
      throw new UsageError(`${file} is not JSON: ${message.replaceAll(/\s+/g, ' ')}`);
    throw error;
  }
};

/** Whether a file is probably meant as a profile. For any other file, naming its first missing field would not help. */
const isLikeProfile = (value: unknown): value is Profile =>
  typeof value === 'object' &&
  value !== null &&
  ['deployment', 'questions_digest', 'answers'].some((name) => name in value);

/** What a schema cannot say of an entry: its answer in its own type (`404` and not `"404"`), and the reason of a pin. */
const checkEntry = (question: Question, entry: ProfileEntry | undefined): void => {
  if (!entry) return;
  const { answer, state, reason } = entry;
  const at = `/answers/${question.id}`;
  const meant = withPointer(`${at}/answer`, () => parseAnswer(question, answer));
  if (meant !== answer)
    throw new StateError(`${at}/answer`, `must be ${JSON.stringify(meant)}, not ${JSON.stringify(answer)}`);
  if (state === 'pinned' && reason === undefined)
    throw new StateError(`${at}/reason`, 'is missing: why is the answer pinned?');
};
