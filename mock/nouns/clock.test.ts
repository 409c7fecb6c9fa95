import { expect, test } from 'vitest';
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
  ['2026-03-02T11:30Z', '2026-03-02T11:30:00.000Z'],
  ['2026-03-02T12:30:00.5+01:00', '2026-03-02T11:30:00.500Z'],
])('%s is the time %s', (now, shown) => {
  const { clock } = clockInTest();
  clock.change({ now });
  expect(clock.now()).toBe(shown);
});
