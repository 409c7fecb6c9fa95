import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../mock/testing/temporary.ts';
import { checks } from '../../checks/index.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { createModel } from '../../model/model.ts';
import type { Report } from '../../reports/report.ts';
import { key } from '../../testing/command.ts';
import { addLead, exchangeOf, json, listing, observe } from '../../testing/exchanges.ts';
import { profileOf } from '../../testing/profile.ts';
import { conclude, judgeLive } from '../conclusion.ts';
import { clientLeft, maxJudgedBytes, type ObservedExchange, readObserved } from '../exchanges/observed.ts';
import { readRecordings } from '../har.ts';
import { createRecorder } from '../record.ts';
import { createTrafficSession, type TrafficSession } from '../session.ts';

// Pages in place of JSON: of the service itself, or of what stands in front of it.

const headers = { 'content-type': 'application/json', server: 'restify' };
const page = readObserved(Buffer.from('<html><title>Bad Request</title></html>'));

test.each([
  ['at once where JSON names the same server', 'restify', ['failures.error']],
  ['never where another server wrote it', 'gateway', []],
])('an HTML page in place of an error response is a finding %s', (_when, server, expected) => {
  const session = createTrafficSession({ checks });
  session.observe({ ...listing, responseHeaders: headers });
  const responseHeaders = { 'content-type': 'text/html', server };
  const { findings } = session.observe({ ...listing, status: 400, responseHeaders, responseBody: page });
  expect(findings.map(({ check }) => check.id)).toEqual(expected);
});

test.each([
  ['a path form that does not exist', 'GET', 'email/template', 404],
  ['another path form', 'POST', 'email/send-template', 404],
  ['a method that it does not have there', 'GET', 'email/template', 405],
  ['an id that it cannot take apart', 'PUT', 'leads/abc', 400],
])('what a router answers is no error response of the service: to %s', (_what, method, path, status) => {
  const session = createTrafficSession({ checks });
  session.observe(listing);
  for (const responseBody of [page, json({ detail: 'no such route' })])
    expect(session.observe({ ...observe(method, path, {}, {}), status, responseBody }).findings).toEqual([]);
});

const deep = `${'['.repeat(600)}${']'.repeat(600)}`;
const tooLong = gzipSync(Buffer.alloc(2 * maxJudgedBytes));
const brackets = ['['.repeat(600), '"\\['.repeat(600)];

// Bodies as traffic shows them: what is too large to be judged is said, not guessed.

test.each([
  ['that is empty', '', 'br', { size: 0, rawText: '', json: undefined, byteProblem: undefined }],
  ['compressed', gzipSync('{"a":1}'), 'gzip', { json: { a: 1 } }],
  ['too long', tooLong, 'gzip', { missing: expect.stringMatching(/1048576 bytes/) }],
  ['in an unknown encoding', 'x', 'snappy', { missing: 'compressed with snappy' }],
  ['of too many nested values', deep, 'identity', { missing: expect.stringMatching(/nested/) }],
  ['with brackets in a string before them', `["\\"]]]",${deep}]`, 'identity', { missing: expect.anything() }],
  ['of brackets in strings', JSON.stringify(brackets), 'identity', { json: brackets }],
])('a body %s is read, or is said not to be', (_what, body, encoding, expected) => {
  expect(readObserved(Buffer.from(body), { 'content-encoding': encoding })).toMatchObject(expected);
});

// What traffic shows of people whom the session did not create stays out of reports, and so do keys.

const url = 'https://staging.example.com';
const person = { name: 'Wilhelmina Feldkamp', source: 'hospital list', note: 'asked for treatment' };
const phone = '+49 170 1234567';

/** An update of a lead of somebody else, whose response breaks documented facts. */
const data = { ...person, lead_id: 4711, note: `${person.note} by ${key}`, updated_at: 'yesterday' };
const updateOfOthers = observe('PUT', 'leads/4711', { note: person.note, phone }, { data });

const options = { url, command: 'check', strict: false, waivers: [], require: [] } as const;

test('a report has the finding and the names of the fields, what drifted with its evidence, and nothing of the person', () => {
  const session = createTrafficSession({ checks });
  const { lines } = judgeLive(session, updateOfOthers);
  const refused = json({ success: false, error: person.note });
  session.observe({ ...updateOfOthers, status: 404, responseBody: refused });
  // Nothing of a page is shown, which may be about somebody.
  const page = readObserved(Buffer.from(`<p>${person.name}</p>`));
  expect(session.observe({ ...updateOfOthers, responseBody: page }).findings).not.toEqual([]);
  const profile = profileOf({ 'failure.error-style': 'code' });
  const report = JSON.stringify(conclude({ session, profile, ...options }));
  const { verdict, checks: results, answers } = JSON.parse(report) as Report;
  expect(verdict.exit_code).toBe(1);
  const found = results.flatMap(({ finding }) => finding ?? []);
  expect(report).toContain('leads.update.echoes-note');
  expect(found.map(({ exchanges }) => exchanges?.at(-1)?.reply)).toContainEqual({
    status: 200,
    size: 206,
    excerpt: 'fields: success, error, message, data {name, source, note, lead_id, updated_at}',
  });
  expect(found[0]?.exchanges?.[0]?.request.body).toBe('{"note":"…","phone":"…"}');
  // What would send the request again would change the lead of somebody.
  for (const each of [...found, ...answers]) expect(each).not.toHaveProperty('curl');
  expect(found.filter(({ replay }) => replay !== undefined)).toEqual([]);
  expect(answers).toMatchObject([{ status: 'drift', evidence: 'traffic, 1×: PUT /api/v1/leads/{id}: 404' }]);
  for (const text of [...Object.values(person), phone, key]) {
    expect(report).not.toContain(text);
    expect(lines.join('\n')).not.toContain(text);
  }
});

