// Bodies as traffic shows them: what is too large to be judged is said, not guessed.
import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { checks } from '../../checks/index.ts';
import { decodeBody, maxJudgedBytes } from '../exchanges/observed.ts';
import { createTrafficSession } from '../session.ts';

const bytesOf = (text: string) => ({ bytes: Buffer.from(text) });

describe('a body', () => {
  test('that is empty is neither JSON nor missing, whatever its encoding', () => {
    expect(decodeBody({ bytes: Buffer.alloc(0) }, 'br')).toEqual({
      size: 0,
      rawText: '',
      json: undefined,
      byteProblem: undefined,
    });
  });

  test.each([
    ['compressed', { bytes: gzipSync('{"a":1}') }, 'gzip', { json: { a: 1 } }],
    [
      'with many values',
      bytesOf(`[${'1,'.repeat(300_000)}1]`),
      '',
      { missing: 'a body has more than 200000 values, which is more than the suite judges' },
    ],
    ['with many commas', bytesOf(`["${','.repeat(15_000)}"]`), '', { rawText: expect.any(String) }],
    [
      'that unfolds beyond bounds',
      { bytes: gzipSync(Buffer.alloc(2 * maxJudgedBytes)) },
      'gzip',
      { missing: 'a body decompresses to more than 1048576 bytes' },
    ],
    ['in an unknown encoding', bytesOf('x'), 'snappy', { missing: 'compressed with snappy' }],
  ])('%s is read, or is said not to be', (_what, body, encoding, expected) => {
    expect(decodeBody(body, encoding)).toMatchObject(expected);
  });
});

test.each([
  ['open', '['.repeat(600)],
  ['closed again', `${'['.repeat(600)}${']'.repeat(600)}`],
  ['objects', `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`],
  ['with brackets in a string', `["\\"]]]",${'['.repeat(600)}${']'.repeat(600)}]`],
  ['in a JSON string', JSON.stringify('['.repeat(600))],
])('a body of too many nested values is not parsed: %s', (_what, text) => {
  const parse = vi.spyOn(JSON, 'parse');
  try {
    decodeBody(bytesOf(text), '');
    expect(parse.mock.calls.filter(([parsed]) => /^[[{]/.test(parsed))).toEqual([]);
  } finally {
    parse.mockRestore();
  }
});

test('brackets inside a string are not nested values', () => {
  const value = ['['.repeat(600), '"\\['.repeat(600)];
  expect(decodeBody(bytesOf(JSON.stringify(value)), '')).toMatchObject({ json: value });
});

test('a long list whose items are all wrong is one finding for each field, with its first place', () => {
  const session = createTrafficSession({ checks });
  const { findings } = session.observe({
    method: 'GET',
    target: '/api/v1/email/templates',
    requestHeaders: { authorization: 'Bearer sk_live_4f9c1e7ab2d8' },
    requestBody: { bytes: Buffer.alloc(0) },
    status: 200,
    responseHeaders: { 'content-type': 'application/json' },
    responseBody: bytesOf(`{"success":true,"error":"","message":"ok","data":[${'{},'.repeat(5000)}{}]}`),
    startedAt: 1,
    endedAt: 2,
    overlaps: false,
  });
  expect(findings.map(({ failure }) => failure.actual)).toEqual(
    expect.arrayContaining(['/data/0/id is missing', '/data/0/name is missing', '/data/0/body is missing']),
  );
  expect(findings.length).toBeLessThan(10);
});
