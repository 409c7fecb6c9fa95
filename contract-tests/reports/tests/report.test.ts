import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import type { Exchange } from '../../exchange/exchange.ts';
import { inBody, onRefusal, rewrite } from '../../proof/server/mutation.ts';
import { ordinaryTemplates } from '../../proof/server/store.ts';
import type { Mutation } from '../../proof/server/types.ts';
import type { Status, Verdict } from '../../runner/verdict.ts';
import { exchangeOf } from '../../testing/exchanges.ts';
import { calmReport, hostileReport } from '../../testing/hostile-report.ts';
import { checkNamed, runOn } from '../../testing/run-on.ts';
import { buildReport } from '../build-report.ts';
import { markdownReport } from '../github.ts';
import { htmlReport } from '../html.ts';
import { jsonReport } from '../index.ts';
import { junitReport } from '../junit.ts';
import schema from '../report.schema.json' with { type: 'json' };
import { groupFindings, type Report } from '../report.ts';

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);

/** A report in JSON, which satisfies the published schema. */
const parsed = (report: Report) => {
  const written = JSON.parse(jsonReport(report));
  validate(written);
  expect(validate.errors).toBeNull();
  return written;
};

test('the report is as it was; every field of the top is required but those of traffic, so leaving one out is noticed', () => {
  expect(parsed(calmReport).verdict).toEqual(calmReport.verdict);
  expect(parsed(hostileReport)).toEqual(hostileReport);
  for (const name of Object.keys(calmReport)) {
    const { [name as keyof Report]: _, ...rest } = hostileReport;
    expect(validate(rest), name).toBe(false);
  }
});

/** The report on some checks. */
const reportOn = async (mutation: Mutation, ...ids: string[]): Promise<Report> => {
  const { service, ...run } = await runOn(ids, { mutation });
  const target = { kind: 'deployment', ...service } as const;
  const report = buildReport({ target, run });
  expect(JSON.stringify(parsed(report))).not.toContain(service.key);
  return report;
};

test.each([
  ['listTemplates', 'templates.list.error', ['GET']],
  ['deleteLead', 'leads.delete.error', ['POST', 'DELETE']],
] as const)('what every response of %s shows needs its lead only', async (operation, id, methods) => {
  const mutation = inBody(operation, (body) => ({ ...body, error: 7 }));
  const { checks: found } = await reportOn(mutation, 'templates', 'leads');
  const steps = found.find((check) => check.id === id)?.finding?.exchanges ?? [];
  expect(steps.map(({ request }) => request.method)).toEqual(methods);
});

test('templates that come with an error response are in no report', async () => {
  const withTemplates = onRefusal('key', (reply) => ({
    ...reply,
    body: { ...reply.body, data: ordinaryTemplates },
  }));
  const report = await reportOn(withTemplates, 'templates.list.auth.missing-key');
  expect(report.checks.map(({ status }) => status)).toEqual(['fail']);
  expect(jsonReport(report)).not.toContain('welcome to');
});

