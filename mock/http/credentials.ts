import { isTestKey } from '../runtime/redaction.ts';
import { ApiError } from './errors.ts';

/** The key of an `Authorization` header (§5.1), or why there is none to be had. */
type Credentials = { readonly key: string } | { readonly problem: 'missing' | 'malformed' };

const prefix = 'Bearer ';

export const readCredentials = (header: string | undefined): Credentials => {
  if (header === undefined || header === '') return { problem: 'missing' };
  const key = header.startsWith(prefix) ? header.slice(prefix.length).trim() : '';
  return key === '' || key.includes(' ') ? { problem: 'malformed' } : { key };
};

const challenge = { headers: { 'www-authenticate': 'Bearer' } };

/** What to write instead of a header that is not understood. */
const correctionOf = (header: string): string => {
  const key = header.split(/\s+/).find(isTestKey);
  const example = `"Authorization: Bearer ${key ?? '<API_KEY>'}"`;
  return /^bearer\s/i.test(header) ? `Write ${example}, with one space.` : `Write ${example}.`;
};

/** The refusal of a request that has no accepted key. A header is not repeated, but for a test key: it may hold a real one. */
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
