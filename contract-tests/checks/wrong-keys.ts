import type { Level } from '../check.ts';
import type { Credentials } from '../exchange.ts';

/** Credentials that are not the key. */
export type WrongKey = {
  readonly id: string;
  readonly credentials: Credentials;
  readonly level: Level;
  readonly title: string;
};

/** Asked of every operation under every path form. */
export const wrongKeys: readonly WrongKey[] = [
  {
    id: 'missing-key',
    credentials: 'none',
    level: 'documented',
    title: 'refuses a request without Authorization',
  },
  {
    id: 'unknown-key',
    credentials: 'random key',
    level: 'documented',
    title: 'refuses a key that was never issued',
  },
  {
    id: 'no-key',
    credentials: 'Bearer without a key',
    level: 'documented',
    title: 'refuses Authorization without a key in it',
  },
  {
    id: 'other-scheme',
    credentials: 'Basic',
    level: 'documented',
    title: 'refuses Authorization of another scheme',
  },
  {
    id: 'near-miss-key',
    credentials: 'key with ~ appended',
    level: 'derived',
    title: 'refuses the key with a character appended',
  },
];

/** Asked of one operation under one path form only: they tell how keys are compared, and every wrong key counts towards a lock-out. */
export const comparisons: readonly WrongKey[] = [
  {
    id: 'other-case-key',
    credentials: 'key in other case',
    level: 'derived',
    title: 'refuses the key with its capital and small letters exchanged',
  },
  {
    id: 'led-key',
    credentials: 'key after ~',
    level: 'derived',
    title: 'refuses the key with a character before it',
  },
  {
    id: 'shortened-key',
    credentials: 'key without its last character',
    level: 'derived',
    title: 'refuses the key without its last character',
  },
  {
    id: 'other-last-character',
    credentials: 'key with another last character',
    level: 'derived',
    title: 'refuses the key with another last character',
  },
  {
    id: 'null-key',
    credentials: 'Bearer null',
    level: 'documented',
    title: 'refuses the word null for a key',
  },
  {
    id: 'pattern-key',
    credentials: 'Bearer %',
    level: 'documented',
    title: 'refuses a sign that stands for any text as a key',
  },
  {
    id: 'ending-only',
    credentials: 'end of the key',
    level: 'derived',
    title: 'refuses a key that only ends like the real one',
  },
  {
    id: 'small-letters-scheme',
    credentials: 'bearer with a random key',
    level: 'documented',
    title: 'refuses a key that was never issued under the scheme "bearer" as well',
  },
];
