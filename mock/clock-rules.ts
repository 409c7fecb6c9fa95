import { type Clock, type ClockChange, parseTime } from './clock.ts';
import { nearest } from './questions.ts';
import { escaped, StateError } from './schema-error.ts';

const changes: Readonly<Record<string, (value: unknown) => boolean>> = {
  now: (value) => typeof value === 'string',
  advance_ms: (value) => Number.isSafeInteger(value),
  frozen: (value) => typeof value === 'boolean',
};

const wanted: Readonly<Record<string, string>> = {
  now: 'must be a text',
  advance_ms: 'must be a whole number',
  frozen: 'must be true or false',
};

/**
 * What to do to a clock.
 * @returns the change, which itself throws a StateError where it leads out of the years 1 to 9999
 * @throws StateError where it is none
 */
export const checkClockChange = (given: Readonly<Record<string, unknown>>): ((clock: Clock) => void) => {
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  if (names.length === 0) throw new StateError('', 'changes nothing; it takes now, advance_ms and frozen');
  for (const name of names) {
    const fits = Object.hasOwn(changes, name) ? changes[name] : undefined;
    const at = `/${escaped(name).slice(0, 80)}`;
    if (!fits)
      throw new StateError(
        at,
        `is not known here; did you mean ${nearest(name.slice(0, 200), Object.keys(changes))}?`,
      );
    if (!fits(given[name])) throw new StateError(at, wanted[name] ?? 'is wrong');
  }
  const change: ClockChange = given;
  const { now } = change;
  if (now !== undefined) within('/now', () => parseTime(now));
  // A now that is sound by itself is led astray only by the way from there.
  return (clock) => within('/advance_ms', () => clock.change(change));
};

/** Runs a check; what it complains of is said of the place. */
export const within = (pointer: string, check: () => unknown): void => {
  try {
    check();
  } catch (error) {
    throw new StateError(pointer, (error as Error).message);
  }
};
