import { randomBytes } from 'node:crypto';
import type { Credentials } from './exchange.ts';

/** The `Authorization` of a request, by what it is to carry. */
export type Tokens = Readonly<Record<Credentials, string | undefined>>;

export const tokensFor = (key: string): Tokens => ({
  key: `Bearer ${key}`,
  none: undefined,
  'random key': `Bearer ${randomLike(key)}`,
  'key with ~ appended': `Bearer ${key}~`,
  'key in other case': `Bearer ${swapCase(key)}`,
  'key after ~': `Bearer ~${key}`,
  'end of the key': `Bearer ${randomLike(key).slice(0, -4)}${key.slice(-4)}`,
  'bearer with a random key': `bearer ${randomLike(key)}`,
  'Bearer without a key': 'Bearer',
  Basic: 'Basic eDp5',
});

/** It has the length of the real key and nothing else of it: half a check may look at the length only. */
const randomLike = (key: string): string => {
  const length = Math.max(key.length, 8);
  return randomBytes(length).toString('hex').slice(0, length);
};

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
