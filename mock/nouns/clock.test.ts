import { expect, test } from 'vitest';
import { rejectedWith, useMock } from '../testing/mock-server.ts';
import { createClock } from './clock.ts';

const start = '2026-03-02T10:00:00.000Z';
const clockInTest = () => {
  let wall = Date.parse(start);
  const pass = (ms: number): void => {
    wall += ms;
  };
  return { clock: createClock(undefined, undefined, () => wall), pass };
};

test('shows real time until it is changed, is frozen when set, and then moves only when advanced', () => {
  const { clock, pass } = clockInTest();
  pass(1500);
  expect(clock.reading()).toEqual({ now: '2026-03-02T10:00:01.500Z', frozen: false });
  clock.change({ now: '2030-01-01T00:00:00Z' });
  pass(5000);
  expect(clock.reading()).toEqual({ now: '2030-01-01T00:00:00.000Z', frozen: true });
  clock.change({ advance_ms: 60_000 });
  expect(clock.reading()).toEqual({ now: '2030-01-01T00:01:00.000Z', frozen: true });
});

test('runs on from where it is set when it is not frozen', () => {
  const { clock, pass } = clockInTest();
  clock.change({ now: '2030-01-01T00:00:00Z', frozen: false });
  pass(1000);
  clock.change({ advance_ms: -500 });
  expect(clock.reading()).toEqual({ now: '2030-01-01T00:00:00.500Z', frozen: false });
});

test('freezes where it is, and goes on from there', () => {
  const { clock, pass } = clockInTest();
  clock.change({ frozen: true });
  pass(1000);
  expect(clock.now()).toBe(start);
  clock.change({ frozen: false });
  pass(10);
  expect(clock.now()).toBe('2026-03-02T10:00:00.010Z');
});

test('keeps its distance exactly though time passes while it is moved', () => {
  let real = 0;
  const wall = (): number => {
    real += 1;
    return real;
  };
  const clock = createClock(undefined, undefined, wall);
  clock.change({ advance_ms: 7000 });
  const again = createClock(undefined, clock.setting(), wall);
  expect(again.setting()).toEqual({ frozen: false, offset_ms: 7000 });
});

test('run on from its last moment, it has a setting that can be restored', () => {
  const { clock, pass } = clockInTest();
  clock.change({ now: '9999-12-31T23:59:59.999Z', frozen: false });
  pass(5000);
  expect(clock.now()).toBe('9999-12-31T23:59:59.999Z');
  const setting = clock.setting();
  expect(createClock(undefined, setting).setting()).toEqual(setting);
});

test.each([
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['2026-03-02T12:30:00.5+01:00', '2026-03-02T11:30:00.500Z'],
])('%s is the time %s', (now, shown) => {
  const { clock } = clockInTest();
  clock.change({ now });
  expect(clock.now()).toBe(shown);
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

test.each<[object, string]>([
  [{}, 'body changes nothing'],
  [{ now: 'noon' }, 'body/now must be an ISO 8601 time'],
  [{ now: '2026-02-30T00:00:00Z' }, 'body/now must be an ISO 8601 time'],
  [{ now: '2026-03-02T10:00:00' }, 'body/now must be an ISO 8601 time'],
  [{ advance_ms: 1.5 }, 'body/advance_ms must be integer'],
  [{ advance_ms: 1e15 }, 'body/advance_ms must lead to a time from year 1 to year 9999'],
  [{ now: '0001-01-01T00:00:00Z', advance_ms: -1 }, 'body/advance_ms must lead to a time from year 1'],
  [{ now: '9999-12-31T23:59:59-23:00' }, 'body/now must lead to a time from year 1'],
  [{ now: '0000-12-31T23:59:59Z', advance_ms: 1e9 }, 'body/now must lead to a time from year 1'],
  [{ advance: 5 }, 'body/advance is not known here; did you mean advance_ms?'],
])('%j is refused, and the clock stays', async (body, error) => {
  await put({ now: '2030-05-06T07:08:09Z' });
  expect(await put(body)).toMatchObject(rejectedWith(400, error));
  expect(await mock.read('/clock')).toEqual({ now: '2030-05-06T07:08:09.000Z', frozen: true });
});
