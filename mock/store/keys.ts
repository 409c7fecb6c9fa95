/** Whether a key is a test key, which every mock without `acceptKeys` accepts. It is not secret and may be shown. */
export const isTestKey = (key: string): boolean => /^test_[A-Za-z0-9_-]{0,120}$/.test(key);

/** Replaces a key in what the mock shows. */
export const replacement = 'REDACTED';

/** Removes keys from a text. */
export type RedactKeys = (text: string) => string;

// The name of the parameter may itself be percent-encoded.
const keyParameter = /([?&](?:k|%6b)(?:e|%65)(?:y|%79)=)[^&\s"]*/gi;

/**
 * Removes keys, and what a URL has as `?key=`, from what the mock shows.
 * @param keys the accepted ones. Test keys are not secret; very short keys are left out, as they would match ordinary words.
 */
export const createKeyRedactor = (keys: readonly string[]): RedactKeys => {
  // A key may begin with another one.
  const secrets = keys
    .filter((key) => key.length >= 8 && !key.startsWith('test_'))
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let redacted = text;
    for (const key of secrets) redacted = redacted.replaceAll(key, replacement);
    return redacted.includes('=') ? redacted.replace(keyParameter, `$1${replacement}`) : redacted;
  };
};
