import { assert, constantFrom, property, string, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor, secretsAmong } from './redaction.ts';

const key = 'sk_live_abcdef123456';
const redactor = createRedactor([key]);

test('a test key is no secret, a short one would be found in words', () => {
  expect(secretsAmong(['test_abcdef', 'sk_1', key])).toEqual([key]);
});

test.each([
  [`/api/v1/${key}`, '/api/v1/REDACTED'],
  ['/api/v1/sk%5Flive%5fabcdef123456?x=1', '/api/v1/REDACTED?x=1'],
  ['{"a":"sk\\u005flive_abcdef\\u00312345\\u0036"}', '{"a":"REDACTED"}'],
  [`?api_key=${key}&to=${key}`, '?api_key=REDACTED&to=REDACTED'],
  ['?key=anything&%6bey=x', '?key=REDACTED&%6bey=REDACTED'],
  [`${key}\\ and ${key}`, 'REDACTED\\ and REDACTED'],
  ['100 % of "x\\y"', '100 % of "x\\y"'],
])('%s', (text, shown) => {
  expect(redactor.text(text)).toBe(shown);
  expect(redactor.url(text)).toBe(shown);
});

test('the key a request carries, too', () => {
  expect(createRedactor([], 'Bearer another_key').text('of another_key')).toBe('of REDACTED');
  expect(createRedactor([], 'Bearer test_another').text('of test_another')).toBe('of test_another');
});

test('keys that begin alike', () => {
  expect(createRedactor([key, `${key}_2`]).text(`${key}_2 ${key}`)).toBe('REDACTED REDACTED');
});

test.each([
  ['xx sk_live_abc', 'xx REDACTED'],
  ['xx sk%5Flive%5Fabc%3', 'xx REDACTED'],
  ['xx sk\\u005flive_\\u0', 'xx REDACTED'],
  ['xx sk_', 'xx sk_'],
])('cut: %s', (text, shown) => expect(redactor.cut(text)).toBe(shown));

test.each([
  ['there is no path "/api/sk_live_abc..."', 'there is no path "/api/REDACTED..."'],
  ['body is not JSON: ..."e":"sk_live_ab"... is not', 'body is not JSON: ..."e":"REDACTED"... is not'],
  ['body is not JSON: ..."cdef123456",}"... is not', 'body is not JSON: ..."REDACTED",}"... is not'],
  [`code must be a number, not "${key}"`, 'code must be a number, not "REDACTED"'],
  ['the live of others', 'the live of others'],
])('message: %s', (text, shown) => expect(redactor.message(text)).toBe(shown));

describe('whatever is in a key', () => {
  const forms: readonly ((character: string) => string)[] = [
    (character) => character,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
    (character) => `\\u00${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  ];
  const visible = constantFrom(...Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)));

  test('it is found in any form of any of its characters', () => {
    const written = tuple(string({ unit: visible, minLength: 8, maxLength: 20 }), constantFrom(0, 1, 2));
    assert(
      property(written, string(), ([any, form], around) => {
        const text = `${around} ${Array.from(any, forms[form] ?? String).join('')} ${around}`;
        const shown = createRedactor([any]).text(text);
        expect(shown).toContain('REDACTED');
        expect(JSON.stringify(shown)).not.toContain(any);
      }),
      { numRuns: 200, seed: 11 },
    );
  });

  test('as JSON and a URL write it', () => {
    assert(
      property(string({ unit: visible, minLength: 8, maxLength: 20 }), (any) => {
        const { text } = createRedactor([any]);
        for (const written of [JSON.stringify(any), `"${encodeURIComponent(any)}"`])
          expect(text(written)).toBe('"REDACTED"');
      }),
      { numRuns: 200, seed: 11 },
    );
  });
});

describe('a key of any length and content', () => {
  test.each([300, 6_000, 100_000])('of %d characters: a text that has it is not shown', (length) => {
    const long = `sk_live_${'x'.repeat(length)}`;
    const { text, url, cut, message } = createRedactor([], `Bearer ${long}`);
    expect(text(`a ${long} b`)).toBe('REDACTED');
    expect(url(`/x%20y/${long}`)).toBe('REDACTED');
    expect(cut(`a%20${long.slice(0, -7)}`)).toBe('REDACTED');
    expect(cut(`a%20${long.slice(0, 99)}`)).toBe('a%20REDACTED');
    expect(message(`no path "/%20/${long.slice(0, 50)}..."`)).toBe('no path "/%20/REDACTED..."');
    expect(message(`not JSON: ..."${long.slice(-20)}"... at 1`)).toBe('not JSON: ..."REDACTED"... at 1');
  });

  test('of letters beyond ASCII, as HTTP delivers them and URLs write them', () => {
    const any = 'clé_très_secrète';
    const { text } = createRedactor([], `Bearer ${any}`);
    expect(text(`${any} ${encodeURIComponent(any)} ${escape(any)}`)).toBe('REDACTED REDACTED REDACTED');
  });

  test.each(['%25%25%25%25', '\\\\\\\\\\', '%5c%5c%5c\\"', 'a%25b%2525'])(
    'of signs of escapes: %s',
    (any) => {
      const { text } = createRedactor([any]);
      for (const written of [any, JSON.stringify(any).slice(1, -1), encodeURIComponent(any)])
        expect(text(`<${written}>`)).toBe('<REDACTED>');
    },
  );

  test('a quotation from the middle of it', () => {
    expect(redactor.message('not JSON: ..."live_abcdef"... at 1')).toBe('not JSON: ..."REDACTED"... at 1');
  });

  test('places that overlap are one', () => {
    expect(createRedactor(['abababab']).text('xababababababx')).toBe('xREDACTEDx');
  });
});

test('what cannot be redacted is not shown', () => {
  const broken = { toString: () => key } as unknown as string;
  const { text, url, cut, message } = redactor;
  expect([text, url, cut, message].map((redact) => redact(broken))).toEqual(Array(4).fill('REDACTED'));
});
