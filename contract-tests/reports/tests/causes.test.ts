import { expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Status, Verdict } from '../../runner/verdict.ts';
import { rootsOf } from '../causes.ts';

const update = (call: Partial<Exchange>): Exchange =>
  ({
    operation: 'updateLead',
    method: 'PUT',
    path: '/api/v1/leads/1',
    credentials: 'key',
    intent: 'text',
    check: 'x',
    status: 200,
    headers: {},
    size: 2,
    text: '',
    rawText: '',
    byteProblem: undefined,
    outcome: 'success',
    sentAt: 0,
    receivedAt: 1,
    json: { success: true },
    ...call,
  }) as Exchange;

const found = (
  id: string,
  exchange: Exchange,
  status: Status = 'fail',
  actual = id,
  expected = '',
): Verdict => {
  const check = checks.find((known) => known.id === id);
  if (!check) throw new Error(`no check ${id}`);
  return { check, status, failure: { expected, actual, exchange } };
};

const roots = (...verdicts: Verdict[]) => Object.fromEntries(rootsOf(verdicts));

const refused = update({ status: 500, outcome: 'refusal' });
const changed = update({ body: '{"note":"sent"}', json: { success: true, data: { note: 'shown' } } });
const right = update({ body: '{"note":"sent"}', json: { success: true, data: { note: 'sent' } } });

test('the same error response has one cause', () => {
  expect(
    roots(found('replies.no-server-error', refused, 'warn'), found('leads.update.success', refused)),
  ).toEqual({ 'replies.no-server-error': 'leads.update.success' });
});

test('what a response shows that is wrong in a simpler way follows from that', () => {
  const number = update({ body: '{"note":"sent"}', json: { success: true, data: { note: 7 } } });
  const type = found('leads.update.note', number);
  expect(roots(found('leads.update.lasts', number), type)).toEqual({
    'leads.update.lasts': 'leads.update.note',
  });
  expect(roots(found('leads.update.lasts', right), type)).toEqual({});
});

test('bytes come before all that is read from them', () => {
  const bytes = update({ ...changed, byteProblem: 'it contains bytes that are not UTF-8' });
  expect(roots(found('leads.update.lasts', bytes), found('replies.encoding', bytes))).toEqual({
    'leads.update.lasts': 'replies.encoding',
  });
});

test('a failure never hides behind a warning', () => {
  expect(
    roots(found('leads.update.lasts', changed), found('leads.update.echoes-note', changed, 'warn')),
  ).toEqual({});
});

test('where no key at all does, any other wrong key does', () => {
  const accepted = (id: string, key: string): Verdict =>
    found(id, right, 'fail', `200 as if the key were valid, sent with ${key}`);
  const missing = accepted('leads.update.auth.missing-key', 'no key');
  expect(roots(missing, accepted('leads.update.auth.other-scheme', 'Basic'))).toEqual({
    'leads.update.auth.other-scheme': 'leads.update.auth.missing-key',
  });
  expect(roots(missing, accepted('leads.add.auth.other-scheme', 'Basic'))).toEqual({});
});

test('leads that are gone follow from a deletion of more than its own', () => {
  const gone = (id: string): Verdict => {
    const verdict = found(id, update({ status: 404, outcome: 'refusal' }), 'fail', 'gone: 404 not found');
    return verdict.failure ? { ...verdict, failure: { ...verdict.failure, effect: 'lead gone' } } : verdict;
  };
  expect(roots(gone('leads.delete.nothing-else'), gone('leads.delete.that-lead-only'))).toEqual({
    'leads.delete.nothing-else': 'leads.delete.that-lead-only',
  });
  expect(roots(gone('leads.delete.nothing-else'), gone('leads.update.whole-id'))).toEqual({});
});

/** A finding of a scenario that sent so many requests before it. */
const after = (count: number, verdict: Verdict): Verdict => ({
  ...verdict,
  ...(verdict.failure ? { failure: { ...verdict.failure, causes: Array(count).fill(right) } } : {}),
});

test('one change of a field has one cause: what the fewest requests show', () => {
  const cut = (id: string, steps: number, field = 'note'): Verdict =>
    after(steps, found(id, update({ text: id }), 'fail', '"called Con"', `data.${field} unchanged: "${id}"`));
  expect(
    roots(
      cut('leads.delete.auth.changes-nothing', 3),
      cut('leads.update.lasts-a-second', 9),
      cut('leads.add.stores-note', 2),
      cut('leads.update.that-lead-only', 4, 'name'),
    ),
  ).toEqual({
    'leads.delete.auth.changes-nothing': 'leads.add.stores-note',
    'leads.update.lasts-a-second': 'leads.add.stores-note',
  });
});

test('a refusal after a wrong key follows from one without it that fewer requests show', () => {
  const refusedAfter = (id: string, steps: number): Verdict => after(steps, found(id, refused));
  const [plain, withKey] = ['leads.update.every-time', 'leads.update.auth.then-key'] as const;
  expect(roots(refusedAfter(withKey, 8), refusedAfter(plain, 4))).toEqual({ [withKey]: plain });
});
