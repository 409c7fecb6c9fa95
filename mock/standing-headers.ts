import type { Answers } from './questions.ts';

// §8 and §9 show neither; these are the names in use elsewhere. The mock limits nothing, so the figures never move.
const rate = { 'ratelimit-limit': '100', 'ratelimit-remaining': '100', 'ratelimit-reset': '60' };
// RFC 9745 and RFC 8594.
const deprecation = { deprecation: '@1798761600', sunset: 'Fri, 31 Dec 2027 23:59:59 GMT' };

/** The headers that every reply of a deployment with these answers carries; `undefined` for none. */
export const standingHeaders = (answers: Answers): Readonly<Record<string, string>> | undefined => {
  const headers = {
    ...(answers['limits.rate-headers'] === 'present' ? rate : {}),
    ...(answers['versioning.deprecation-headers'] === 'present' ? deprecation : {}),
  };
  return Object.keys(headers).length > 0 ? headers : undefined;
};
