import { describeValue } from '../contract/questions.ts';
import { compileJsonSchema, type JsonSchema } from './json-schema.ts';
import { describeSchemaError } from './schema-errors.ts';

/** The schema of an argument: an object whose fields may all be left out. An unknown one is a mistake, and never ignored. */
export const fieldsSchema = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  additionalProperties: false,
});

/**
 * Checks an argument of a caller.
 * @param subject its name for messages
 * @throws TypeError for the first violation
 */
export const checkArgument = (subject: string, argument: unknown, schema: JsonSchema): void => {
  const error = compileJsonSchema(schema)(argument);
  if (!error) return;
  const { pointer, problem } = describeSchemaError(error);
  const place = pointer === '' ? subject : `${pointer.slice(1)} of ${subject}`;
  // An unknown field is named, and its value does not matter.
  const sent = error.name === undefined ? `, not ${describeValue(error.value)}` : '';
  throw new TypeError(`${place} ${problem}${sent}`);
};
