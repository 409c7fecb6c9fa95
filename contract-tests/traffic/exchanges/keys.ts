import type { Credentials, Outcome } from '../../client/exchange.ts';
import { createRedactor, type Redact } from '../../client/redaction.ts';

/** The keys that a session of traffic carries: which one is good, and that none of them is ever shown. */
export type Keys = {
  /** What an `Authorization` header carries. */
  readonly credentialsOf: (authorization: string | undefined) => Credentials;
  /** Whether a request has the key that succeeds in this session; another key may be allowed less. */
  readonly isMain: (authorization: string | undefined, outcome: Outcome, status: number) => boolean;
  readonly redact: Redact;
};

/** The latest keys; what is shown was said while they were used. */
const maxKeys = 200;

const bearer = /^bearer +(\S+)$/i;

/**
 * @param known the key of the deployment, where it is known
 * @param headersMissing a recording from which the headers with keys were taken out: then every request counts as having one
 */
export const createKeys = (known = '', headersMissing = false): Keys => {
  const redactors = new Map<string, Redact>(known === '' ? [] : [[known, createRedactor(known)]]);
  let main = known === '' ? undefined : known;

  const remember = (secret: string): void => {
    if (secret === '' || redactors.has(secret)) return;
    const oldest = [...redactors.keys()].find((candidate) => candidate !== main);
    if (redactors.size >= maxKeys && oldest !== undefined) redactors.delete(oldest);
    redactors.set(secret, createRedactor(secret));
  };

  const keyIn = (authorization: string): string | undefined => bearer.exec(authorization.trim())?.[1];

  return {
    credentialsOf: (authorization) => {
      if (headersMissing) return 'key';
      if (authorization === undefined || authorization.trim() === '') return 'none';
      const key = keyIn(authorization);
      if (key === undefined) {
        remember(authorization.trim().split(/\s+/).at(-1) ?? '');
        return /^bearer$/i.test(authorization.trim()) ? 'Bearer without a key' : 'Basic';
      }
      if (/^(null|undefined)$/.test(key)) return 'Bearer null';
      remember(key);
      return 'key';
    },
    isMain: (authorization, outcome, status) => {
      if (headersMissing) return true;
      const key = keyIn(authorization ?? '');
      if (main !== undefined) return key === main;
      if (outcome === 'success') main = key;
      return outcome === 'success' || outcome === 'broken' || status >= 500;
    },
    redact: (text) => [...redactors.values()].reduce((rest, redact) => redact(rest), text),
  };
};
