// Which responses come from something else than the service, and why a run stops.
import { expect, test } from 'vitest';
import { type Exchange, outcomeOf } from '../client/exchange.ts';
import { createForeignResponses, describeStop, isOfService } from './trouble.ts';

const answered = (status: number, error: string): Exchange =>
  ({ status, headers: {}, json: { error }, text: '' }) as Exchange;

const stopped = (status: number, error: string, count: number, isRecent: boolean): string =>
  describeStop({ request: 70, exchange: answered(status, error), trouble: `${status} ${error}` }, status, {
    count,
    isRecent,
  });

test.each<[string, string, RegExp]>([
  [
    'a lock-out that says so',
    stopped(403, 'too many failed attempts', 20, true),
    /^locked out: after 20 wrong keys/,
  ],
  [
    'a lock-out by its status',
    stopped(423, 'no', 8, true),
    /^locked out: after 8 wrong keys .*wait until the lock-out ends/,
  ],
  [
    'a key that expired among wrong keys',
    stopped(401, 'key expired', 8, true),
    /^after 8 wrong keys .*wait, because .*, or renew the key/,
  ],
  ['a key that expired later', stopped(401, 'key expired', 8, false), /^since request 70 .*; renew the key/],
  ['a key that expired after a wrong key or two', stopped(401, 'key expired', 2, true), /^since request 70/],
  [
    'a plan that is used up among wrong keys',
    stopped(402, 'plan limit', 8, true),
    /^since request 70 .*upgrade the plan/,
  ],
  [
    'a gateway among wrong keys',
    stopped(502, 'Bad Gateway', 8, true),
    /^since request 70 .*when the service is up/,
  ],
  ['a gateway that answers no more', stopped(503, 'Unavailable', 0, false), /when the service is up again$/],
  [
    'connections that are closed',
    describeStop({ request: 70, trouble: 'PUT /: the connection was closed' }, undefined, {
      count: 0,
      isRecent: false,
    }),
    /; check whether it is still running, and run again$/,
  ],
  [
    'answers that take too long',
    describeStop({ request: 70, trouble: 'PUT /: no complete response within 10 s' }, undefined, {
      count: 0,
      isRecent: false,
    }),
    /, or raise --timeout, and run again$/,
  ],
  [
    'a gateway that answered now and then',
    describeStop({ request: 70, trouble: '503' }, 503, { count: 0, isRecent: false, alternates: true }),
    /when the service is up again, or, .* more slowly with --rate-limit 5\/s$/,
  ],
])('%s', (_, text, expected) => {
  expect(text).toMatch(expected);
  expect(text.split('\n')).toHaveLength(1);
});

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
