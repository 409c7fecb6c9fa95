import { type Exchange, isObject } from '../client/exchange.ts';
import type { Redact } from '../client/redaction.ts';
import type { Failure } from '../session/outcome.ts';
import type { Context } from './exchanges/history.ts';

/** All texts and numbers in a JSON value, which may be personal data. */
const valuesIn = (json: unknown): string[] => {
  if (typeof json === 'string') return [json, JSON.stringify(json).slice(1, -1)];
  if (typeof json === 'number') return [String(json)];
  if (typeof json !== 'object' || json === null) return [];
  return Object.values(json).flatMap(valuesIn);
};

const shortest = 3;

/** Removes the values of records that the session did not create from a text. */
const withoutValues = (text: string, jsons: readonly unknown[]): string =>
  [...new Set(jsons.flatMap(valuesIn))]
    .filter((value) => value.length >= shortest)
    .sort((left, right) => right.length - left.length)
    .reduce((rest, value) => rest.replaceAll(value, '…'), text);

/** A body with its field names and no values. */
const outlineOf = (json: unknown): string | undefined =>
  isObject(json)
    ? JSON.stringify(Object.fromEntries(Object.keys(json).map((name) => [name.slice(0, 60), '…'])))
    : undefined;

const namesIn = (json: unknown): string =>
  isObject(json)
    ? `fields: ${Object.keys(json)
        .map((name) => name.slice(0, 60))
        .join(', ')}`
    : 'not shown';

/**
 * A finding that may be stored and shown: without keys, and without data of records that the
 * session did not create, except for field names.
 */
export const presentFailure = (failure: Failure, context: Context | undefined, redact: Redact): Failure => {
  const { exchange } = failure;
  const own = context?.own === true;
  // The envelope contains texts of the service; `data` and the request may contain personal data.
  const foreign =
    own || !context
      ? []
      : [context.request, isObject(context.exchange.json) ? context.exchange.json.data : undefined];
  const clean = (text: string): string => redact(withoutValues(text, foreign));
  return {
    ...failure,
    expected: clean(failure.expected),
    actual: clean(failure.actual),
    ...(exchange ? { exchange: presentExchange(exchange, context, own, redact) } : {}),
  };
};

const presentExchange = (
  exchange: Exchange,
  context: Context | undefined,
  own: boolean,
  redact: Redact,
): Exchange => ({
  ...exchange,
  own,
  rawText: '',
  json: exchange.json,
  text: own ? redact(exchange.rawText.slice(0, 4000)) : namesIn(exchange.json),
  path: redact(exchange.path),
  body:
    exchange.body === undefined
      ? undefined
      : own
        ? redact(exchange.body.slice(0, 4000))
        : outlineOf(context?.request),
});
