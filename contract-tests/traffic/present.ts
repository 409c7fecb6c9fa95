import type { Redact } from '../../mock/contract/redaction.ts';
import { type Exchange, isObject, sentJson } from '../exchange/exchange.ts';
import type { Failure } from '../facts/failure.ts';

/** A text as findings show it, between quotes and perhaps without its end. */
const quoted = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g;

const number = /\d[\d.+eE-]{2,}/g;

const textsIn = (json: unknown): string[] => {
  if (typeof json === 'string') return [json];
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(textsIn) : [];
};

const shortest = 3;

/**
 * Removes what may be data of a record that the session did not create: texts in quotes, numbers except for statuses, and the
 * texts of the record where an error message repeats them.
 */
const withoutValues = (text: string, exchange: Exchange): string => {
  const { status, json } = exchange;
  return textsIn([sentJson(exchange), isObject(json) ? json.data : undefined])
    .filter((value) => value.length >= shortest && text.includes(value))
    .sort((left, right) => right.length - left.length)
    .reduce(
      (rest, value) => rest.replaceAll(value, '…'),
      text
        .replaceAll(quoted, '"…"')
        .replaceAll(number, (digits) => (digits === '200' || digits === String(status) ? digits : '…')),
    );
};

/** The name of a field. A key is redacted before the name is cut, or its beginning would stay. */
const shown = (name: string, redact: Redact): string => redact(name).slice(0, 60);

/** A body with its field names and no values. */
const outlineOf = (json: unknown, redact: Redact): string | undefined =>
  isObject(json)
    ? JSON.stringify(Object.fromEntries(Object.keys(json).map((name) => [shown(name, redact), '…'])))
    : undefined;

const namesIn = (json: unknown, redact: Redact): string =>
  isObject(json)
    ? `fields: ${Object.keys(json)
        .map((name) => shown(name, redact))
        .join(', ')}`
    : 'not shown';

/**
 * A finding that may be stored and shown: without keys, and without data of records that the
 * session did not create, except for field names.
 */
export const presentFailure = (failure: Failure, exchange: Exchange, redact: Redact): Failure => {
  const clean = (text: string): string => redact(exchange.own ? text : withoutValues(text, exchange));
  return {
    ...failure,
    expected: clean(failure.expected),
    actual: clean(failure.actual),
    exchange: presentExchange(exchange, redact),
  };
};

const presentExchange = (exchange: Exchange, redact: Redact): Exchange => {
  const { own, path, body, rawText, json } = exchange;
  const shownBody = own ? body && redact(body).slice(0, 4000) : outlineOf(sentJson(exchange), redact);
  return {
    ...exchange,
    rawText: '',
    text: own ? redact(rawText).slice(0, 4000) : namesIn(json, redact),
    path: redact(path),
    body: shownBody,
  };
};
