import { describeValue, didYouMean, quoted } from '../contract/questions.ts';
import type { JsonSchema } from './json-schema.ts';

/** A rule for a value: a test, and the end of the sentence "it must be …". */
export type ValueRule = { readonly accepts: (value: unknown) => boolean; readonly description: string };

export const text: ValueRule = { accepts: (value) => typeof value === 'string', description: 'a text' };

export const flag: ValueRule = {
  accepts: (value) => typeof value === 'boolean',
  description: 'true or false',
};

export const whole = (least: number, most = Number.MAX_SAFE_INTEGER): ValueRule => ({
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
  description: `a whole number ${most === Number.MAX_SAFE_INTEGER ? `above ${least - 1}` : `from ${least} to ${most}`}`,
});

export const milliseconds: ValueRule = {
  accepts: (value) => typeof value === 'number' && value >= 0,
  description: 'a number of milliseconds, 0 or more',
};

export const oneOf = (...values: readonly string[]): ValueRule => ({
  accepts: (value) => values.includes(value as string),
  description: `one of ${values.join(', ')}`,
});

export const listOf = ({ accepts, description }: ValueRule): ValueRule => ({
  accepts: (value) => Array.isArray(value) && value.every(accepts),
  description: `a list, each ${description}`,
});

/** A plain object of any realm. Dates, Maps and regular expressions are excluded, because they have no readable fields. */
export const object: ValueRule = {
  accepts: (value) => Object.prototype.toString.call(value) === '[object Object]',
  description: 'an object',
};

/**
 * Checks the fields of an object from a caller. An unknown name is an error, because ignoring it would hide the mistake.
 * @param subject a name of the object for messages
 * @throws TypeError for the first wrong field, with the nearest name for an unknown one
 */
export const checkFields = (
  subject: string,
  value: unknown,
  fields: Readonly<Record<string, ValueRule>>,
): void => {
  const known = Object.keys(fields);
  const knownNames = `Allowed: ${known.join(', ')}.`;
  if (!object.accepts(value))
    throw new TypeError(`${subject} must be an object, not ${describeValue(value)}. ${knownNames}`);
  for (const [name, field] of Object.entries(value as object)) {
    const rule = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!rule)
      throw new TypeError(
        `${quoted(name).slice(1, -1)} is not known in ${subject}. ${didYouMean(name, known)}${knownNames}`,
      );
    if (field !== undefined && !rule.accepts(field))
      throw new TypeError(`${name} of ${subject} must be ${rule.description}, not ${describeValue(field)}`);
  }
};

/** The rule of a parameter of the admin API, for the same value in an argument. */
export const ruleOf = (schema: JsonSchema): ValueRule => {
  const { type, pattern, minimum, maximum, enum: values, 'x-form': form } = schema;
  if (Array.isArray(values)) return oneOf(...values);
  if (type === 'boolean') return flag;
  if (type === 'integer') return whole(Number(minimum), Number(maximum));
  if (typeof pattern !== 'string') return text;
  return { accepts: (value) => new RegExp(pattern).test(String(value)), description: String(form) };
};

/** @throws TypeError for an invalid filter, which would match every item */
export const checkFilter = <Filter extends object>(
  subject: string,
  filter: Filter,
  parameters: { readonly [Name in keyof Filter]-?: JsonSchema },
): void =>
  checkFields(
    subject,
    filter,
    Object.fromEntries(
      Object.entries<JsonSchema>(parameters).map(([name, schema]) => [name, ruleOf(schema)]),
    ),
  );
