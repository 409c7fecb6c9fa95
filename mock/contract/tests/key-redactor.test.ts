import { expect, test, vi } from 'vitest';
import { startMock } from '../../index.ts';
import { exchange, type Sent } from '../../testing/mock-server.ts';
import { createKeyRedactor } from '../redaction.ts';

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

/** Where a request can repeat a key, beside other text. */
const places: readonly ((key: string, text: string) => Place)[] = [
  (key, text) => ({ path: `/api/v1/${encodeURIComponent(text)}${key}` }),
  (key) => ({ path: `/api/v1/leads?key=${key}&a=${key}` }),
  (key) => ({ path: `/api/v1/leads/${'x'.repeat(66)}${key}`, method: 'DELETE' }),
  (key, text) => ({ sent: { body: `{"name":"${key}${text}` } }),
  (key, text) => ({ sent: { body: { [key]: text } } }),
  // Where the body is cut.
  (key) => ({ sent: { body: 'x'.repeat(65_526) + key } }),
  (key) => ({ sent: { headers: { 'x-other': key, referer: key, prefer: `code=${key}` } } }),
  // Of other services: known by the names of the headers.
  () => ({ sent: { headers: { 'x-api-key': 'third_secret', cookie: 'session=third_secret' } } }),
  (key) => ({ sent: { body: '{}', headers: { 'content-type': key } } }),
  (key) => ({ path: '/api/v1/email/template', sent: { body: { template_id: key, variables: {} } } }),
  (key) => ({ path: '/__admin/outbox', sent: { body: { [key]: 1 } } }),
  (key) => ({ path: `/__admin/outbox?limit=${key}`, method: 'GET' }),
  (key) => ({ path: `/__admin/${key}?key=${key}`, method: 'GET' }),
  (key) => ({ path: `/${key}` }),
];

test('an accepted key occurs in no response, journal, state, log or HAR', async () => {
  const shown: string[] = [];
  const log = vi.spyOn(process.stdout, 'write').mockImplementation((text) => shown.push(String(text)) > 0);
  await using mock = await startMock({ acceptKeys: [...keys, 'test_reader'], log: 'pretty' });
  const read = async (path: string, method: string, sent: Sent) =>
    shown.push((await exchange(mock.url + path, method, sent)).text);
  for (const key of keys) {
    const inUrl = encodeURI(key) === key ? key : (keys[0] as string);
    for (const place of places)
      for (const text of ['', '"\\… é'])
        for (const sender of [key, 'unknown']) {
          const { path = '/api/v1/leads', method = 'POST', sent } = place(inUrl, text);
          await read(path, method, { key: sender, ...sent });
        }
    for (const path of [
      '/requests?full=true',
      '/requests?unmatched=true&full=true',
      '/requests.har',
      '/state',
    ])
      await read(`/__admin${path}`, 'GET', { key });
  }
  expect(log).toHaveBeenCalled();
  log.mockRestore();
  for (const secret of [...keys, 'third_secret']) expect(shown.join('')).not.toContain(secret);
});
