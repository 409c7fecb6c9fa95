import { expect, test } from 'vitest';
import { useMock } from '../testing/mock-server.ts';
import { createClock } from './clock.ts';

test('shows real time until it is set or frozen, and moves exactly as it is advanced though time passes meanwhile', () => {
  let wall = Date.parse('2026-03-02T10:00:00.000Z');
  const tick = (): number => {
    wall += 1;
    return wall;
  };
  const clock = createClock(undefined, undefined, tick);
  expect(clock.reading()).toEqual({ now: '2026-03-02T10:00:00.002Z', frozen: false });
  clock.change({ advance_ms: 7000 });
  expect(clock.setting()).toEqual({ frozen: false, offset_ms: 7000 });
  clock.change({ frozen: true });
  expect([clock.now(), clock.now()]).toEqual(Array(2).fill('2026-03-02T10:00:07.005Z'));
  clock.change({ frozen: false });
  expect(clock.now()).toBe('2026-03-02T10:00:07.007Z');
});

test.each([
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['2026-03-02T12:30:00.5+01:00', '2026-03-02T11:30:00.500Z'],
])('%s is the time %s', (now, shown) => {
  const clock = createClock();
  clock.change({ now });
  expect(clock.reading()).toEqual({ now: shown, frozen: true });
});

const mock = useMock();
const put = (body: object) => mock.admin('PUT', '/clock', { body });

test('stamps leads, templates, messages and the journal', async () => {
  await put({ now: '2030-05-06T07:08:09Z' });
  const now = '2030-05-06T07:08:09.000Z';
  expect((await mock.lead()).created_at).toBe(now);
  const template = await mock.admin('POST', '/templates', { body: { name: 'x', body: 'y' } });
  expect(template.body).toMatchObject({ created_at: now });
  await mock.mail();
  for (const path of ['/outbox/latest', '/requests/latest'])
    expect(await mock.read(path)).toMatchObject({ created_at: now });
  const later = '2030-05-07T07:08:09.000Z';
  expect((await put({ advance_ms: 86_400_000 })).body).toEqual({ now: later, frozen: true });
  const updated = await mock.call('PUT', '/api/v1/leads/lead_000001', { body: { note: 'x' } });
  expect(updated.body).toMatchObject({ data: { updated_at: later } });
});
