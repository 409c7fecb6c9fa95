import { expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import type { Exchange } from '../../client/exchange.ts';
import type { Status, Verdict } from '../../runner/verdict.ts';
import { rootsOf } from '../causes.ts';

const update = (call: Partial<Exchange>): Exchange =>
  ({
    ...{
      operation: 'updateLead',
      method: 'PUT',
      path: '/api/v1/leads/1',
      credentials: 'key',
      intent: 'text',
    },
    ...{ check: 'x', status: 200, headers: {}, size: 2, text: '', rawText: '', byteProblem: undefined },
    ...{ repeated: false, outcome: 'success', sentAt: 0, receivedAt: 1, json: { success: true } },
    ...call,
  }) as Exchange;

const found = (id: string, exchange: Exchange, status: Status = 'fail', actual = id): Verdict => {
  const check = checks.find((known) => known.id === id);
  if (!check) throw new Error(`no check ${id}`);
  return { check, status, failure: { expected: '', actual, exchange } };
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
  const echo = found('leads.update.echoes-note', changed);
  expect(roots(found('leads.update.keeps-quotes', changed, 'warn'), echo)).toEqual({
    'leads.update.keeps-quotes': 'leads.update.echoes-note',
  });
  expect(roots(found('leads.update.lasts', right), echo)).toEqual({});
});

test('bytes come before all that is read from them', () => {
  const bytes = update({ ...changed, byteProblem: 'it is UTF-16' });
  expect(roots(found('leads.update.lasts', bytes), found('replies.encoding', bytes))).toEqual({
    'leads.update.lasts': 'replies.encoding',
  });
});

test('a failure never hides behind a warning', () => {
  expect(
    roots(found('leads.update.lasts', changed), found('leads.update.echoes-note', changed, 'warn')),
  ).toEqual({});
});
