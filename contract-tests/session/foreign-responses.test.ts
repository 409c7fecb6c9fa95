// Which responses come from something else than the service, judged by the other responses of the run.
import { expect, test } from 'vitest';
import { type Exchange, outcomeOf } from '../client/exchange.ts';
import { createForeignResponses, isOfService } from './foreign-responses.ts';

const answer = (operation: Exchange['operation'], status: number, body: unknown): Exchange => {
  const rawText = typeof body === 'string' ? body : JSON.stringify(body);
  const json = typeof body === 'string' ? undefined : body;
  return { operation, status, rawText, json, outcome: outcomeOf(status, json) } as Exchange;
};

const page = (id: string): string => `<h1>Not Found</h1><p>Request ${id}</p>`;

test('the same page with another number came from the same place', () => {
  const foreign = createForeignResponses();
  foreign.add(answer('listTemplates', 404, page('00ab34cd99-17')));
  expect(foreign.includes(answer('updateLead', 404, page('ff0034cd99-3')))).toBe(true);
  expect(foreign.includes(answer('updateLead', 403, page('ff0034cd99-3')))).toBe(false);
  expect(foreign.includes(answer('updateLead', 404, '<h1>No such lead</h1>'))).toBe(false);
});

test('an error of the service is never taken for an answer in its place', () => {
  const foreign = createForeignResponses();
  const error = answer('listTemplates', 401, { error: 'key expired' });
  foreign.add(error);
  expect(foreign.includes(error)).toBe(false);
});

test('a list that lost a field is one of the service, unless all operations are answered with it', () => {
  const maintenance = { status: 'maintenance', message: 'We will be back soon' };
  const list = answer('listTemplates', 200, { data: [], message: '' });
  const replaced = answer('listTemplates', 200, maintenance);
  const others = [answer('addLead', 200, maintenance)];
  expect(isOfService(list, others)).toBe(true);
  expect(isOfService(replaced, others)).toBe(false);
});
