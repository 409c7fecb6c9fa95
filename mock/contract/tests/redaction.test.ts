import { array, assert, constantFrom, property, string } from 'fast-check';
import { expect, test, vi } from 'vitest';
import { startMock } from '../../index.ts';
import { exchange, type Sent } from '../../testing/mock-server.ts';
import { isWhole } from '../../testing/scale.ts';
import { createKeyRedactor, createRedactor, placeholder } from '../redaction.ts';
import { sh } from '../shell.ts';

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

/** What is printed by the command in a word with an invisible character, without that. */
const printed = (text: string) => /'.*'/s.exec(sh`${`${text}\u0007`}`.code)?.[0].replace('\\0007', '') ?? '';

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
  'a word of a shell': (key) => sh`${key}`.code,
  'a word of a shell with an invisible character': printed,
  'JSON in such a word': (key) => printed(JSON.stringify(key)),
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

const isReplaced = (key: string): void => {
  const redact = createRedactor([key]);
  for (const [name, spell] of Object.entries(spellings)) {
    const shown = redact(`before ${spell(key)} after`);
    expect(shown, name).toMatch(onlyPlaceholder);
    expect(redact(shown), name).toBe(shown);
  }
};

test('a key of any length does not occur in a redacted text in any spelling, and redaction is idempotent', () => {
  const isHidden = (key: string, before: string, after: string): void => {
    // Of an escape at the end of a key a part may stay.
    isReplaced(`${key}xyz`);
    const redact = createRedactor([key]);
    for (const spell of Object.values(spellings)) {
      const shown = redact(before + spell(key) + after);
      expect(rest(shown.replaceAll(placeholder, '\0'))).not.toContain(key.toLowerCase());
      expect(redact(shown)).toBe(shown);
    }
  };
  assert(property(keys, string(), string(), isHidden), { numRuns: runs, seed: 26 });
  for (const key of longKeys) isReplaced(key);
});

test('a key of any length does not occur in base64', () => {
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
])('a key of any length is redacted where an excerpt cuts it off: %s', (dots, unit) => {
  assert(
    property(string({ unit, minLength: 6, maxLength: 200 }), (key) => {
      const shown = createRedactor([key])(`before ${key.slice(0, key.length / 2 + 1)}${dots} after`);
      expect(shown).toBe(`before ${placeholder}${dots} after`);
    }),
    { numRuns: runs, seed: 26 },
  );
});

test('a key of letters beyond ASCII is redacted, as URLs write it too', () => {
  const key = 'clé_très_secrète';
  const redact = createRedactor([key]);
  for (const written of [key, encodeURIComponent(key)])
    expect(redact(`<${written}>`)).toBe(`<${placeholder}>`);
  expect(createRedactor(['\ud800 \u0130 key'])('\ud800 \u0130 key')).toBe(placeholder);
});

test('other text is unchanged', () => {
  const redact = createRedactor(['sk_live_4f9c1e7ab2d8463095be']);
  const isUnchanged = (text: string): void => void expect(redact(text)).toBe(text);
  assert(property(string({ unit: 'grapheme' }), isUnchanged), { numRuns: 2 * runs, seed: 26 });
  isUnchanged('Contract test İ Name: sk_test, sk_…, 100 % of "all" \\ &amp; \\u0041 %41 … and ...');
});

test.each(['KEY', 'EMAIL_LEADS_API_KEY', '$', 'E'])('the placeholder is not redacted itself: %s', (key) => {
  const redact = createRedactor([key]);
  expect(redact(`x ${key} y`)).toBe(`x ${placeholder} y`);
  expect(redact(`${placeholder} ${key}~`)).toBe(`${placeholder} ${placeholder}~`);
});

test('several secrets are redacted together', () => {
  const areRedacted = (secrets: readonly string[]): void => {
    const redact = createRedactor(secrets);
    const shown = redact(secrets.join(' '));
    expect(rest(shown).trim()).toBe('');
    expect(redact(shown)).toBe(shown);
  };
  assert(property(array(keys, { minLength: 1, maxLength: 8 }), areRedacted), { numRuns: runs, seed: 26 });
});

const acceptedKeys = ['sk_live_abcdef123456', 'sk_live_abcdef123456_2', 'pk$.*+?^{}()|[]'];

const redactAccepted = createKeyRedactor(['test_shown', 'short', ...acceptedKeys]);

test.each([
  ['/api/v1/sk_live_abcdef123456', '/api/v1/REDACTED'],
  ['sk_live_abcdef123456_2 and sk_live_abcdef123456', 'REDACTED and REDACTED'],
  ['?key=anything&%6bey=x', '?key=REDACTED&%6bey=REDACTED'],
  ['test_shown, short', 'test_shown, short'],
  ['100 % of "x\\y"', '100 % of "x\\y"'],
])('%s', (text, shown) => expect(redactAccepted(text)).toBe(shown));

type Place = { readonly path?: string; readonly method?: string; readonly sent?: Sent };

/** Where a request can repeat a key, beside other text. */
const places: readonly ((key: string, text: string) => Place)[] = [
  (key, text) => ({ path: `/api/v1/${encodeURIComponent(text)}${key}` }),
  (key) => ({ path: `/api/v1/leads?key=${key}&a=${key}` }),
  (key) => ({ path: `/api/v1/leads/${'x'.repeat(66)}${key}`, method: 'DELETE' }),
  (key, text) => ({ sent: { body: `{"name":"${key}${text}` } }),
  (key, text) => ({ sent: { body: { [key]: text } } }),
  // Where the body is cut.
  (key) => ({ sent: { body: 'x'.repeat(65_526) + key } }),
  (key) => ({ sent: { headers: { 'x-other': key, referer: key, prefer: `code=${key}` } } }),
  // Of other services: known by the names of the headers.
  () => ({ sent: { headers: { 'x-api-key': 'third_secret', cookie: 'session=third_secret' } } }),
  (key) => ({ sent: { body: '{}', headers: { 'content-type': key } } }),
  (key) => ({ path: '/api/v1/email/template', sent: { body: { template_id: key, variables: {} } } }),
  (key) => ({ path: '/__admin/outbox', sent: { body: { [key]: 1 } } }),
  (key) => ({ path: `/__admin/outbox?limit=${key}`, method: 'GET' }),
  (key) => ({ path: `/__admin/${key}?key=${key}`, method: 'GET' }),
  (key) => ({ path: `/${key}` }),
];

test('an accepted key occurs in no response, journal, state, log or HAR', async () => {
  const shown: string[] = [];
  const log = vi.spyOn(process.stdout, 'write').mockImplementation((text) => shown.push(String(text)) > 0);
  await using mock = await startMock({ acceptKeys: [...acceptedKeys, 'test_reader'], log: 'pretty' });
  const read = async (path: string, method: string, sent: Sent) =>
    shown.push((await exchange(mock.url + path, method, sent)).text);
  for (const key of acceptedKeys) {
    const inUrl = encodeURI(key) === key ? key : (acceptedKeys[0] as string);
    for (const place of places)
      for (const text of ['', '"\\… é'])
        for (const sender of [key, 'unknown']) {
          const { path = '/api/v1/leads', method = 'POST', sent } = place(inUrl, text);
          await read(path, method, { key: sender, ...sent });
        }
    const lists = ['/requests?full=true', '/requests?unmatched=true&full=true', '/requests.har', '/state'];
    for (const path of lists) await read(`/__admin${path}`, 'GET', { key });
  }
  expect(log).toHaveBeenCalled();
  log.mockRestore();
  for (const secret of [...acceptedKeys, 'third_secret']) expect(shown.join('')).not.toContain(secret);
});
