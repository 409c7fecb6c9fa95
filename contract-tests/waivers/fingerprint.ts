import { createHash } from 'node:crypto';
import type { Check } from '../facts/check.ts';
import { changedField, type Failure } from '../facts/failure.ts';

/** A text with one word for all that is in quotes. The last quote may be missing: long texts are cut. */
const withoutQuotes = (text: string): string =>
  text
    .replace(/\\./gs, '')
    .split('"')
    .map((part, index) => (index % 2 === 0 ? part : 'TEXT'))
    .join('');

/** A text without what differs from run to run: values in quotes, numbers, and words with digits. */
const shapeOf = (text: string): string =>
  withoutQuotes(text)
    .replace(/a different text of \d+ characters/g, 'TEXT')
    .replace(/[\p{L}\p{N}_.:-]+/gu, (word) => (/\d/.test(word) ? '#' : word));

/**
 * What a finding shows, in 12 hexadecimal digits: its check, the operation, the status, the place in the response, and the kind of
 * the difference. It is the same in every run that shows the same difference, and another one for a different one. Where a field
 * of a lead has changed, only the field and its wrong value count: after which requests a run meets it varies, and so do the
 * checks that find it.
 */
export const fingerprintOf = ({ id }: Pick<Check, 'id'>, failure: Failure): string => {
  const { expected, actual, pointer, exchange } = failure;
  const place = pointer?.replaceAll(/\/\d+(?=\/|$)/g, '/#');
  const field = changedField(failure);
  const parts =
    field === undefined
      ? [id, exchange?.operation, exchange?.status, place, shapeOf(expected), shapeOf(actual)]
      : [field, shapeOf(actual)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
};
