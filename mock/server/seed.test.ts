import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { readSeed } from './seed.ts';

const folder = temporaryDirectory();
/** The seed in a file with this text. */
const read = (text: string, name = 'seed.yaml') => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return readSeed(file);
};

test.each([
  ['a.json', '{"leads": [{"name": "Lena"}]}'],
  ['a.yaml', 'leads:\n  - name: Lena\n'],
  ['bom.json', '\uFEFF{"leads": [{"name": "Lena"}]}'],
])('%s is read', (name, text) => expect(read(text, name)).toEqual({ leads: [{ name: 'Lena' }] }));

test('an empty file is a seed without anything of its own', () => expect(read('')).toEqual({}));

test.each<[string, string]>([
  ['leads:\n  - name: Lena\n  - nam: Tom\n', ': /leads/1/nam is not known here; did you mean name?'],
  ['{\n  "leads": [],\n  "clock": {\n    "now": "noon"\n  }\n}', ': /clock/now must be an ISO 8601 time'],
  ['leads:\n  - name: a\n    name: b\n', ': line 3: Map keys must be unique'],
  ['leads: [\n', 'Flow sequence'],
  ['leads: []\n---\nleads: []\n', ': line 2: Source contains multiple documents'],
  ['leads: []\n? [a]\n: 1\n', ': /[ a ] is not known here'],
  ['leads: &a [{ name: x }]\n? *a\n: 1\n', ': /*a is not known here'],
  [
    'leads:\n  - name: a\n  - *nobody\n',
    'seed.yaml: Unresolved alias (the anchor must be set before the alias): nobody; write out what',
  ],
  ['faults:\n  - status: 500\n    body: &b [*b, *b]\n', 'seed.yaml: Converting circular structure'],
  ['- 1\n', ': the document must be object'],
])('%j is refused with its place', (text, error) => {
  expect(() => read(text)).toThrow(error);
});

test('a file of aliases that multiply is refused', () => {
  const lines = Array.from({ length: 9 }, (_, depth) =>
    depth === 0
      ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]'
      : `a${depth}: &a${depth} [${`*a${depth - 1}, `.repeat(9)}]`,
  );
  expect(() => read(lines.join('\n'))).toThrow(
    'seed.yaml: Excessive alias count indicates a resource exhaustion attack; write out what its aliases (*name) repeat',
  );
});

test('YAML of more than a mebibyte is refused, and JSON is not', () => {
  expect(() => read(`x: "${'x'.repeat(1024 * 1024)}"`)).toThrow(
    /seed\.yaml is larger than 1048576 characters and is not JSON: .+; only JSON may be that large$/,
  );
  const leads = Array.from({ length: 20_000 }, () => ({ name: 'x'.repeat(60) }));
  expect(read(JSON.stringify({ leads })).leads).toHaveLength(20_000);
  expect(() => read(JSON.stringify({ leads, lead: 1 }), 'large.json')).toThrow(
    'large.json: /lead is not known here; did you mean leads?',
  );
  expect(() => read(`"${'x'.repeat(16 * 1024 * 1024)}"`)).toThrow('seed.yaml is larger than 16777216 bytes');
});

test('a file that is not there is named', () => {
  expect(() => readSeed(join(folder, 'none.json'))).toThrow('none.json does not exist');
});
