// Single exchanges of leads in their order. Servers that break each fact are those of the proof.
import { expect, test } from 'vitest';
import type { Credentials, Exchange, JsonObject } from '../../exchange/exchange.ts';
import { createHistory } from '../../judge/history.ts';
import { exchangeOf } from '../../testing/exchanges.ts';

type Options = {
  readonly at?: number;
  readonly lasts?: number;
  readonly credentials?: Credentials;
  readonly contentType?: string;
};

const ada = { name: 'Ada', source: 'Web', note: 'first' };

/** An exchange of 2 milliseconds at a time; without a time, 10 milliseconds after the one before. */
const exchangeAt = (
  [operation, method, path]: readonly [Exchange['operation'], Exchange['method'], string],
  sent: JsonObject | undefined,
  [status, json]: readonly [number, JsonObject],
  { at = -1, lasts = 2, credentials = 'key', contentType = 'application/json' }: Options,
): Exchange => {
  const body = sent === undefined ? {} : { body: JSON.stringify(sent), contentType };
  const call = { operation, method, path, credentials, ...body };
  return exchangeOf(status, json, { ...call, sentAt: at, receivedAt: at + lasts });
};

type Shown = readonly [status: number, json: JsonObject];
const success = (data: JsonObject = {}): Shown => [200, { success: true, error: '', message: 'ok', data }];
const refusal = (status: number): Shown => [status, { success: false, error: `no: ${status}`, message: '' }];

const add = (sent: JsonObject, shown: JsonObject = {}, id = 'a', options: Options = {}): Exchange => {
  const data = { ...sent, lead_id: id, created_at: '2026-03-02T10:15:30.000Z', ...shown };
  return exchangeAt(['addLead', 'POST', '/api/v1/leads'], sent, success(data), options);
};

const update = (sent: JsonObject, shown: JsonObject | number, id = 'a', options: Options = {}): Exchange => {
  const data = { ...ada, lead_id: id, updated_at: '2026-03-02T10:15:30.000Z' };
  const reply = typeof shown === 'number' ? refusal(shown) : success({ ...data, ...sent, ...shown });
  return exchangeAt(['updateLead', 'PUT', `/api/v1/leads/${id}`], sent, reply, options);
};

const remove = (status = 200, id = 'a', options: Options = {}): Exchange => {
  const reply = status === 200 ? success() : refusal(status);
  return exchangeAt(['deleteLead', 'DELETE', `/api/v1/leads/${id}`], undefined, reply, options);
};

/** Judges exchanges, and returns what the last one shows of leads and keys. */
const shownBy = async (exchanges: readonly Exchange[]): Promise<{ broken: string[]; holds: string[] }> => {
  const { judge, judged } = createHistory();
  for (const [turn, exchange] of exchanges.entries()) {
    const sentAt = exchange.sentAt < 0 ? 10 * (turn + 1) : exchange.sentAt;
    const receivedAt = sentAt + exchange.receivedAt - exchange.sentAt;
    judge.begin(sentAt, exchange.path)({ ...exchange, sentAt, receivedAt });
  }
  await judge.settled();
  const results = judged.at(-1)?.results ?? [];
  const idsOf = (isBroken: boolean): string[] =>
    results.flatMap(({ check, broken }) => ((broken !== undefined) === isBroken ? [check] : []));
  return { broken: idsOf(true), holds: idsOf(false) };
};

const long = { at: 30, lasts: 9 };
const then = { at: 31 };
const plain = { contentType: 'text/plain' };
const [x, y, kim] = [{ note: 'x' }, { note: 'y' }, { name: 'Kim', note: 'x' }];

test.each<[string, readonly Exchange[], string]>([
  [
    'refuses an update of a lead that was deleted long before',
    [add(ada), remove(), update(x, 404, 'a', { at: 2000 })],
    'leads.delete.removes',
  ],
  [
    'keeps a lead beside a longer id, and an addition after that',
    [add(ada), update(x, 404, 'a-longer'), add(ada, {}, 'b'), update({}, {})],
    'leads.update.whole-id',
  ],
])('holds: a deployment %s', async (_, exchanges, check) => {
  expect(await shownBy(exchanges)).toMatchObject({ broken: [], holds: expect.arrayContaining([check]) });
});

test.each<[string, ...Exchange[]]>([
  ['one of two notes at once', add(ada), update(x, {}, 'a', long), update(y, {}, 'a', then), update({}, x)],
  ['the note of an update at the same time', add(ada), update(x, {}, 'a', then), update(y, x, 'a', long)],
  [
    'the fields of a body that is not declared as JSON',
    ...[add(ada), update({ name: 'Eve' }, {}), update(kim, {}, 'a', plain), update({}, kim)],
  ],
  [
    'no field of a body that is not declared as JSON',
    ...[add(ada), update({ name: 'Eve' }, {}), update(kim, { name: 'Eve', note: 'first' }, 'a', plain)],
    update({}, { name: 'Eve' }),
  ],
  ['a note that was sent without a usable response', add(ada), update(x, 500), update({}, x)],
  ['any note after an outage', add(ada), update(x, 502), update({}, { note: 'z' })],
  ['a refusal of an overtaken update', add(ada), remove(200, 'a', { at: 30 }), update(x, 404, 'a', then)],
  ['a lead of which nothing is known', update({}, { note: 'z' }, 'unknown')],
])('open: a response may show %s', async (_, ...exchanges) => {
  expect((await shownBy(exchanges)).broken).toEqual([]);
});
