import { expect, test } from 'vitest';
import { isTimestamp, timeOf } from './timestamp.ts';

test.each([
  ['2026-11-20T14:29:49.792Z', '2026-11-20T14:29:49Z'],
  ['2026-11-20T14:29:49,79+00:00', '2026-11-20T14:29:49Z'],
  ['20261120T142949Z', '2026-11-20T14:29:49Z'],
  ['2024-12-31T00:00Z', '2024-12-31T00:00:00Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
])('%s is %s in UTC', (text, instant) => {
  expect(isTimestamp(text)).toBe(true);
  expect(new Date(timeOf(text)).toISOString()).toBe(instant.replace('Z', '.000Z'));
});

test.each([
  ['2026-11-20 14:29:49Z', 'without T'],
  ['2026-11-20T14:29:49', 'without a zone'],
  ['2026-11-20T14:29:49+02:00', 'local'],
  ['2026-02-30T10:00:00Z', 'no such day'],
  ['2026-11-20T14:29:60Z', 'no leap second'],
  ['2026-11-20T24:00:00Z', 'no such hour'],
  ['2026-W47-5T14:29:49Z', 'a week, which clients do not read'],
  ['2026-11-20T14:29:49ZT', 'something after it'],
])('%s is no time in UTC: %s', (text) => {
  expect(isTimestamp(text)).toBe(false);
  expect(timeOf(text)).toBeNaN();
});
