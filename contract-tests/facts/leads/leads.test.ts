import { expect, test } from 'vitest';
import { type Credentials, type Exchange, type JsonObject, outcomeOf } from '../../exchange/exchange.ts';
import { createHistory } from '../../judge/history.ts';

type Options = {
  readonly at?: number;
  readonly lasts?: number;
  readonly credentials?: Credentials;
  readonly contentType?: string;
};

const ada = { name: 'Ada', source: 'Web', note: 'first' };

/** An exchange of 2 milliseconds at a time; without a time, 10 milliseconds after the one before. */
const exchangeOf = (
  [operation, method, path]: readonly [Exchange['operation'], Exchange['method'], string],
  sent: JsonObject | undefined,
  [status, json]: readonly [number, JsonObject],
  { at = -1, lasts = 2, credentials = 'key', contentType = 'application/json' }: Options,
): Exchange => {
  const rawText = JSON.stringify(json);
  return {
    operation,
    method,
    path,
    credentials,
    intent: 'complete',
    check: 'x',
    status,
    json,
    headers: { 'content-type': 'application/json' },
    size: rawText.length,
    text: rawText,
    rawText,
    byteProblem: undefined,
    outcome: outcomeOf(status, json),
    sentAt: at,
    receivedAt: at + lasts,
    ...(sent === undefined ? {} : { body: JSON.stringify(sent), contentType }),
  } as Exchange;
};

const success = (data: JsonObject = {}): readonly [number, JsonObject] => [
  200,
  { success: true, error: '', message: 'ok', data },
];
const refusal = (status: number): readonly [number, JsonObject] => [
  status,
  { success: false, error: `no: ${status}`, message: '' },
];

const add = (sent: JsonObject, shown: JsonObject = {}, id = 'a', options: Options = {}): Exchange => {
  const data = { ...sent, lead_id: id, created_at: '2026-03-02T10:15:30.000Z', ...shown };
  return exchangeOf(['addLead', 'POST', '/api/v1/leads'], sent, success(data), options);
};

const update = (sent: JsonObject, shown: JsonObject | number, id = 'a', options: Options = {}): Exchange => {
  const data = { ...ada, lead_id: id, updated_at: '2026-03-02T10:15:30.000Z' };
  const reply = typeof shown === 'number' ? refusal(shown) : success({ ...data, ...sent, ...shown });
  return exchangeOf(['updateLead', 'PUT', `/api/v1/leads/${id}`], sent, reply, options);
};

const remove = (status = 200, id = 'a', options: Options = {}): Exchange =>
  exchangeOf(
    ['deleteLead', 'DELETE', `/api/v1/leads/${id}`],
    undefined,
    status === 200 ? success() : refusal(status),
    options,
  );

/** It does not change what it names. */
const ignored = update({ name: 'Eve' }, { name: 'Ada' });

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

test.each<[string, readonly Exchange[], string]>([
  ['echoes no blanks', [add({ ...ada, note: ' x ' }, { note: 'x' })], 'leads.add.keeps-texts'],
  [
    'cuts a long text',
    [add({ ...ada, note: 'n'.repeat(300) }, { note: 'n'.repeat(255) })],
    'leads.add.keeps-long-texts',
  ],
  ['ignores the same name twice', [add(ada), ignored, ignored], 'leads.update.field-by-field'],
  [
    'refuses an update of a lead that was deleted long before',
    [add(ada), remove(), update({ note: 'x' }, 404, 'a', { at: 2000 })],
    'leads.delete.removes',
  ],
  [
    'keeps a lead beside a longer id, and an addition after that',
    [add(ada), update({ note: 'x' }, 404, 'a-longer'), add(ada, {}, 'b'), update({}, {})],
    'leads.update.whole-id',
  ],
  [
    'keeps a lead beside an update long before',
    [add(ada), add(ada, {}, 'b'), update({ note: 'x' }, {}, 'b'), update({}, {}, 'a', { at: 2000 })],
    'leads.update.that-lead-only',
  ],
  [
    'refuses an update that a deletion overtakes',
    [add(ada), remove(200, 'a', { at: 30 }), update({ note: 'x' }, 404, 'a', { at: 31 })],
    'leads.delete.beside-update',
  ],
])('holds: a deployment %s', async (_, exchanges, check) => {
  expect(await shownBy(exchanges)).toMatchObject({ broken: [], holds: expect.arrayContaining([check]) });
});

