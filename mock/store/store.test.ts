import { array, assert, constantFrom, nat, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { createLog } from './log.ts';
import { createMeter, createStore, lengthOf, type Meter, StoreFull } from './store.ts';

const waiting = { count: 0, max: 10 };
const item = (number: number, length: number) => ({ id: `i${number}`, text: 'я'.repeat(length) });
const none = (): void => undefined;
const createTestLog = (bounds: { count: number; length: number }, meter: Meter) =>
  createLog<ReturnType<typeof item>>({
    bounds,
    waiting,
    meter,
    publish: none,
    idOf: String,
    describe: (added) => added,
  });

test('what a store and a log hold is counted, whatever is done', () => {
  const bounds = { name: 'things', count: 5, length: 2000 };
  const steps = constantFrom('put', 'remove', 'add', 'removeAdded', 'clear');
  assert(
    property(array(tuple(steps, nat(6), nat(700)), { maxLength: 60 }), (plan) => {
      const meter = createMeter();
      const store = createStore(bounds, 'id', { meter, publish: none }, [item(6, 50)]);
      const log = createTestLog(bounds, meter);
      for (const [step, number, length] of plan) {
        const next = item(number, length);
        if (step === 'put')
          try {
            store.put(next);
          } catch (error) {
            expect(error).toBeInstanceOf(StoreFull);
          }
        if (step === 'remove') store.remove(next.id);
        if (step === 'add') log.add(next);
        if (step === 'removeAdded') log.remove(next.id);
        if (step === 'clear') log.clear();
        const kept = [...store.all(), ...log.all()];
        expect(meter.held()).toBe(kept.reduce((sum, each) => sum + lengthOf(each), 0));
        expect(store.size()).toBeLessThanOrEqual(bounds.count);
        expect(log.size()).toBeLessThanOrEqual(bounds.count);
      }
    }),
  );
});

test('a log is bounded by length as well as by number, and keeps the newest however long it is', () => {
  const log = createTestLog({ count: 3, length: 1000 }, createMeter());
  for (const number of [1, 2, 3, 4]) log.add(item(number, 10));
  expect([log.all().map(({ id }) => id), log.page()]).toMatchObject([
    ['i2', 'i3', 'i4'],
    { dropped: 1, dropped_by: 'count' },
  ]);
  log.add(item(5, 5000));
  expect([log.all().map(({ id }) => id), log.page().dropped_by]).toEqual([['i5'], 'length']);
});
