import { array, assert, asyncProperty, constantFrom, string } from 'fast-check';
import { expect, test } from 'vitest';
import { startMock } from '../index.ts';
import { exchange, type Sent } from '../testing/mock-server.ts';
import { createKeyRedactor, pseudoRandom } from './ids.ts';

const keys = ['sk_live_abcdef123456', 'sk_live_abcdef123456_2', 'pk$.*+?^{}()|[]'];
const redact = createKeyRedactor(['test_shown', 'short', ...keys]);

test.each([
  ['/api/v1/sk_live_abcdef123456', '/api/v1/REDACTED'],
  ['sk_live_abcdef123456_2 and sk_live_abcdef123456', 'REDACTED and REDACTED'],
  ['?key=anything&%6bey=x', '?key=REDACTED&%6bey=REDACTED'],
  ['test_shown, short', 'test_shown, short'],
  ['100 % of "x\\y"', '100 % of "x\\y"'],
])('%s', (text, shown) => expect(redact(text)).toBe(shown));

type Place = { readonly path?: string; readonly method?: string; readonly sent?: Sent };

test('an accepted key occurs in no journal, log, error or HAR', async () => {
  const lines: string[] = [];
  const written = process.stdout.write;
  process.stdout.write = ((text: string) => lines.push(text) > 0) as never;
  const mock = await startMock({ acceptKeys: [...keys, 'test_reader'], log: 'pretty' });
  const places = constantFrom(
    (key: string, text: string): Place => ({ path: `/api/v1/${encodeURIComponent(text)}${key}` }),
    (key: string): Place => ({ path: `/api/v1/leads?key=${key}&a=${key}` }),
    (key: string): Place => ({ path: `/api/v1/leads/${'x'.repeat(66)}${key}`, method: 'DELETE' }),
    (key: string, text: string): Place => ({ sent: { body: `{"name":"${key}${text}` } }),
    (key: string, text: string): Place => ({ sent: { body: { [key]: text } } }),
    // Where the body is cut.
    (key: string): Place => ({ sent: { body: 'x'.repeat(65_526) + key } }),
    (key: string): Place => ({ sent: { headers: { 'x-other': key, referer: key, prefer: `code=${key}` } } }),
    (key: string): Place => ({ sent: { body: '{}', headers: { 'content-type': key } } }),
    (key: string): Place => ({
      path: '/api/v1/email/template',
      sent: { body: { template_id: key, variables: {} } },
    }),
    (key: string): Place => ({ path: '/__admin/outbox', sent: { body: { [key]: 1 } } }),
    (key: string): Place => ({ path: `/__admin/outbox?limit=${key}`, method: 'GET' }),
    (key: string): Place => ({ path: `/__admin/${key}?key=${key}`, method: 'GET' }),
    (key: string): Place => ({ path: `/${key}` }),
  );
  try {
    await assert(
      asyncProperty(
        array(places, { maxLength: 4 }),
        constantFrom(...keys),
        string(),
        async (all, key, text) => {
          const shown: string[] = [];
          for (const place of all) {
            const given = place(encodeURI(key) === key ? key : (keys[0] as string), text);
            const { path = '/api/v1/leads', method = 'POST', sent } = given;
            for (const sender of [key, 'unknown'])
              shown.push((await exchange(mock.url + path, method, { key: sender, ...sent })).text);
          }
          for (const path of [
            '/requests?full=true',
            '/requests?unclaimed=true&full=true',
            '/requests.har',
            '/state',
          ])
            shown.push((await exchange(`${mock.url}/__admin${path}`, 'GET', { key })).text);
          for (const secret of keys) expect(shown.join('')).not.toContain(secret);
        },
      ),
      { numRuns: 30, seed: 3 },
    );
  } finally {
    process.stdout.write = written;
    await mock.close();
  }
  expect(lines.length).toBeGreaterThan(0);
  for (const secret of keys) expect(lines.join('')).not.toContain(secret);
});

test('texts that are nearly the same have nothing in common, and the same have the same', () => {
  const texts = Array.from({ length: 20_000 }, (_, number) => `test_${number % 20}\n${number}`);
  const ids = texts.map((text) => pseudoRandom(text).join());
  expect(new Set(ids).size).toBe(texts.length);
  expect(texts.map((text) => pseudoRandom(text).join())).toEqual(ids);
});
