// When a deployment lost its leads in a restart, and which findings that explains.
import { expect, test } from 'vitest';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import { type Exchange, outcomeOf } from '../client/exchange.ts';
import { findDataLoss, isDueToLoss } from './restart.ts';

/** One response every millisecond. */
const run = (...replies: readonly (readonly [OperationId, lead: string, status?: number])[]): Exchange[] =>
  replies.map(([operation, lead, status = 200], index) => {
    const json =
      status === 200 ? { success: true, data: { lead_id: lead } } : { success: false, error: 'unknown' };
    return {
      ...{ operation, status, json, outcome: outcomeOf(status, json), credentials: 'key' },
      ...{
        path: operation === 'addLead' ? '/leads' : `/leads/${lead}`,
        check: 'a check',
        intent: 'complete',
      },
      ...{ sentAt: index, receivedAt: index + 0.5 },
    } as unknown as Exchange;
  });

/** Between the second and the third response. */
const brokenAt = 1.7;

test.each<[string, Exchange[], boolean]>([
  ['a lead is unknown afterwards', run(['addLead', '1'], ['addLead', '2'], ['updateLead', '1', 404]), true],
  ['an id is assigned again', run(['addLead', '1'], ['deleteLead', '1'], ['addLead', '1']), true],
  [
    'one lead is unknown, another one is known',
    run(['addLead', '1'], ['addLead', '2'], ['updateLead', '1', 404], ['updateLead', '2']),
    false,
  ],
  [
    'only a deleted lead is unknown',
    run(['addLead', '1'], ['deleteLead', '1'], ['updateLead', '1', 404]),
    false,
  ],
  ['a lead was unknown before', run(['addLead', '1'], ['updateLead', '1', 404], ['addLead', '2']), false],
  ['an id is malformed', run(['addLead', '1'], ['updateLead', '%E0', 404], ['updateLead', '%', 404]), false],
])('%s', (_, exchanges, isLost) => {
  expect(findDataLoss(exchanges, [brokenAt]) !== undefined).toBe(isLost);
  expect(findDataLoss(exchanges, [])).toBeUndefined();
});

test('a gateway that found no service may hide a restart, one that limits the rate does not', () => {
  const runWith = (status: number): Exchange[] =>
    run(['addLead', '1'], ['updateLead', '1', status], ['updateLead', '1', 404]);
  expect(findDataLoss(runWith(502), [])).toMatchObject({ at: 1.5 });
  expect(findDataLoss(runWith(429), [])).toBeUndefined();
});

test('a loss explains findings about its leads, and those of checks that it interrupted', () => {
  const exchanges = run(['addLead', '1'], ['addLead', '2'], ['updateLead', '1', 404], ['addLead', '3']);
  const [first, , unknown, later] = exchanges;
  const loss = findDataLoss(exchanges, [brokenAt]);
  if (!loss || !first || !unknown || !later) throw new Error('no loss was found');
  expect(isDueToLoss(loss, unknown, [])).toBe(true);
  expect(isDueToLoss(loss, later, [first, later])).toBe(true);
  expect(isDueToLoss(loss, later, [later])).toBe(false);
  expect(isDueToLoss(loss, first, [first, later])).toBe(false);
});
