// The builds for browsers: small, and without Node.js.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

const dist = resolve(import.meta.dirname, '../../dist');

describe.each([
  ['client', 6, []],
  // Two of them for the rules for messages, with their reasons.
  ['msw', 62, ['msw']],
])('email-leads/%s', (name, limit, packages) => {
  const code = readFileSync(join(dist, 'browser', `${name}.js`), 'utf8');

  test(`is at most ${limit} KiB, compressed with gzip`, () => {
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(limit * 1024);
  });

  test('imports nothing of Node.js', () => {
    const imported = [...code.matchAll(/(?:\bfrom|\bimport\(?|\brequire\()\s*["'`]([\w@:./-]+)["'`]/g)].map(
      ([, id = '']) => id,
    );
    expect(imported).toEqual(packages);
    expect(imported.filter(isBuiltin)).toEqual([]);
    expect(code).not.toMatch(/["'`]node:/);
  });
});
