import type { Redact } from '../../mock/contract/redaction.ts';
import { type Exchange, isObject, sentJson } from '../exchange/exchange.ts';
import type { Failure } from '../facts/failure.ts';

/** All texts and numbers in a JSON value, which may be personal data. */
const valuesIn = (json: unknown): string[] => {
  if (typeof json === 'string') return [json];
  if (typeof json === 'number') return [String(json)];
  if (typeof json !== 'object' || json === null) return [];
  return Object.values(json).flatMap(valuesIn);
};

const shortest = 3;

/** A text as findings show it, between quotes and perhaps without its end. */
const quoted = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g;

/** A text without the beginnings of numbers that were cut. */
const withoutCutNumbers = (text: string): string => {
  const parts = text.split('…');
  const last = parts.pop() ?? '';
  const beginnings = parts.map((part) => {
    let end = part.length;
    while (end > 0 && '-+.0123456789eE'.includes(part[end - 1] ?? ' ')) end -= 1;
    return part.slice(0, end);
  });
  return [...beginnings, last].join('…');
};

const namesOf = (json: unknown): string[] =>
  isObject(json) ? [...Object.keys(json), ...(isObject(json.data) ? Object.keys(json.data) : [])] : [];

/** Removes the values of a record that the session did not create from texts about one of its exchanges. */
const createCleaner = (exchange: Exchange): Redact => {
  const { json, headers } = exchange;
  const request = sentJson(exchange);
  const { data, error, message } = isObject(json) ? json : {};
  const values = [...new Set([request, data].flatMap(valuesIn))].filter(({ length }) => length >= shortest);
  values.sort((left, right) => right.length - left.length);
  // The envelope contains texts of the service, and names of fields are no personal data. All other texts may come from this
  // exchange, or from an earlier one about the same record.
  const known = [error, message, headers['content-type'], ...namesOf(json), ...namesOf(request)];
  const shown = known.flatMap((value) => (typeof value === 'string' ? [JSON.stringify(value)] : []));
  const isShown = (text: string): boolean => {
    const beginning = text.replace(/…?"?$/, '');
    return shown.some((literal) => literal.startsWith(beginning));
  };
  return (text) =>
    values
      .filter((value) => text.includes(value))
      .reduce(
        (rest, value) => rest.replaceAll(value, '…'),
        withoutCutNumbers(text.replaceAll(quoted, (part) => (isShown(part) ? part : hidden))),
      );
};

const hidden = '"…"';

const cleaners = new WeakMap<Exchange, Redact>();

/** The same for all findings about an exchange, which may have many values. */
const cleanerOf = (exchange: Exchange): Redact => {
  const cleaner = cleaners.get(exchange) ?? createCleaner(exchange);
  cleaners.set(exchange, cleaner);
  return cleaner;
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
  const withoutValues = exchange.own ? (text: string) => text : cleanerOf(exchange);
  const clean = (text: string): string => redact(withoutValues(text));
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
