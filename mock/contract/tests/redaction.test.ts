import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../testing/scale.ts';
import { createRedactor, placeholder, secretsAmong, spellingsOf } from '../redaction.ts';

// What a header field can carry after "Bearer ".
const visible = constantFrom(...Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)));
const maxLength = isWhole ? 2000 : 200;
const keysOf = (minLength: number) => string({ unit: visible, minLength, maxLength, size: 'max' });
const keys = keysOf(1);
const longKeys = (isWhole ? [1221, 3000, 100_000] : [1221, 20_000]).flatMap((length) => [
  // Like a JSON Web Token, and made of one character.
  Array.from({ length }, (_, at) => 'eyJhbGciOi._-+/='.charAt((at * at + at) % 16)).join(''),
  'a'.repeat(length),
]);

const runs = isWhole ? 300 : 25;

/** How software writes a key in a text. */
const spellings: Readonly<Record<string, (key: string) => string>> = {
  plain: (key) => key,
  'in capital letters': (key) => key.toUpperCase(),
  JSON: (key) => JSON.stringify(key),
  'JSON in JSON': (key) => JSON.stringify(JSON.stringify(key)),
  'a URL component': encodeURIComponent,
  'a URL': encodeURI,
  'a URL in a URL': (key) => encodeURIComponent(encodeURIComponent(key)),
  'HTML names': (key) =>
    key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  'a word of a shell': (key) => `'${key.replaceAll("'", "'\\''")}'`,
};

const encoded: typeof spellings = {
  'base64 of the header': (key) => Buffer.from(`Bearer ${key}`).toString('base64'),
  'base64 of credentials': (key) => Buffer.from(`u:${key}`).toString('base64'),
  base64: (key) => Buffer.from(key).toString('base64'),
  base64url: (key) => Buffer.from(`${key}:x`).toString('base64url'),
};

/** The placeholder, and quotes around it. */
const onlyPlaceholder = /^before ["'\\]*\$EMAIL_LEADS_API_KEY["'\\]* after$/;

/** What a text shows beside the placeholders. */
const rest = (text: string): string => text.replaceAll(placeholder, '').toLowerCase();

describe('a key of any length and characters', () => {
  const isReplaced = (key: string): void => {
    const redact = createRedactor([key]);
    for (const [name, spell] of Object.entries(spellings)) {
      const shown = redact(`before ${spell(key)} after`);
      expect(shown, name).toMatch(onlyPlaceholder);
      expect(redact(shown), name).toBe(shown);
    }
  };
  const isHidden = (key: string, before: string, after: string): void => {
    const redact = createRedactor([key]);
    for (const spell of Object.values(spellings)) {
      const shown = redact(before + spell(key) + after);
      expect(rest(shown.replaceAll(placeholder, '\0'))).not.toContain(key.toLowerCase());
      expect(redact(shown)).toBe(shown);
    }
  };

  test('does not occur in a redacted text in any spelling, and redaction is idempotent', () => {
    assert(
      property(keys, string(), string(), (key, before, after) => {
        // Of an escape at the end of a key a part may stay.
        isReplaced(`${key}xyz`);
        isHidden(key, before, after);
      }),
      { numRuns: runs, seed: 26 },
    );
    for (const key of longKeys) isReplaced(key);
  });

  test('does not occur in base64', () => {
    const holdsEncoded = (key: string): void => {
      for (const spell of Object.values(encoded)) {
        const shown = createRedactor([key])(`before ${spell(key)} after`);
        // At either end some bits belong to other characters too.
        expect(shown).toMatch(/^before [\w+/=-]{0,12}\$EMAIL_LEADS_API_KEY[\w+/=-]{0,6} after$/);
      }
    };
    assert(property(keysOf(8), holdsEncoded), { numRuns: runs, seed: 26 });
    for (const key of longKeys) holdsEncoded(key);
  });

  test.each([
    ['…', visible],
    // Where three dots stand for an ellipsis, the last characters may also be an escape that is cut off.
    ['..."', constantFrom(...'abcXYZ019_-')],
  ])('is redacted where an excerpt cuts it off: %s', (dots, unit) => {
    assert(
      property(string({ unit, minLength: 6, maxLength: 200 }), (key) => {
        const shown = createRedactor([key])(`before ${key.slice(0, key.length / 2 + 1)}${dots} after`);
        expect(shown).toBe(`before ${placeholder}${dots} after`);
      }),
      { numRuns: runs, seed: 26 },
    );
  });

  test('of letters beyond ASCII, as URLs write them', () => {
    const key = 'clé_très_secrète';
    const redact = createRedactor([key]);
    for (const written of [key, encodeURIComponent(key)])
      expect(redact(`<${written}>`)).toBe(`<${placeholder}>`);
    expect(createRedactor(['\ud800 \u0130 key'])('\ud800 \u0130 key')).toBe(placeholder);
  });
});

test('other text is unchanged', () => {
  const redact = createRedactor(['sk_live_4f9c1e7ab2d8463095be']);
  assert(
    property(string({ unit: 'grapheme' }), (text) => {
      expect(redact(text)).toBe(text);
    }),
    { numRuns: 2 * runs, seed: 26 },
  );
  const text = 'Contract test İ Name: sk_test, sk_…, 100 % of "all" \\ &amp; \\u0041 %41 … and ...';
  expect(redact(text)).toBe(text);
});

test.each(['KEY', 'EMAIL_LEADS_API_KEY', '$', 'E'])('the placeholder is not redacted itself: %s', (key) => {
  const redact = createRedactor([key]);
  expect(redact(`x ${key} y`)).toBe(`x ${placeholder} y`);
  expect(redact(`${placeholder} ${key}~`)).toBe(`${placeholder} ${placeholder}~`);
});

test('several secrets are redacted together', () => {
  assert(
    property(array(keys, { minLength: 1, maxLength: 8 }), (secrets) => {
      const redact = createRedactor(secrets);
      const shown = redact(secrets.join(' '));
      expect(rest(shown).trim()).toBe('');
      expect(redact(shown)).toBe(shown);
    }),
    { numRuns: runs, seed: 26 },
  );
});

test('a test key is no secret, a short one would be found in words', () => {
  const key = 'sk_live_abcdef123456';
  expect(secretsAmong(['test_abcdef', 'sk_1', key])).toEqual(spellingsOf(key));
});
