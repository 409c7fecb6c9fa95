import { array, assert, constantFrom, nat, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { startMock } from '../index.ts';
import { rejectedWith, useMock } from '../testing/mock-server.ts';
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

// Without a look at every reply, which takes long where it is large.
const mock = useMock({}, startMock);

test.each<[string, () => string]>([
  ['there is no room for these leads', () => `{"leads":[${'{"name":"x"},'.repeat(20_000)}{"name":"x"}]}`],
  [
    'there is no room for these templates',
    () => `{"templates":[{"name":"x","body":"${'x'.repeat(8_500_000)}"}]}`,
  ],
  ['body has more than 200000 values', () => `{"leads":[${'0,'.repeat(200_001)}0]}`],
  ['body is larger than 16777216 bytes', () => JSON.stringify({ leads: [{ name: 'x'.repeat(17_000_000) }] })],
])('PUT /state is refused where %s, and replaces nothing', async (error, body) => {
  await mock.lead();
  const before = await mock.read('/state');
  expect(await mock.admin('PUT', '/state', { body: body() })).toMatchObject(rejectedWith(413, error));
  expect(await mock.read('/state')).toEqual(before);
});

const megabyte = 'x'.repeat(1_000_000);
const leads = Array(16).fill({ name: megabyte });
const templates = Array(8).fill({ name: 'x', body: megabyte });
const full = useMock({ seed: { leads, templates } }, startMock);

test('a state that PUT would refuse cannot be read', async () => {
  const error = 'the state cannot be read, as PUT would reject it';
  expect(await full.admin('GET', '/state')).toMatchObject(rejectedWith(413, error));
});

test('a store that is full refuses leads and templates with 507, and names the limit', async () => {
  const { status, body: refused } = await full.call('POST', '/api/v1/leads', { body: { name: megabyte } });
  const error = 'there is no room for these leads: a workspace has at most 20000, of 16777216 characters';
  const message = 'Nothing was stored. Delete some of them, or reset the workspace.';
  expect([status, refused]).toEqual([507, { success: false, error, message }]);
  const body = { name: 'x', body: megabyte };
  expect((await full.admin('POST', '/templates', { body })).status).toBe(507);
});
