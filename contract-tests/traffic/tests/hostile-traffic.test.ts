// Traffic that a hostile deployment or recording may contain: it is judged, in order, and is not kept.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { createModel } from '../../model/create-model.ts';
import { observe } from '../../testing/observed.ts';
import { conclude } from '../conclusion.ts';
import type { ObservedExchange } from '../exchanges/observed.ts';
import { createTrafficSession, type TrafficSession } from '../session.ts';

const texts = { name: 'Ada', source: 'form', note: 'first' };

const exchange = (method: string, target: string, sent: unknown, data: unknown, at: number) =>
  observe(method, target, sent, { data }, { startedAt: at, endedAt: at });

const time = '2026-03-02T10:15:30Z';
const lead = (id: unknown, more: object = {}) => ({ lead_id: id, ...texts, created_at: time, ...more });
const addition = (id: unknown, at = 0) => exchange('POST', 'leads', texts, lead(id), at);
const update = (id: string, data: object, at = 0) =>
  exchange('PUT', `leads/${id}`, { note: 'second' }, { lead_id: id, updated_at: time, ...data }, at);

const findingsOf = (session: TrafficSession, exchanges: readonly ObservedExchange[]) =>
  exchanges.flatMap((observed) => session.observe(observed).findings);

const idsOf = (exchanges: readonly ObservedExchange[]): string[] =>
  findingsOf(createTrafficSession({ checks }), exchanges).map(({ check }) => check.id);

test.each([{ toString: 1, valueOf: 1 }, [[{ toString: 1 }]]])('an id that is %j', (id) => {
  const template = { id, name: 'Welcome', body: 'Hello {{a}}', variables: [id], created_at: time };
  const found = idsOf([
    addition(id),
    exchange('GET', 'email/templates', undefined, [template], 0),
    exchange('POST', 'email/send/template', { template_id: id, variables: { a: '1' } }, {}, 0),
  ]);
  expect(found).toEqual(expect.arrayContaining(['leads.add.lead-id', 'templates.list.placeholders-listed']));
});

test('exchanges of one millisecond are judged in their order', () => {
  const deletion = exchange('DELETE', 'leads/1', undefined, {}, 0);
  const late = { ...update('1', { ...texts, note: 'second' }), startedAt: 9000, endedAt: 9000 };
  expect(idsOf([addition('1'), deletion, late])).toContain('leads.delete.lasts-a-second');
  expect(idsOf([addition('1'), update('1', { ...texts, name: 'Eve', note: 'second' })])).toContain(
    'leads.update.keeps-other-fields',
  );
});

test('values of people whom the session did not create are in no finding, though they are cut or of an earlier response', () => {
  const session = createTrafficSession({ checks });
  const long = 'Wilhelmina Feldkamp, born in 1957, '.repeat(20);
  const found = findingsOf(session, [
    update('4711', { ...texts, note: 'second' }, 0),
    update('4711', { ...texts, name: 'Zebedee', note: 'second' }, 50),
    update('4711', { ...texts, name: 'Yolanda', note: `"${long}` }, 100),
    update('4712', { ...texts, name: [long], updated_at: long, note: 'second' }, 200),
    update('4713', { ...texts, name: Array.from({ length: 90 }, () => 4915112345678), note: 'second' }, 300),
  ]);
  expect(found.map(({ check }) => check.id)).toEqual([
    ...['leads.update.echoes-note', 'leads.update.keeps-other-fields'],
    ...['leads.update.name', 'leads.update.updated-at', 'leads.update.name'],
  ]);
  const options = { url: 'https://a.test', version: '0', command: 'check', strict: false } as const;
  const report = JSON.stringify(
    conclude({ session, waivers: [], require: [], profile: undefined, ...options }),
  );
  for (const text of ['Zebedee', 'Yolanda', 'Wilhelmina', 'Feldkamp', '49151']) {
    expect(report).not.toContain(text);
    for (const { failure } of found) expect(failure.expected + failure.actual).not.toContain(text);
  }
});

const judgedAddition = (number: number, size: number): Exchange => {
  const note = `${number}${'x'.repeat(size)}`;
  const data = lead(String(number), { note });
  return {
    operation: 'addLead',
    method: 'POST',
    path: '/api/v1/leads',
    credentials: 'key',
    intent: 'complete',
    check: 'traffic',
    contentType: 'application/json',
    body: JSON.stringify({ ...texts, note }),
    status: 200,
    headers: {},
    size: 1,
    byteProblem: undefined,
    outcome: 'success',
    sentAt: number,
    receivedAt: number + 0.5,
    rawText: JSON.stringify(data),
    text: '',
    json: { success: true, data },
  } as Exchange;
};

test('the model keeps no exchange, and the latest leads within a limit of characters', async () => {
  const model = createModel();
  const apply = (number: number, size: number): WeakRef<Exchange> => {
    const added = judgedAddition(number, size);
    model.enter(added);
    model.note(added);
    return new WeakRef(added);
  };
  const [first] = [1, 2, 3, 4].map((number) => apply(number, 10));
  setFlagsFromString('--expose-gc');
  await new Promise((resolve) => setImmediate(resolve)); // a WeakRef lasts until the end of its task
  runInNewContext('gc')();
  expect(first?.deref()).toBeUndefined();
  expect(model.leads.size).toBe(4);
  for (let number = 5; number < 45; number += 1) apply(number, 2 ** 19);
  expect(model.leads.size).toBeGreaterThan(20);
  expect(model.leads.size).toBeLessThan(33);
  expect(model.leads.has('44')).toBe(true);
  expect(model.evicted()).toBe(44 - model.leads.size);
});
