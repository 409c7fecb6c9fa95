import { expect, test } from 'vitest';
import { initially, possibleWrites, type Register, write } from './register.ts';

type Entry = readonly [value: string, from: number, to: number, isCertain?: false];

const registerOf = (entries: readonly Entry[]): Register<string> => {
  const register: Register<string> = [initially('old')];
  for (const [value, from, to, isCertain = true] of entries) write(register, value, { from, to }, isCertain);
  return register;
};

test.each<[string, readonly Entry[], readonly [number, number], number, readonly string[]]>([
  ['only the new value after a write', [['a', 1, 2]], [3, 4], 0, ['a']],
  ['the old value before a write', [['a', 5, 6]], [3, 4], 0, ['old']],
  ['both during a write', [['a', 1, 4]], [2, 3], 0, ['old', 'a']],
  ['any of concurrent writes', [...[['a', 1, 4] as const], ['b', 2, 3]], [5, 6], 0, ['a', 'b']],
  ['an uncertain write beside the value before it', [['a', 1, 2, false]], [9, 10], 0, ['old', 'a']],
  [
    'an uncertain write also after a later one',
    [...[['a', 1, 2, false] as const], ['b', 3, 4]],
    [5, 6],
    0,
    ['a', 'b'],
  ],
  ['the old value within the lag', [['a', 1, 2]], [50, 51], 100, ['old', 'a']],
  ['only the new value after the lag', [['a', 1, 2]], [150, 151], 100, ['a']],
])('a read may show %s', (_, entries, [from, to], lagMs, expected) => {
  const writes = possibleWrites(registerOf(entries), { from, to }, { lagMs });
  expect(writes.map(({ value }) => value)).toEqual(expected);
});

test('a request does not read its own write', () => {
  const by = { from: 1, to: 2 };
  const register = registerOf([]);
  write(register, 'own', by);
  expect(possibleWrites(register, by, { except: by }).map(({ value }) => value)).toEqual(['old']);
});

test('a register forgets its oldest writes', () => {
  const register = registerOf(Array.from({ length: 40 }, (_, at): Entry => [`${at}`, at, at + 1]));
  expect(register.length).toBeLessThan(20);
  expect(possibleWrites(register, { from: 50, to: 51 }).map(({ value }) => value)).toEqual(['39']);
});
