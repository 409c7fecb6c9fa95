import { randomBytes, randomInt } from 'node:crypto';
import type { Call, Credentials } from '../exchange/exchange.ts';

/** The `Authorization` header for each kind of credentials. */
type Tokens = Readonly<Record<Credentials, string | undefined>>;

/**
 * The headers for a key, and the keys in them that are derived from it: they are as secret as the key itself, and no output may
 * contain them.
 */
export const tokensFor = (key: string): { readonly tokens: Tokens; readonly derived: readonly string[] } => {
  const near = (variant: string): string => (hasNeighbours(key) ? variant : key);
  const random = randomLike(key);
  const ending = random.slice(0, -4) + key.slice(-4);
  const shortened = near(key.slice(0, -1));
  const exchanged = near(exchangeSigns(key));
  const tokens: Tokens = {
    key: `Bearer ${key}`,
    none: undefined,
    'random key': `Bearer ${random}`,
    'key with ~ appended': `Bearer ${key}~`,
    'key in other case': `Bearer ${swapCase(key)}`,
    'key after ~': `Bearer ~${key}`,
    'end of the key': `Bearer ${ending}`,
    'key without its last character': `Bearer ${shortened}`,
    'key with another last character': `Bearer ${near(key.slice(0, -1) + replaceSign(key.slice(-1)))}`,
    'key with another first character': `Bearer ${near(replaceSign(key.slice(0, 1)) + key.slice(1))}`,
    'key with - and _ exchanged': `Bearer ${exchanged}`,
    'bearer with a random key': `bearer ${random}`,
    'Bearer null': 'Bearer null',
    'Bearer undefined': 'Bearer undefined',
    'Bearer %': 'Bearer %',
    'Bearer .*': 'Bearer .*',
    'Bearer without a key': 'Bearer',
    Basic: 'Basic eDp5',
  };
  // The pattern of the key itself also matches its other letter case, and texts that only add characters to it.
  const rest = near(key.slice(1));
  const derived = new Set([random, ending, shortened, rest, exchanged]);
  return { tokens, derived: [...derived].filter((token) => token !== key) };
};

const minTellingLength = 8;

/**
 * Whether near variants of the key are meaningful test keys. Variants of a short key may be valid
 * keys, and a mock may accept any `test_…`.
 */
const hasNeighbours = (key: string): boolean => key.length >= minTellingLength && !key.startsWith('test_');

/**
 * Creates a key with the length and the format of the real key, but otherwise random: a server may check only the format. A
 * short key gets another format, because few keys of its format exist and one of them may be valid.
 */
const randomLike = (key: string): string => {
  const kind = key.startsWith('test_') ? '' : (/^(?:[A-Za-z]{1,10}_){1,2}/.exec(key)?.[0] ?? '');
  const own = key.slice(kind.length);
  if (own.replace(/[^A-Za-z0-9]/g, '').length >= minTellingLength) return kind + sameShape(own);
  const length = Math.max(key.length, minTellingLength);
  return randomBytes(length).toString('hex').slice(0, length);
};

/** Replaces letters by other letters and digits by other digits. A hexadecimal text stays hexadecimal. */
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

/** Replaces a character by another one of the same kind. */
const replaceSign = (sign: string): string => {
  const same = sameShape(sign);
  return same === sign ? '0' : same;
};

/** Replaces each `-` by `_` and each `_` by `-`. Software that derives names from headers or keys may treat both alike. */
const exchangeSigns = (text: string): string => text.replace(/[-_]/g, (sign) => (sign === '-' ? '_' : '-'));

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

/** The headers of a request. @param token the value of `Authorization`, if it has one */
export const headersFor = (
  { bare, contentType }: Call,
  token: string | undefined,
  userAgent: string,
): Readonly<Record<string, string>> => ({
  ...(bare
    ? {}
    : { accept: 'application/json', 'accept-encoding': 'gzip, deflate, br', 'user-agent': userAgent }),
  // Header names are case-insensitive: a bare request spells them as §5 does, any other
  // request in lower case as HTTP/2 does.
  ...(token === undefined ? {} : { [bare ? 'Authorization' : 'authorization']: token }),
  ...(contentType === undefined ? {} : { [bare ? 'Content-Type' : 'content-type']: contentType }),
});
