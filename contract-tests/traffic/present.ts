import { type Exchange, isObject } from '../client/exchange.ts';
import type { Redact } from '../client/redaction.ts';
import type { Failure } from '../session/outcome.ts';
import type { Context } from './exchanges/history.ts';

/** Every text and number in a JSON value that may be about somebody. */
const valuesIn = (json: unknown): string[] => {
  if (typeof json === 'string') return [json, JSON.stringify(json).slice(1, -1)];
  if (typeof json === 'number') return [String(json)];
  if (typeof json !== 'object' || json === null) return [];
  return Object.values(json).flatMap(valuesIn);
};

const shortest = 3;

/** A text without the values of a record that the session did not create. */
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
 * A finding as it may be kept and shown: no key in it, and nothing of a record that the session did not create but the names
 * of its fields.
 */
export const presentFailure = (failure: Failure, context: Context | undefined, redact: Redact): Failure => {
  const { exchange } = failure;
  const own = context?.own === true;
  // What stands in the envelope is the service's own; `data` and the request are about somebody.
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
