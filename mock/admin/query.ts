import { quoted } from '../errors.ts';
import { nearest } from '../questions.ts';
import { AdminError, type AdminRequest } from './route.ts';
import type { JsonSchema } from './schemas.ts';

type Parameters = Readonly<Record<string, JsonSchema>>;

/** Parameters of every route; what they mean is decided elsewhere. */
const everywhere = ['key'];

/**
 * Holds a query to its parameters. One that is not known is a mistake, and a filter that is ignored looks like one that works.
 * @throws AdminError 400 naming the parameter and what it may be
 */
export const checkQuery = (query: AdminRequest['query'], parameters: Parameters, where = 'query'): void => {
  const known = [...Object.keys(parameters), ...(where === 'query' ? everywhere : [])];
  for (const [name, value = ''] of Object.entries(query)) {
    if (where === 'query' && everywhere.includes(name)) continue;
    const schema = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!schema)
      throw new AdminError(
        400,
        `${where}/${quoted(name).slice(1, -1)} is not known here`,
        `Did you mean ${nearest(name.slice(0, 200), known)}? There ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}.`,
      );
    const wanted = breach(value, schema);
    if (wanted)
      throw new AdminError(
        400,
        `${where}/${name} must be ${wanted}`,
        schema.default === undefined ? String(schema.description) : `Leave it out for ${schema.default}.`,
      );
  }
};

/**
 * Each parameter with its value.
 * @throws AdminError 400 for one that is repeated: which of its values is meant nobody knows
 */
export const single = (query: Readonly<Record<string, string | string[]>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      if (!Array.isArray(value)) return [name, value];
      throw new AdminError(
        400,
        `query/${quoted(name).slice(1, -1)} is there ${value.length} times`,
        'Nothing was done. A parameter has one value.',
      );
    }),
  );

/** What a value must be that is not. */
const breach = (value: string, schema: JsonSchema): string | undefined => {
  const {
    type,
    minimum = 0,
    maximum = 999_999_999,
    pattern,
  } = schema as { minimum?: number; maximum?: number } & JsonSchema;
  if (type === 'boolean') return value === 'true' || value === 'false' ? undefined : 'true or false';
  if (typeof pattern === 'string')
    return new RegExp(pattern).test(value) ? undefined : String(schema['x-form'] ?? `of the form ${pattern}`);
  if (type !== 'integer') return undefined;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  return number >= minimum && number <= maximum ? undefined : `a whole number from ${minimum} to ${maximum}`;
};

/** A number of a query that was found to be one. */
export const numberOf = (value: string | undefined, fallback: number): number =>
  value === undefined ? fallback : Number(value);
