import type { ErrorObject } from 'ajv/dist/2020.js';
import { didYouMean } from '../contract/questions.ts';
import type { Validator } from './compiler.ts';

/** An error in a state or a part of it, with its place. */
export class StateError extends Error {
  /** JSON pointer to the place; empty for the whole. */
  readonly pointer: string;
  readonly problem: string;

  constructor(pointer: string, problem: string) {
    super(`${pointer === '' ? 'the document' : pointer} ${problem}`);
    this.name = 'StateError';
    this.pointer = pointer;
    this.problem = problem;
  }
}

const maxListed = 20;

/** Escapes the name of a property for a JSON pointer. */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** "is not known here; did you mean status?" */
export const unknownNameError = (at: string, name: string, known: readonly string[]): StateError => {
  const suggestion = didYouMean(name, known).trim();
  const names = known.length === 0 ? '' : `; there is ${known.slice(0, maxListed).join(', ')}`;
  return new StateError(
    `${at}/${escapePointer(name)}`.slice(0, 300),
    `is not known here${suggestion === '' ? names : `; d${suggestion.slice(1)}`}`,
  );
};

/** @throws StateError for a value that is invalid under its schema */
export const checkSchema = (validate: Validator, value: unknown, base = ''): void => {
  if (validate(value)) return;
  const [error] = validate.errors ?? [];
  if (error) throw describeSchemaError(error, base);
};

type Parent = { readonly properties?: object; readonly additionalProperties?: unknown };

/**
 * Converts Ajv errors to readable messages. Ajv must be `verbose`, because the schema of an error is needed.
 * @param base JSON pointer of the validated value
 */
export const describeSchemaError = (
  { instancePath, keyword, params, message = '', parentSchema = {}, data }: ErrorObject,
  base = '',
): StateError => {
  const at = `${base}${instancePath}`;
  const { properties = {}, additionalProperties } = parentSchema as Parent;
  const known = Object.keys(properties);
  if (keyword === 'additionalProperties')
    return unknownNameError(at, String(params.additionalProperty), known);
  if (keyword === 'required') {
    // A missing name is usually present with another spelling.
    const misspelled = Object.keys(data as object).find((name) => !known.includes(name));
    if (additionalProperties === false && misspelled !== undefined)
      return unknownNameError(at, misspelled, known);
    return new StateError(`${at}/${params.missingProperty}`, 'is missing');
  }
  if (keyword === 'minProperties') return new StateError(at, `changes nothing; it takes ${known.join(', ')}`);
  if (keyword === 'const') return new StateError(at, `must be ${JSON.stringify(params.allowedValue)}`);
  if (keyword === 'enum') return new StateError(at, `must be one of ${params.allowedValues.join(', ')}`);
  if (keyword === 'type') return new StateError(at, `must be ${[params.type].flat().join(' or ')}`);
  if (keyword === 'not')
    return new StateError(at, 'must not be "latest" or "wait": addresses of the admin API that mean others');
  if (keyword === 'minLength' && params.limit === 1) return new StateError(at, 'must not be empty');
  if (keyword === 'pattern')
    return new StateError(at, `must be ${describePattern(params.pattern, parentSchema)}`);
  return new StateError(at, message.replace('must NOT', 'must not'));
};

// Readable names for regular expressions.
const patternNames: Readonly<Record<string, string>> = {
  Z$: 'in UTC, ending in Z',
  '^/': 'a path, which begins with "/"',
  '^[A-Za-z]{1,20}$': 'the name of an HTTP method, for example POST',
  '^req_\\d{6,15}$': 'of the form req_000001',
  '^[ -~]+$': 'seconds or an HTTP date, in visible ASCII',
};

const describePattern = (pattern: string, schema: object): string => {
  const { 'x-form': ownForm } = schema as { 'x-form'?: string };
  return ownForm ?? patternNames[pattern] ?? `of the form ${pattern}`;
};
