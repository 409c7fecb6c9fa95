import { quoted } from '../errors.ts';
import { nearest } from '../questions.ts';

/** What a value may be: a test of it, and the words that end a sentence which begins "it must be". */
export type Form = { readonly fits: (value: unknown) => boolean; readonly words: string };

export const text: Form = { fits: (value) => typeof value === 'string', words: 'a text' };

export const flag: Form = { fits: (value) => typeof value === 'boolean', words: 'true or false' };

export const whole = (least: number, most = Number.MAX_SAFE_INTEGER): Form => ({
  fits: (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
  words: `a whole number ${most === Number.MAX_SAFE_INTEGER ? `above ${least - 1}` : `from ${least} to ${most}`}`,
});

export const milliseconds: Form = {
  fits: (value) => typeof value === 'number' && value >= 0,
  words: 'a number of milliseconds, 0 or more',
};

export const oneOf = (...values: readonly string[]): Form => ({
  fits: (value) => values.includes(value as string),
  words: `one of ${values.join(', ')}`,
});

export const listOf = ({ fits, words }: Form): Form => ({
  fits: (value) => Array.isArray(value) && value.every(fits),
  words: `a list, each ${words}`,
});

/** An object of any realm; of Dates, Maps and expressions nothing could be read. */
export const object: Form = {
  fits: (value) => Object.prototype.toString.call(value) === '[object Object]',
  words: 'an object',
};

/**
 * Holds an object of a caller to the names that are known: one that is ignored looks like one that works.
 * @param what the object, in words
 * @throws TypeError for the first that is wrong, with the nearest name for one that is not known
 */
export const checkFields = (what: string, given: unknown, fields: Readonly<Record<string, Form>>): void => {
  const known = Object.keys(fields);
  const list = `${known.length === 1 ? 'There is' : 'There are'} ${known.join(', ')}.`;
  if (!object.fits(given)) throw new TypeError(`${what} must be an object, not ${shown(given)}. ${list}`);
  for (const [name, value] of Object.entries(given as object)) {
    const form = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!form)
      throw new TypeError(
        `${quoted(name).slice(1, -1)} is not known in ${what}. Did you mean ${nearest(name.slice(0, 200), known)}? ${list}`,
      );
    if (value !== undefined && !form.fits(value))
      throw new TypeError(`${name} of ${what} must be ${form.words}, not ${shown(value)}`);
  }
};

/** A wrong value as it may stand in an error. */
export const shown = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'a list';
  return object.fits(value) ? 'an object' : String(value);
};
