import { placeholder, redactSpellings, spellingsOf } from '../../../mock/contract/redaction.ts';
import { createGatewayRedactor, type Gateway } from '../../client/gateway.ts';
import { type Credentials, hasSuccessStatus, type Outcome } from '../../exchange/exchange.ts';
import { hasGoneStatus } from '../../exchange/responses.ts';

/** Limits for the keys to remember. The latest ones are enough, because output is redacted while they are in use. */
const maxKeys = 200;
const maxKeyCharacters = 1_000_000;

const bearer = /^bearer +(\S+)$/i;

/**
 * The keys in the traffic of a session: which one is valid, and how to redact all of them.
 * @param known the key of the deployment, if it is known
 * @param headersMissing whether the headers with keys were removed from the recording: then
 * every request counts as having the key
 */
export const createKeys = (known = '', headersMissing = false, gateway?: Gateway) => {
  const spellings = new Map<string, readonly string[]>();
  let characters = 0;
  const redactGateway = createGatewayRedactor(gateway);
  let main = known === '' ? undefined : known;

  const remember = (secret: string): void => {
    if (secret === '' || spellings.has(secret)) return;
    spellings.set(secret, spellingsOf(secret));
    characters += secret.length;
    for (const oldest of spellings.keys()) {
      if (spellings.size <= maxKeys && characters <= maxKeyCharacters) return;
      if (oldest === main || oldest === secret) continue;
      spellings.delete(oldest);
      characters -= oldest.length;
    }
  };
  if (main !== undefined) remember(main);

  const keyIn = (authorization: string): string | undefined => bearer.exec(authorization.trim())?.[1];

  return {
    /** Classifies the value of an `Authorization` header. */
    credentialsOf: (authorization: string | undefined): Credentials => {
      if (headersMissing) return 'key';
      if (authorization === undefined || authorization.trim() === '') return 'none';
      const key = keyIn(authorization);
      if (/^bearer$/i.test(authorization.trim())) return 'Bearer without a key';
      if (key === undefined) {
        remember(authorization.trim().split(/\s+/).at(-1) ?? '');
        return 'Basic';
      }
      if (/^(null|undefined)$/.test(key)) return 'Bearer null';
      remember(key);
      return 'key';
    },
    /** Whether a request has the main key, the one that succeeds in this session. Other keys may have fewer permissions. */
    isMain: (authorization: string | undefined, outcome: Outcome, status: number): boolean => {
      // What was refused may have been sent without a key.
      if (headersMissing) return outcome !== 'refusal' || hasGoneStatus({ status });
      const key = keyIn(authorization ?? '');
      // A recording has the placeholder where the key was.
      if (main !== undefined) return key === main || key === placeholder;
      if (outcome === 'success') main = key;
      return hasSuccessStatus({ outcome }) || status >= 500;
    },
    redact: (text: string): string =>
      redactGateway(redactSpellings(text, [...spellings.values()].flat(), placeholder)),
  };
};

export type Keys = ReturnType<typeof createKeys>;
