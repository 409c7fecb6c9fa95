import { expect, test } from 'vitest';
import type { QuestionId } from '../../../mock/contract/questions.ts';
import { createMock, type StateDocument } from '../../../mock/index.ts';
import { checks } from '../../checks/index.ts';
import { json, observe } from '../../testing/exchanges.ts';
import { type ObservedExchange, readObserved } from '../exchanges/observed.ts';
import { createSeedCollector } from '../seed.ts';
import { createTrafficSession } from '../session.ts';

// What single exchanges of an app tell: answers to open questions, and its own mistakes.

const lead = { name: 'Lena Fischer', source: 'web', note: 'Met at the fair' };
const { note: _, ...withoutNote } = lead;
const mail = { from: 'a@example.com', to: 'b@example.com', html: '<p>Hi</p>' };

type Changes = Partial<ObservedExchange>;

const data = { ...lead, lead_id: '1', created_at: '2026-03-02T10:15:30Z' };
const refusal = json({ success: false, error: 'it is wrong', message: '' });

const accepted = (sent: unknown, changes: Changes = {}) => observe('POST', 'leads', sent, { data }, changes);

const refused = (sent: unknown, status: number, changes: Changes = {}): ObservedExchange =>
  accepted(sent, { status, responseBody: refusal, ...changes });

test.each<[QuestionId, string | undefined, ObservedExchange]>([
  ['failure.error-style', 'sentence', refused(lead, 422)],
  ['lead.note', 'optional', accepted(withoutNote)],
  ['lead.wrong-type', 'accepted', accepted({ ...lead, name: 7 })],
  ['lead.empty-name', 'accepted', accepted({ ...lead, name: '' })],
  ['send.subject', 'optional', observe('POST', 'email/send', mail, {})],
  // A refusal may have another reason, and null is no wrong type that the question is about.
  ['lead.note', undefined, refused(withoutNote, 422)],
  ['failure.validation-status', undefined, refused({ ...lead, name: 7 }, 422)],
  ['lead.wrong-type', undefined, accepted({ ...lead, name: null })],
])('%s: the answer that an exchange shows is %s', (question, answer, exchange) => {
  const session = createTrafficSession({ checks });
  for (const one of [accepted(lead), exchange]) session.observe(one);
  const shown = answer === undefined ? { status: 'skipped' } : { status: 'answered', answer };
  expect(session.answers.results([question])).toMatchObject([shown]);
});

const jsonType = { 'content-type': 'application/json' };
const withPhone = accepted({ ...lead, phone: '1' });

test.each<[string, ObservedExchange, string, QuestionId?]>([
  ['missing key', accepted(lead, { requestHeaders: jsonType }), 'there is no Authorization header'],
  ['not JSON', accepted(lead, { requestBody: readObserved(Buffer.from('{')) }), 'the body is not JSON'],
  ['not JSON', accepted([lead]), 'the body is array, not a JSON object'],
  ['missing field', accepted(withoutNote), 'the field "note" is missing', 'lead.note'],
  ['unknown field', withPhone, 'the field "phone" is not documented', 'lead.unknown-field'],
  ['wrong type', accepted({ ...lead, name: 7 }), 'the field "name" is number, not string', 'lead.wrong-type'],
  ['query', { ...accepted(lead), target: '/api/v1/leads?a=1' }, 'no operation has a query string'],
])('%s is a mistake of the app', (kind, exchange, message, question) => {
  const { deviations } = createTrafficSession({ checks }).observe(exchange);
  expect(deviations).toEqual([
    { kind, operation: 'addLead', message, section: expect.any(String), ...(question && { question }) },
  ]);
});

test.each([
  ['GET', 'leads', 'lead.list'],
  ['GET', 'leads/lead_1', 'lead.retrieve'],
  ['PATCH', 'leads/lead_1', undefined],
])('%s %s is not documented; --enforce refuses it unless §4.8 leaves it open', (method, path, question) => {
  const session = createTrafficSession({ checks });
  const request = observe(method, path, undefined, {}, { status: 404 });
  const [finding] = session.observe(request).deviations;
  expect(finding).toMatchObject({ kind: 'unknown method', section: question ? '4.8' : '4' });
  expect(finding?.question).toBe(question);
  expect(session.refuse(request)?.status).toBe(question ? undefined : 400);
});

test('traffic shows nothing where it contradicts itself', () => {
  const session = createTrafficSession({ checks });
  for (const error of ['it is wrong', 'wrong_name', 'it is wrong'])
    session.observe(refused(lead, 422, { responseBody: json({ success: false, error, message: '' }) }));
  const reason = 'the traffic shows sentence (2×) and code (1×)';
  expect(session.answers.results(['failure.error-style'])).toMatchObject([{ status: 'unstable', reason }]);
});

// Seeds from exchanges: what a mock can load, and nothing that the deployment did not show.

const key = 'sk_live_4f9c1e7ab2d8463095be';
const redact = (text: string): string => text.replaceAll(key, '[key]');

const exchange = (method: string, path: string, data: unknown, status = 200): ObservedExchange =>
  observe(method, path, undefined, { success: status === 200, data }, { status });

const list = (...data: readonly unknown[]): ObservedExchange => exchange('GET', 'email/templates', data);

/** The seed of some exchanges, which the mock must accept. */
const seedOf = (...exchanges: readonly ObservedExchange[]) => {
  const collector = createSeedCollector();
  for (const each of exchanges) collector.add(each);
  const text = collector.text({ url: `https://a.test/${key}`, redact });
  const seed: StateDocument = JSON.parse(text);
  createMock({ seed });
  return seed;
};

const welcome = { id: 'tpl_1', name: 'Welcome', body: '<p>Hi {{first_name}}</p>' };
const added = exchange('POST', 'leads', { lead_id: 'l1', name: 'Lena' });

test('of lists that succeed the latest counts, templates of earlier pages stay, and leads, which are data of persons, are left out', () => {
  const latest = { ...welcome, created_at: '2024-03-09T08:15:30Z' };
  const seed = seedOf(
    list(welcome, { ...welcome, id: 'tpl_2', name: key }),
    added,
    exchange('GET', 'email/templates', [{ ...welcome, name: 'Of a refusal' }], 403),
    list({ ...latest, variables: ['first_name'] }),
  );
  const templates = [latest, { ...welcome, id: 'tpl_2', name: '[key]' }];
  expect(seed).toEqual({ $comment: expect.stringMatching(/data of this deployment/), templates });
  expect(JSON.stringify(seed)).not.toContain(key);
  expect(seedOf(list()).templates).toEqual([]);
  expect(() => seedOf(added)).toThrow('was not written: no list of templates succeeded');
});

const oddTimes = ['2024-03-09 08:15', '2024-02-30T00:00:00Z', '2024-03-09T08:15:30+01:00', 7];

test.each(oddTimes)('a time that a seed cannot hold is left to the mock: %s', (created_at) => {
  expect(seedOf(list({ ...welcome, created_at })).templates).toEqual([welcome]);
});
