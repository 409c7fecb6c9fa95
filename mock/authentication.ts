import { ApiError } from './errors.ts';

/** The key of an `Authorization` header (§5.1), or why there is none to be had. */
export type Credentials = { readonly key: string } | { readonly problem: 'missing' | 'malformed' };

const prefix = 'Bearer ';

export const readCredentials = (header: string | undefined): Credentials => {
  if (header === undefined || header === '') return { problem: 'missing' };
  const key = header.startsWith(prefix) ? header.slice(prefix.length).trim() : '';
  return key === '' || key.includes(' ') ? { problem: 'malformed' } : { key };
};

const challenge = { headers: { 'www-authenticate': 'Bearer' } };

/** The refusal of a request that has no accepted key. The header is never repeated: it may hold a real key. */
export const authenticationError = (credentials: Credentials, rule: string): ApiError => {
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
        'header/Authorization must be "Bearer <API_KEY>", with that word and one space',
        rule,
        challenge,
      );
};
