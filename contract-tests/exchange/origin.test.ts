import { expect, test } from 'vitest';
import { type Exchange, outcomeOf } from './exchange.ts';
import { isOfService } from './origin.ts';

const answer = (operation: Exchange['operation'], status: number, body: unknown): Exchange =>
  ({
    operation,
    status,
    rawText: JSON.stringify(body),
    json: body,
    outcome: outcomeOf(status, body),
  }) as Exchange;

test('a list that lost a field is one of the service, unless all operations are answered with it', () => {
  const maintenance = { status: 'maintenance', message: 'We will be back soon' };
  const list = answer('listTemplates', 200, { data: [], message: '' });
  const replaced = answer('listTemplates', 200, maintenance);
  const others = [answer('addLead', 200, maintenance)];
  expect(isOfService(list, others)).toBe(true);
  expect(isOfService(replaced, others)).toBe(false);
});
