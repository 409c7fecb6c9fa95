import type { Answer, Question } from '../../mock/contract/questions.ts';

/** The JSON Schema of a profile, with which an editor can complete ids and answers. */
export const profileSchema = (questions: readonly Question[]): object =>
  schemaWith({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(questions.map((question) => [question.id, entryOf(question)])),
  });

/**
 * The schema for reading profiles. It omits the answer spaces, which the program checks
 * itself: as code they would be very long.
 */
export const profileReaderSchema = (questions: readonly Question[]): object =>
  schemaWith({
    type: 'object',
    propertyNames: { enum: questions.map(({ id }) => id) },
    additionalProperties: { ...entry, required: entry.required.filter((name) => name !== 'answer') },
  });

const schemaWith = (answers: object): object => ({
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

const text = { type: 'string', pattern: '\\S' } as const;

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
  if: { properties: { state: { const: 'pinned' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['reason'] },
} as const;

const entryOf = ({ section, question, answers }: Question): object => ({
  description: `§${section} ${question}`,
  $ref: '#/$defs/entry',
  properties: { answer: spaceOf(answers) },
});

const spaceOf = (answers: readonly Answer[]): object => {
  const ranges = answers.flatMap((answer) => {
    const [, minimum, maximum] = /^(\d+)-(\d+)$/.exec(String(answer)) ?? [];
    return minimum === undefined
      ? []
      : [{ type: 'integer', minimum: Number(minimum), maximum: Number(maximum) }];
  });
  const literals = answers.filter((answer) => !/^\d+-\d+$/.test(String(answer)));
  return ranges.length === 0 ? { enum: literals } : { anyOf: [{ enum: literals }, ...ranges] };
};
