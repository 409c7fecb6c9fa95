import { expect, test } from 'vitest';
import { readPreferences } from '../service/headers.ts';
import { rejectedWith, useMock } from '../testing/mock-server.ts';

const mock = useMock();
const add = (prefer: string) =>
  mock.call('POST', '/api/v1/leads', { body: { name: 'Lena' }, headers: { prefer } });

test.each([
  ['delay=250,code=599', { code: 599, delay: 250 }],
  ['CODE="404"', { code: 404 }],
  ['code = 404 ; why=not', { code: 404 }],
  ['code=404, code=500', { code: 404 }],
  ['return=minimal, respond-async, wait=10', {}],
  ['=,;,==,', {}],
])('%j is read as %j', (header, preferences) => {
  expect(readPreferences(header)).toEqual(preferences);
});

test.each([
  ['code=399', 'code must be a whole number from 400 to 599, not "399"'],
  ['code=600', 'code must be a whole number from 400 to 599, not "600"'],
  ['code', 'code must be a whole number from 400 to 599, not ""'],
  ['code=503.5', 'code must be a whole number from 400 to 599, not "503.5"'],
  ['code=503, delay=60001', 'delay must be a whole number from 0 to 60000, not "60001"'],
])('%j cannot be followed', async (prefer, error) => {
  expect(await add(prefer)).toMatchObject(rejectedWith(400, `header/Prefer: ${error}`));
});

test('code refuses this request with any status, and nothing is done', async () => {
  for (const status of [400, 429, 599])
    expect(await add(`code=${status}`)).toMatchObject({
      status,
      headers: { 'preference-applied': `code=${status}` },
      body: { success: false },
    });
  expect((await add('code=503, delay=1')).headers['preference-applied']).toBe('code=503, delay=1');
  expect((await add('')).body).toMatchObject({ data: { lead_id: 'lead_000001' } });
});

test('delay lets the reply to this request wait, and no other', async () => {
  const replied: string[] = [];
  const slow = add('delay=150').finally(() => replied.push('slow'));
  const fast = add('').finally(() => replied.push('fast'));
  expect((await slow).headers).toMatchObject({ 'preference-applied': 'delay=150' });
  expect([(await slow).status, (await fast).status]).toEqual([200, 200]);
  expect(replied).toEqual(['fast', 'slow']);
});
