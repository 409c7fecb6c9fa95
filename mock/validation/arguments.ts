import { describeValue, didYouMean, quoted } from '../contract/questions.ts';
import type { MessageFilter } from '../mail/template.ts';
import { type Clock, type ClockChange, parseTime, type Time } from '../workspace/clock.ts';
import type { RequestFilter } from '../workspace/journal-entry.ts';
import { StateError } from './schema-errors.ts';

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

const messageFields: Readonly<Record<keyof MessageFilter, ValueRule>> = {
  to: text,
  from: text,
  subject: text,
  template_id: text,
  q: text,
};

/** @throws TypeError for an invalid filter, which would match every message */
export const checkMessageFilter = (filter: MessageFilter = {}): MessageFilter => {
  checkFields('a filter of messages', filter, messageFields);
  return filter;
};

const status: ValueRule = {
  accepts: (value) => /^([1-5]\d\d|[1-5]xx|0)$/i.test(String(value)),
  description: 'a status like 503, a class like 5xx, or 0 for no response',
};

const requestFields: Readonly<Record<keyof RequestFilter, ValueRule>> = {
  operation: text,
  method: text,
  path: text,
  status,
};

/** @throws TypeError for an invalid filter */
export const checkRequestFilter = (filter: RequestFilter = {}): RequestFilter => {
  checkFields('a filter of requests', filter, requestFields);
  return filter;
};

/**
 * Changes a clock.
 * @throws StateError for an invalid `now`, and for a change to a time outside the years 1 to 9999
 */
export const changeClock = (clock: Clock, change: ClockChange): void => {
  const { now } = change;
  if (now !== undefined) withPointer('/now', () => parseTime(now));
  // If `now` itself is valid, only `advance_ms` can lead outside the range.
  withPointer('/advance_ms', () => clock.change(change));
};

/** Runs a check and adds the place, as a JSON pointer, to its error. */
export const withPointer = (pointer: string, check: () => unknown): void => {
  try {
    check();
  } catch (error) {
    throw new StateError(pointer, (error as Error).message);
  }
};

/** @throws TypeError for an invalid time */
export const freezeChange = (at: Time | undefined): ClockChange =>
  at === undefined ? { frozen: true } : { now: toTimeText('freeze', at), frozen: true };

/** @throws TypeError for a value that is not a number */
export const advanceChange = (ms: number): ClockChange => {
  if (Number.isFinite(ms)) return { advance_ms: Math.round(ms) };
  throw new TypeError(`clock.advance takes milliseconds, not ${describeValue(ms)}`);
};

// Also accepts a Date of another realm or of a fake timer library.
const isDate = (time: unknown): time is Date => Object.prototype.toString.call(time) === '[object Date]';

/** @throws TypeError for an invalid time */
export const toTimeText = (method: string, time: Time): string => {
  if (typeof time === 'string') return time;
  const ms = isDate(time) ? time.getTime() : time;
  if (typeof ms === 'number' && Math.abs(ms) <= 8.64e15) return new Date(ms).toISOString();
  throw new TypeError(
    `clock.${method} takes a time as ISO 8601, a Date or milliseconds since 1970, not ${describeValue(time)}`,
  );
};