test.each<[string, readonly Exchange[], string]>([
  ['another text', [add(ada, { source: 'web' })], 'leads.add.echoes-fields'],
  ['a number for a text', [add({ ...ada, note: '007' }, { note: '7' })], 'leads.add.keeps-words-as-text'],
  ['a text without its quotes', [add({ ...ada, note: 'a "b"' }, { note: 'a b' })], 'leads.add.keeps-texts'],
  ['a text without its letters', [add({ ...ada, name: 'Zoë' }, { name: 'Zo?' })], 'leads.add.keeps-letters'],
  ['an id that exists', [add(ada), add(ada)], 'leads.add.distinct-ids'],
  ['an id that existed', [add(ada), remove(), add(ada)], 'leads.add.new-ids'],
  ['a lost note', [add(ada), update({}, { note: 'other' })], 'leads.add.stores-note'],
  [
    'another note than the one sent',
    [add(ada), update({ note: 'x' }, { note: 'y' })],
    'leads.update.echoes-note',
  ],
  ['another name', [add(ada), update({ note: 'x' }, { name: 'Eve' })], 'leads.update.keeps-other-fields'],
  ['another id', [add(ada), update({ note: 'x' }, { lead_id: 'b' })], 'leads.update.same-id'],
  ['a deleted lead', [add(ada), remove(), update({ note: 'x' }, {})], 'leads.delete.removes'],
  [
    'no lead where it exists',
    [add(ada), update({ note: 'w' }, {}), update({ note: 'x' }, 404)],
    'leads.delete.nothing-else',
  ],
  [
    'no lead after the deletion of another',
    [add(ada), add(ada, {}, 'b'), update({ note: 'w' }, {}), remove(200, 'b'), update({ note: 'x' }, 404)],
    'leads.delete.that-lead-only',
  ],
  [
    'the change of another lead',
    [add(ada), add(ada, {}, 'b'), update({ note: 'x' }, {}, 'b'), update({}, { note: 'x' })],
    'leads.update.that-lead-only',
  ],
  [
    'a change by a wrong key',
    [add(ada), update({ note: 'x' }, 401, 'a', { credentials: 'none' }), update({}, { note: 'x' })],
    'leads.update.auth.changes-nothing',
  ],
  [
    'success for a wrong key',
    [update({ note: 'x' }, {}, 'a', { credentials: 'none' })],
    'leads.update.auth.missing-key',
  ],
  [
    'success for an unknown lead',
    [update({ note: 'x' }, {}, 'contract-test-1')],
    'leads.update.refuses-unknown',
  ],
  [
    'a name that an update changes in form',
    [add(ada), update({ name: '"Eve"' }, { name: '&quot;Eve&quot;' })],
    'leads.update.keeps-texts',
  ],
  [
    'the same form again, when the update is repeated with a note',
    [
      add(ada),
      update({ name: 'Eve' }, {}),
      update({ name: '"Eve"' }, { name: '&quot;Eve&quot;' }),
      update({ name: '"Eve"', note: 'x' }, { name: '&quot;Eve&quot;' }),
    ],
    'leads.update.keeps-texts',
  ],
])('broken: a response shows %s', async (_, exchanges, check) => {
  expect((await shownBy(exchanges)).broken).toEqual([check]);
});

test.each<[string, readonly Exchange[]]>([
  [
    'either of two concurrent notes',
    [
      add(ada),
      update({ note: 'x' }, {}, 'a', { at: 30, lasts: 9 }),
      update({ note: 'y' }, {}, 'a', { at: 31 }),
      update({}, { note: 'x' }),
    ],
  ],
  [
    'the note of an update at the same time',
    [
      add(ada),
      update({ note: 'x' }, {}, 'a', { at: 31 }),
      update({ note: 'y' }, { note: 'x' }, 'a', { at: 30, lasts: 9 }),
    ],
  ],
  [
    'the fields of a body that is not declared as JSON',
    [
      add(ada),
      update({ name: 'Eve' }, {}),
      update({ name: 'Kim', note: 'x' }, {}, 'a', { contentType: 'text/plain' }),
      update({}, { name: 'Kim', note: 'x' }),
    ],
  ],
  [
    'no field of a body that is not declared as JSON',
    [
      add(ada),
      update({ name: 'Eve' }, {}),
      update({ name: 'Kim', note: 'x' }, { name: 'Eve', note: 'first' }, 'a', { contentType: 'text/plain' }),
      update({}, { name: 'Eve' }),
    ],
  ],
  [
    'a note that was sent without a usable response',
    [add(ada), update({ note: 'x' }, 500), update({}, { note: 'x' })],
  ],
  ['any note after an outage', [add(ada), update({ note: 'x' }, 502), update({}, { note: 'z' })]],
  ['a lead of which nothing is known', [update({}, { note: 'z' }, 'unknown')]],
])('open: a response may show %s', async (_, exchanges) => {
  expect((await shownBy(exchanges)).broken).toEqual([]);
});
