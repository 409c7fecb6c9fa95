import { describe, expect, test } from 'vitest';
import { readPreferences } from '../service/headers.ts';
import { useMock } from '../testing/mock-server.ts';

const mock = useMock();
const add = (prefer: string, key = 'test_key') =>
  mock.call('POST', '/api/v1/leads', { key, body: { name: 'Lena' }, headers: { prefer } });

test.each([
  ['code=503', { code: 503 }],
  ['code=400, delay=0', { code: 400, delay: 0 }],
  ['delay=250,code=599', { code: 599, delay: 250 }],
  ['CODE="404"', { code: 404 }],
  ['code = 404 ; why=not', { code: 404 }],
  ['code=404, code=500', { code: 404 }],
  ['return=minimal, respond-async, wait=10', {}],
  ['note="a, code=503"', {}],
  ['', {}],
  ['=,;,==,', {}],
])('%j is read as %j', (header, preferences) => {
  expect(readPreferences(header)).toEqual(preferences);
});

describe('refuses what it cannot follow', () => {
  test.each([
    ['code=399', 'code must be a whole number from 400 to 599, not "399"'],
    ['code=600', 'code must be a whole number from 400 to 599, not "600"'],
    ['code=', 'code must be a whole number from 400 to 599, not ""'],
    ['code', 'code must be a whole number from 400 to 599, not ""'],
    ['code=503.5', 'code must be a whole number from 400 to 599, not "503.5"'],
    ['code=0x1f7', 'code must be a whole number from 400 to 599, not "0x1f7"'],
    ['delay=-1', 'delay must be a whole number from 0 to 60000, not "-1"'],
    ['delay=60001', 'delay must be a whole number from 0 to 60000, not "60001"'],
    ['code=503, delay=soon', 'delay must be a whole number from 0 to 60000, not "soon"'],
  ])('%s', async (prefer, error) => {
    expect(await add(prefer)).toMatchObject({ status: 400, body: { error: `header/Prefer: ${error}` } });
  });
});

test('code refuses this request with any status', async () => {
  for (const code of [400, 404, 409, 422, 429, 500, 503, 599]) {
    expect(await add(`code=${code}`)).toMatchObject({
      status: code,
      headers: { 'preference-applied': `code=${code}` },
      body: { success: false },
    });
  }
  expect((await add('code=503, delay=1')).headers['preference-applied']).toBe('code=503, delay=1');
});

test('nothing is done and nothing persists', async () => {
  const key = mock.key();
  await add('code=500', key);
  await add('code=bad', key);
  expect((await add('', key)).body).toMatchObject({ data: { lead_id: 'lead_000001' } });
});

test('delay lets the reply to this request wait, and no other', async () => {
  const key = mock.key();
  const replied: string[] = [];
  const slow = add('delay=150', key).finally(() => replied.push('slow'));
  const fast = add('', key).finally(() => replied.push('fast'));
  expect((await slow).headers).toMatchObject({ 'preference-applied': 'delay=150' });
  expect([(await slow).status, (await fast).status]).toEqual([200, 200]);
  expect(replied).toEqual(['fast', 'slow']);
});

test('a refusal for which the client does not wait is in the journal all the same', async () => {
  const key = mock.key();
  const headers = {
    authorization: `Bearer ${key}`,
    prefer: 'code=503, delay=60000',
    'content-type': 'application/json',
  };
  const sent = { method: 'POST', headers, body: '{"name":"x"}', signal: AbortSignal.timeout(50) };
  await expect(fetch(`${mock.url}/api/v1/leads`, sent)).rejects.toThrow('timeout');
  const asked = '/__admin/requests/wait?status=0&operation=addLead';
  expect((await mock.call('GET', asked, { key })).body).toMatchObject({
    requests: [
      {
        why: { code: 'client_gone', what: expect.stringMatching(/^refused with 503 .*; the client closed/) },
      },
    ],
  });
});
