// The builds for browsers: small, and without Node.js.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { forBrowsers } from '../build/browser.mjs';

const dist = resolve(import.meta.dirname, '../../dist');

describe.each([
  ['client', 10, []],
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

test('the table of HTML entities is the one of the package', async () => {
  const file = join(dist, '../node_modules/entities/dist/esm/generated/decode-data-html.js');
  const { htmlDecodeTree } = await import(pathToFileURL(file).href);
  const { load } = forBrowsers(resolve(dist, '..')) as { load: (id: string) => Promise<string> };
  const built = await import(`data:text/javascript,${encodeURIComponent(await load(file))}`);
  expect(built.htmlDecodeTree).toEqual(htmlDecodeTree);
});
