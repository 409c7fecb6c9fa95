import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { onRefusal, rewrite } from '../../proof/server/mutation.ts';
import { ordinaryTemplates } from '../../proof/server/store.ts';
import type { Mutation } from '../../proof/server/types.ts';
import { calmReport, hostileReport } from '../../testing/hostile-report.ts';
import { runOn } from '../../testing/run-on.ts';
import { buildReport } from '../build-report.ts';
import { jsonReport } from '../index.ts';
import schema from '../report.schema.json' with { type: 'json' };
import type { Report } from '../report.ts';

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

test('the report is as it was, and names its schema', () => {
  expect(parsed(calmReport).verdict).toEqual(calmReport.verdict);
  const { $schema, ...rest } = parsed(hostileReport);
  expect($schema).toBe('./report.schema.json');
  expect(rest).toEqual(hostileReport);
});

test('every field of the top is required but those of traffic, so leaving one out is noticed', () => {
  for (const name of Object.keys(calmReport)) {
    const { [name as keyof Report]: _, ...rest } = hostileReport;
    expect(validate(rest), name).toBe(false);
  }
});

/** The report on one check. */
const reportOn = async (mutation: Mutation, id: string): Promise<Report> => {
  const { service, ...run } = await runOn([id], { mutation });
  const target = { kind: 'deployment', ...service } as const;
  const report = buildReport({ target, run, version: '0' });
  expect(JSON.stringify(parsed(report))).not.toContain(service.key);
  return report;
};

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
  [
    'a page',
    () => `<h1>Fatal error</h1> in line 7 ${'x'.repeat(500)}`,
    /^<h1>Fatal error<\/h1> in line 7 x{160,180}…$/,
  ],
  [
    'broken JSON without its texts',
    (json: string) => json.slice(0, -1),
    /^not JSON: \{"…":true,"…":"…","…":\[\{/,
  ],
] as const)('a body that is not JSON is quoted: %s', async (_, change, quoted) => {
  const mutation = rewrite(
    ({ operation }, { status }) => operation === 'listTemplates' && status === 200,
    (raw) => ({ ...raw, payload: Buffer.from(change(raw.payload.toString())) }),
  );
  const { checks: found } = await reportOn(mutation, 'templates.list.success');
  expect(found[0]?.finding?.reply?.excerpt).toMatch(quoted);
});
