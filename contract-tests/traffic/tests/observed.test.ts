// Bodies as traffic shows them: what is too large to be judged is said, not guessed.
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { checks } from '../../checks/index.ts';
import { observe } from '../../testing/observed.ts';
import { maxJudgedBytes, readObserved } from '../exchanges/observed.ts';
import { createTrafficSession } from '../session.ts';

test.each([
  ['that is empty', '', 'br', { size: 0, rawText: '', json: undefined, byteProblem: undefined }],
  ['compressed', gzipSync('{"a":1}'), 'gzip', { json: { a: 1 } }],
  [
    'with many values',
    `[${'1,'.repeat(300_000)}1]`,
    '',
    { missing: expect.stringMatching(/than 200000 values/) },
  ],
  [
    'too long',
    gzipSync(Buffer.alloc(2 * maxJudgedBytes)),
    'gzip',
    { missing: expect.stringMatching(/1048576 bytes/) },
  ],
  ['in an unknown encoding', 'x', 'snappy', { missing: 'compressed with snappy' }],
])('a body %s is read, or is said not to be', (_what, body, encoding, expected) => {
  expect(readObserved(Buffer.from(body), { 'content-encoding': encoding })).toMatchObject(expected);
});

test.each([
  ['closed again', `${'['.repeat(600)}${']'.repeat(600)}`],
  ['with brackets in a string', `["\\"]]]",${'['.repeat(600)}${']'.repeat(600)}]`],
])('a body of too many nested values is not parsed: %s', (_what, text) => {
  const parse = vi.spyOn(JSON, 'parse');
  try {
    readObserved(Buffer.from(text));
    expect(parse.mock.calls.filter(([parsed]) => /^[[{]/.test(parsed))).toEqual([]);
  } finally {
    parse.mockRestore();
  }
});

test('brackets inside a string are not nested values', () => {
  const value = ['['.repeat(600), '"\\['.repeat(600)];
  expect(readObserved(Buffer.from(JSON.stringify(value)))).toMatchObject({ json: value });
});

test('a long list whose items are all wrong is one finding for each field, with its first place', () => {
  const session = createTrafficSession({ checks });
  const data = Array.from({ length: 5000 }, () => ({}));
  const { findings } = session.observe(observe('GET', 'email/templates', undefined, { data }));
  expect(findings.map(({ failure }) => failure.actual)).toEqual(
    expect.arrayContaining(['/data/0/id is missing', '/data/0/name is missing', '/data/0/body is missing']),
  );
  expect(findings.length).toBeLessThan(10);
});
