import { expect, test } from 'vitest';
import { pseudoRandom } from '../store/ids.ts';

test('texts that are nearly the same have nothing in common, and the same have the same', () => {
  const texts = Array.from({ length: 20_000 }, (_, number) => `test_${number % 20}\n${number}`);
  const ids = texts.map((text) => pseudoRandom(text).join());
  expect(new Set(ids).size).toBe(texts.length);
  expect(texts.map((text) => pseudoRandom(text).join())).toEqual(ids);
  const evens = texts.map((text) => pseudoRandom(text).filter((part) => part % 2 === 0).length);
  const mean = evens.reduce((sum, count) => sum + count, 0) / texts.length;
  expect(mean).toBeCloseTo(2, 1);
});
