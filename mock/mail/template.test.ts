import { array, assert, constantFrom, dictionary, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../testing/any-text.ts';
import { escapeHtml, placeholdersOf, renderTemplate } from './template.ts';

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

  test('gives up before the text is too long', () => {
    const variables = { a: 'x'.repeat(2 * 1024 * 1024) };
    expect(renderTemplate('{{a}}'.repeat(10_000), variables)).toBeUndefined();
    expect(renderTemplate('{{a}}', variables)).toBe(variables.a);
  });

  // Another way to say the same: split at the placeholders and put the values between.
  test('puts every value in unchanged, whatever is in it', () => {
    const names = constantFrom('a', 'b', '__proto__', 'constructor', '$&');
    const part = anyText().map((text) => text.replaceAll(/[{}]/g, ''));
    assert(
      property(
        array(names),
        array(part, { minLength: 1 }),
        dictionary(names, anyText(), { noNullPrototype: false }),
        (holes, texts, variables) => {
          const pieces = holes.map((name, index) => ({ text: texts[index % texts.length] ?? '', name }));
          const body = pieces.map(({ text, name }) => `${text}{{${name}}}`).join('');
          const expected = pieces.map(
            ({ text, name }) => text + (Object.hasOwn(variables, name) ? variables[name] : `{{${name}}}`),
          );
          expect(renderTemplate(body, variables)).toBe(expected.join(''));
        },
      ),
      { seed: 1, numRuns: 100 },
    );
  });
});

test('escaped, a text is no markup', () => {
  expect(escapeHtml('<a href="x">&\'')).toBe('&#60;a href=&#34;x&#34;&#62;&#38;&#39;');
});
