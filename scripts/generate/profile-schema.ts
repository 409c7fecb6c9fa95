import type { Answer, Question } from '../../mock/contract/questions.ts';
import { profileSchemaWith } from '../../mock/validation/profile.ts';

/** The JSON Schema of a profile, with which an editor can complete ids and answers. */
export const profileSchema = (questions: readonly Question[]): object => {
  const { $defs, ...schema } = profileSchemaWith({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(questions.map((question) => [question.id, entryOf(question)])),
  });
  return { ...schema, $defs: { entry: { ...$defs.entry, ...reasonOfPin } } };
};

const reasonOfPin = {
  if: { properties: { state: { const: 'pinned' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['reason'] },
};

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