// Traffic that a hostile deployment or recording may contain: it is judged, in order, and is not kept.

const texts = { name: 'Ada', source: 'form', note: 'first' };

const exchange = (method: string, target: string, sent: unknown, data: unknown, at: number) =>
  observe(method, target, sent, { data }, { startedAt: at, endedAt: at });

const time = '2026-03-02T10:15:30Z';
const keepsRest = 'leads.update.keeps-other-fields';
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
  expect(idsOf([addition('1'), deletion, late])).toContain('leads.delete.removes');
  expect(idsOf([addition('1'), update('1', { ...texts, name: 'Eve', note: 'second' })])).toContain(keepsRest);
});

const other = { name: 'Eve', source: 'shop', note: 'third' };
const changing = update('1', { ...texts, name: 'Eve', note: 'second' }, 9000);
const unknownBody = { missing: 'whose body is not in the recording' };
const lost = { status: 0, responseHeaders: {}, responseBody: unknownBody };

test.each([
  ['an update without a response', 'PUT', lost],
  ['an update whose client left', 'PUT', { ...lost, responseBody: { missing: clientLeft } }],
  ['an update whose response is not in the recording', 'PUT', { responseBody: unknownBody }],
  ['an update whose texts are not in the recording', 'PUT', { requestBody: unknownBody }],
  ['an update with an error', 'PUT', { status: 500, responseBody: json({ success: false, error: 'no' }) }],
  ['an outage', 'PUT', { target: '/api/v1/leads/2', status: 502, responseBody: page }],
  ['a request that the document does not have', 'PATCH', {}],
])('%s may have changed a lead', (_what, method, gap) => {
  const renaming = exchange(method, 'leads/1', { name: 'Eve' }, lead('1', { name: 'Eve' }), 6000);
  expect(idsOf([addition('1'), { ...renaming, ...gap }, changing])).not.toContain(keepsRest);
});

test('a body that is not declared as JSON may be read or ignored', () => {
  const requestHeaders = { authorization: `Bearer ${key}`, 'content-type': 'text/plain' };
  for (const note of ['first', 'second'])
    expect(idsOf([addition('1'), { ...update('1', { ...texts, note }), requestHeaders }])).toEqual([]);
});

test('a refusal says nothing about a lead if it may be about the key, or if a lead of others got it too', () => {
  const refused = (id: string, status: number, at: number) => ({
    ...update(id, {}, at),
    status,
    responseBody: json({ success: false, error: 'not now' }),
  });
  const known = [addition('1'), update('1', { ...texts, note: 'second' }, 6000)];
  for (const status of [400, 401, 403])
    expect(idsOf([...known, refused('of-others', status, 7000), refused('1', status, 8000)])).not.toContain(
      'leads.delete.nothing-else',
    );
  const expired = { ...listing, status: 401, responseBody: json({ success: false, error: 'expired' }) };
  expect(idsOf([listing, expired])).toEqual([]);
});

test('an addition with an address may show the lead that has it', () => {
  const merged = exchange('POST', 'leads', { ...texts, email: 'ada@example.com' }, lead('1', other), 6000);
  expect(idsOf([merged])).toEqual([]);
  expect(idsOf([exchange('POST', 'leads', texts, lead('1', other), 6000)])).toEqual([
    'leads.add.echoes-fields',
  ]);
});

test('a word that is no key is shown', () => {
  const session = createTrafficSession({ checks });
  session.observe({ ...listing, requestHeaders: { authorization: 'Bearer' } });
  expect(session.redact('the word Bearer')).toBe('the word Bearer');
});

test('a recording has no key, however many others were used after it', () => {
  const session = createTrafficSession({ checks });
  const recorder = createRecorder();
  for (let count = 0; count < 250; count += 1) {
    const used = { ...listing, requestHeaders: { authorization: `Bearer sk_live_of_customer_${count}` } };
    session.observe(used);
    recorder.add(used);
  }
  expect(recorder.text({ url, redact: session.redact })).not.toContain('sk_live');
});

test('a recording is judged alike by who knows its key and by who does not', () => {
  const refused = { status: 400, responseBody: json({ success: false, error: 'not now' }) };
  const session = createTrafficSession({ checks, key });
  const recorder = createRecorder();
  for (const observed of [listing, { ...listing, ...refused }]) {
    session.observe(observed);
    recorder.add(observed);
  }
  const file = join(temporaryDirectory(), 'session.har');
  writeFileSync(file, recorder.text({ url, redact: session.redact }));
  for (const known of [undefined, key]) {
    const found = findingsOf(createTrafficSession({ checks, key: known }), readRecordings([file]).exchanges);
    expect(found.map(({ check }) => check.id)).toEqual(['templates.list.every-time']);
  }
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
  const report = JSON.stringify(conclude({ session, profile: undefined, ...options }));
  for (const text of ['Zebedee', 'Yolanda', 'Wilhelmina', 'Feldkamp', '49151']) {
    expect(report).not.toContain(text);
    for (const { failure } of found) expect(failure.expected + failure.actual).not.toContain(text);
  }
});

test('the model keeps no exchange, and the latest leads within a limit of characters', async () => {
  const model = createModel();
  const apply = (number: number, size: number): WeakRef<Exchange> => {
    const note = `${number}${'x'.repeat(size)}`;
    const sent = { scenario: 'traffic', body: JSON.stringify({ ...texts, note }), sentAt: number };
    const response = { success: true, data: lead(String(number), { note }) };
    const added = exchangeOf(200, response, { ...addLead, ...sent, receivedAt: number + 0.5 });
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