test.each([
  ['a page', () => `<h1>Fatal error</h1> ${'x'.repeat(500)}`, /^<h1>Fatal error<\/h1> x{160,180}…$/],
  ['broken JSON, no texts', (json: string) => json.slice(0, -1), /^not JSON: \{"…":true,"…":"…","…":\[\{/],
] as const)('a body that is not JSON is quoted: %s', async (_, change, quoted) => {
  const mutation = rewrite(
    ({ operation }, { status }) => operation === 'listTemplates' && status === 200,
    (raw) => ({ ...raw, payload: Buffer.from(change(raw.payload.toString())) }),
  );
  const { checks: found } = await reportOn(mutation, 'templates.list.success');
  expect(found[0]?.finding?.exchanges?.at(-1)?.reply.excerpt).toMatch(quoted);
});

test('a report of a long list whose items are all wrong names the first, and is short', async () => {
  const wrong = Array(1500).fill({ id: 7 });
  const mutation = inBody('listTemplates', (body) => ({ ...body, data: wrong }));
  const report = await reportOn(mutation, 'templates.list.id');
  expect(report.checks).toMatchObject([{ status: 'fail', finding: { pointer: '/data/0/id' } }]);
  for (const render of [jsonReport, htmlReport, junitReport, markdownReport])
    expect(render(report).length).toBeLessThan(100_000);
});

test('the line about what was skipped is short: long reasons are cut, and rare ones counted', async () => {
  const { service, ...run } = await runOn(['templates.list.error']);
  const skip = { check: checkNamed('leads.add.name'), status: 'skipped' } as const;
  const skips = [...'abbcdef'].map((text) => ({ ...skip, reason: text.repeat(500) }));
  const target = { kind: 'deployment', ...service } as const;
  const { ran } = buildReport({ target, run: { ...run, verdicts: [...run.verdicts, ...skips] } });
  const because = /; 7 skipped: 2 because b{160}…; 1 because a{160}…; .*; the others for other reasons$/;
  expect(ran).toMatch(because);
});

// Findings that follow from another one are shown below it.

const updated = { operation: 'updateLead', method: 'PUT', path: '/api/v1/leads/1' } as const;
const update = (call: Partial<Exchange>) => exchangeOf(200, { success: true }, { ...updated, ...call });

type Changes = { status?: Status; actual?: string; pointer?: string; steps?: number };

const right = update({ body: '{"note":"sent"}', json: { success: true, data: { note: 'sent' } } });

const refused = update({ status: 500, outcome: 'refusal' });
const changed = update({ body: '{"note":"sent"}', json: { success: true, data: { note: 'shown' } } });
const number = update({ body: '{"note":"sent"}', json: { success: true, data: { note: 7 } } });
const bytes = update({ ...changed, byteProblem: 'it contains bytes that are not UTF-8' });
const added = { ...right, operation: 'addLead' } as const;

/** The whole id of a check, of updates where nothing else is said. */
const idOf = (name: string): string => (/^(leads|replies)\./.test(name) ? name : `leads.update.${name}`);

/** A finding; with the number of requests that its scenario sent before it. */
const found = (name: string, exchange: Exchange, changes: Changes = {}): Verdict => {
  const { status = 'fail', steps = 0, ...failure } = changes;
  const causes = steps === 0 ? {} : { causes: Array(steps).fill(right) };
  const check = checkNamed(idOf(name));
  return { check, status, failure: { expected: '', actual: name, exchange, ...failure, ...causes } };
};
const withKey = (name: string, exchange: Exchange = right): Verdict =>
  found(name, exchange, { actual: '200 as if the key were valid' });
const cut = (name: string, steps: number, field = 'note'): Verdict =>
  found(name, update({ text: name }), { actual: '"called Con"', pointer: `/data/${field}`, steps });
const warn = { status: 'warn' } as const;

test.each<[string, Verdict[], Record<string, string>]>([
  [
    'the same error response has one cause',
    [found('survives-bad-input', refused, warn), found('success', refused)],
    { 'survives-bad-input': 'success' },
  ],
  ['a simpler difference comes first', [found('lasts', number), found('note', number)], { lasts: 'note' }],
  ['but not another response', [found('lasts', right), found('note', number)], {}],
  ['bytes first', [found('lasts', bytes), found('replies.encoding', bytes)], { lasts: 'replies.encoding' }],
  ['no failure hides behind a warning', [found('lasts', changed), found('echoes-note', changed, warn)], {}],
  [
    'where no key at all is accepted, any other wrong key is',
    [withKey('auth.missing-key'), withKey('auth.other-scheme')],
    { 'auth.other-scheme': 'auth.missing-key' },
  ],
  ['but not by others', [withKey('auth.missing-key'), withKey('leads.add.auth.other-scheme', added)], {}],
  [
    'one change of a field has one cause: what the fewest requests show',
    [
      ...[cut('leads.delete.auth.changes-nothing', 3), cut('lasts', 9)],
      ...[cut('leads.add.stores-note', 2), cut('keeps-other-fields', 4, 'name')],
    ],
    { 'leads.delete.auth.changes-nothing': 'leads.add.stores-note', lasts: 'leads.add.stores-note' },
  ],
  [
    'of two checks with the same refusal, the one that fewer requests show comes first',
    [found('repeatable', refused, { steps: 8 }), found('every-time', refused, { steps: 4 })],
    { repeatable: 'every-time' },
  ],
])('%s', (_, verdicts, roots) => {
  const below = groupFindings(verdicts).flatMap(({ checks: [root, ...rest] }) =>
    rest.map((id) => [id, root]),
  );
  const expected = Object.entries(roots).map((pair) => pair.map(idOf));
  expect(below.sort()).toEqual(expected.sort());
});
