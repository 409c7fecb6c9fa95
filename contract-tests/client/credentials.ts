import { randomBytes, randomInt } from 'node:crypto';
import type { Call, Credentials } from './exchange.ts';

/** The `Authorization` of a request, by what it is to carry. */
type Tokens = Readonly<Record<Credentials, string | undefined>>;

/** Keys that are not the real one. Those made from it are as secret as it is: nothing that is printed holds them. */
type Variants = {
  readonly random: string;
  readonly swapped: string;
  readonly ending: string;
  readonly shortened: string;
  readonly changed: string;
  readonly started: string;
};

const variantsOf = (key: string): Variants => {
  const random = randomLike(key);
  return {
    random,
    swapped: swapCase(key),
    ending: random.slice(0, -4) + key.slice(-4),
    ...(hasNeighbours(key)
      ? {
          shortened: key.slice(0, -1),
          changed: key.slice(0, -1) + replaceSign(key.slice(-1)),
          started: replaceSign(key.slice(0, 1)) + key.slice(1),
        }
      : { shortened: key, changed: key, started: key }),
  };
};

export const tokensFor = (key: string): { readonly tokens: Tokens; readonly derived: readonly string[] } => {
  const { random, swapped, ending, shortened, changed, started } = variantsOf(key);
  const tokens: Tokens = {
    key: `Bearer ${key}`,
    none: undefined,
    'random key': `Bearer ${random}`,
    'key with ~ appended': `Bearer ${key}~`,
    'key in other case': `Bearer ${swapped}`,
    'key after ~': `Bearer ~${key}`,
    'end of the key': `Bearer ${ending}`,
    'key without its last character': `Bearer ${shortened}`,
    'key with another last character': `Bearer ${changed}`,
    'key with another first character': `Bearer ${started}`,
    'bearer with a random key': `bearer ${random}`,
    'Bearer null': 'Bearer null',
    'Bearer undefined': 'Bearer undefined',
    'Bearer %': 'Bearer %',
    'Bearer .*': 'Bearer .*',
    'Bearer without a key': 'Bearer',
    Basic: 'Basic eDp5',
  };
  // The key itself covers its other case, and what only adds to it.
  const rest = started === key ? key : key.slice(1);
  return {
    tokens,
    derived: [...new Set([random, ending, shortened, rest])].filter((token) => token !== key),
  };
};

const minTellingLength = 8;

/** Whether its neighbours tell anything: of a short key they may be keys, and a stand-in may take any `test_…`. */
const hasNeighbours = (key: string): boolean => key.length >= minTellingLength && !key.startsWith('test_');

/**
 * It has the length and the shape of the real key and nothing else of it: half a check may look at these only. Where a
 * shape leaves too few keys to choose from, another shape: one of them may have been issued.
 */
const randomLike = (key: string): string => {
  const kind = key.startsWith('test_') ? '' : (/^(?:[A-Za-z]{1,10}_)+/.exec(key)?.[0] ?? '');
  const own = key.slice(kind.length);
  if (own.replace(/[^A-Za-z0-9]/g, '').length >= minTellingLength) return kind + sameShape(own);
  const length = Math.max(key.length, minTellingLength);
  return randomBytes(length).toString('hex').slice(0, length);
};

/** Letters for letters and digits for digits, each another one; of a hexadecimal key a hexadecimal one. */
const sameShape = (text: string): string => {
  const letters = /[g-z]/i.test(text) ? 'abcdefghijklmnopqrstuvwxyz' : 'abcdef';
  return text
    .replace(/[a-z]/g, (letter) => oneOf(letters, letter))
    .replace(/[A-Z]/g, (letter) => oneOf(letters.toUpperCase(), letter))
    .replace(/[0-9]/g, (digit) => oneOf('0123456789', digit));
};

const oneOf = (signs: string, not: string): string => {
  const others = signs.replace(not, '');
  return others.charAt(randomInt(others.length));
};

/** Another sign of the same kind. */
const replaceSign = (sign: string): string => {
  const same = sameShape(sign);
  return same === sign ? '0' : same;
};

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

/** The headers of a request. @param token its `Authorization`, where it has one */
export const headersFor = (
  { bare, cookie, contentType }: Call,
  token: string | undefined,
  userAgent: string,
): Readonly<Record<string, string>> => ({
  ...(bare
    ? {}
    : { accept: 'application/json', 'accept-encoding': 'gzip, deflate, br', 'user-agent': userAgent }),
  ...(cookie === undefined ? {} : { cookie }),
  // Names of headers mean the same in any letter case: here as §5 writes them, otherwise as HTTP/2 does.
  ...(token === undefined ? {} : { [bare ? 'Authorization' : 'authorization']: token }),
  ...(contentType === undefined ? {} : { [bare ? 'Content-Type' : 'content-type']: contentType }),
});
