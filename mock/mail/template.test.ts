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
});
