import { isTestKey } from '../store/keys.ts';
import { ApiError } from './errors.ts';

/** The key in an `Authorization` header (§5.1), or why it cannot be read. */
type Credentials = { readonly key: string } | { readonly problem: 'missing' | 'malformed' };

const prefix = 'Bearer ';

// A client sends the same header again and again, and each request needs it more than once.
let last: { readonly header: string; readonly credentials: Credentials } | undefined;

export const readCredentials = (header: string | undefined): Credentials => {
  if (header === undefined || header === '') return { problem: 'missing' };
  if (last?.header !== header) last = { header, credentials: parseCredentials(header) };
  return last.credentials;
};

const parseCredentials = (header: string): Credentials => {
  const key = header.startsWith(prefix) ? header.slice(prefix.length).trim() : '';
  return key === '' || key.includes(' ') ? { problem: 'malformed' } : { key };
};

const challenge = { headers: { 'www-authenticate': 'Bearer' } };

/** How to correct a malformed header. */
const correctionOf = (header: string): string => {
  const key = header.split(/\s+/).find(isTestKey);
  const example = `"Authorization: Bearer ${key ?? '<API_KEY>'}"`;
  if (/^bearer\s+bearer\b/i.test(header)) return `The word Bearer is there twice. Write ${example}.`;
  return /^bearer\s/i.test(header) ? `Write ${example}, with one space.` : `Write ${example}.`;
};

/** The error for a request without an accepted key. It repeats no header, which may hold a real key; only a test key. */
export const authenticationError = (credentials: Credentials, rule: string, header = ''): ApiError => {
  if ('key' in credentials) {
    return new ApiError(
      'key_unknown',
      'header/Authorization carries a key that is not accepted',
      rule,
      challenge,
    );
  }
  return credentials.problem === 'missing'
    ? new ApiError(
        'authentication_missing',
        'header/Authorization is missing',
        `Send "Authorization: Bearer <API_KEY>". ${rule}`,
        challenge,
      )
    : new ApiError(
        'authentication_malformed',
        'header/Authorization must be the word Bearer, one space and the key',
        `${correctionOf(header.slice(0, 1000))} ${rule}`,
        challenge,
      );
};
