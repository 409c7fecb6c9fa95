import { describe, expect, test } from 'vitest';
import { placeholdersOf, renderTemplate } from './template.ts';

describe('placeholders', () => {
  test.each([
    ['{{b}} {{a}} {{b}}', ['b', 'a']],
    ['{{__proto__}} {{constructor}}', ['__proto__', 'constructor']],
    ['{{ spaced }}', [' spaced ']],
    ['{{}}', ['']],
    ['{{a} {b}} {c}', []],
    ['{{a{{b}}', ['b']],
  ])('of %j are %j', (body, names) => {
    expect(placeholdersOf(body)).toEqual(names);
  });
});

describe('substitution', () => {
  test.each([
    ['{{a}} and {{a}}', { a: 'x' }, 'x and x'],
    ['{{a}}', { a: "$& $1 $$ $` $'" }, "$& $1 $$ $` $'"],
    ['{{a}}{{b}}', { a: '{{b}}', b: 'x' }, '{{b}}x'],
    ['{{constructor}} {{toString}}', {}, '{{constructor}} {{toString}}'],
    ['{{__proto__}}', JSON.parse('{"__proto__":"x"}'), 'x'],
    ['{{a}}', { a: '' }, ''],
  ])('%j with %j is %j', (body, variables, filled) => {
    expect(renderTemplate(body, variables)).toBe(filled);
  });

  test('leaves nothing where gaps are blank', () => {
    expect(renderTemplate('a{{b}}c', {}, true)).toBe('ac');
  });

  test('escapes values, and not the text, if it is told to', () => {
    const variables = { a: '<a href="x">&\'' };
    expect(renderTemplate('<b>{{a}}', variables, false, true)).toBe(
      '<b>&#60;a href=&#34;x&#34;&#62;&#38;&#39;',
    );
  });

  test('gives up before the text is too long', () => {
    const variables = { a: 'x'.repeat(2 * 1024 * 1024) };
    expect(renderTemplate('{{a}}'.repeat(10_000), variables)).toBeUndefined();
    expect(renderTemplate('{{a}}', variables)).toBe(variables.a);
  });
});
