// A deployment may send more than a run can judge, or what has no text: the run ends, and its reports stay small.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { runCheckCommand } from '../cli/check.ts';
import { runContractCommand } from '../cli/contract.ts';
import { runObserveCommand } from '../cli/observe.ts';
import type { Mutation } from '../proof/server/types.ts';
import { runInProcess, serve, temporaryDirectory, withKey } from '../testing/command.ts';

const bound = 200_000; // no report of such a run is longer
const [many, long] = [3000, 3_000_000];

type Json = Readonly<Record<string, unknown>>;

/** Changes the bodies of responses; equal bodies are serialised once. */
const inJson = (change: (json: Json, isRefused: boolean) => Json): Mutation => {
  const known = new Map<string, Buffer>();
  return {
    rewrite: (raw, _call, reply) => {
      const before = raw.payload.toString();
      const payload =
        known.get(before) ?? Buffer.from(JSON.stringify(change(JSON.parse(before), !!reply.refused)));
      known.set(before, payload);
      return { ...raw, payload };
    },
  };
};

const templates = Array.from({ length: many }, (_, at) => ({
  id: `template-${at}`,
  name: 'Welcome',
  body: 'Hello {{first}}',
  variables: ['first'],
  created_at: '2026-01-02T03:04:05Z',
}));
const longText = 'e'.repeat(long);
const inList = (data: unknown) => (json: Json) => (Array.isArray(json.data) ? { ...json, data } : json);

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});

const reports = ['json', 'junit', 'html', 'markdown'];
const reportFlags = (): string[] => ['--report-dir', directory, '--report', ['console', ...reports].join()];

const reportFile = (name: string): string => readFileSync(join(directory, name), 'utf8');

const expectSmallReports = (): void => {
  for (const name of ['report.json', 'junit.xml', 'report.html', 'summary.md'])
    expect(reportFile(name).length, name).toBeLessThan(bound);
};

test.each<[string, Mutation, number, string]>([
  ['many wrong templates', inJson(inList(templates.map(() => ({ id: 7 })))), 1, 'FAIL templates.list.id '],
  [
    'a long error',
    inJson((json, isRefused) => (isRefused ? { ...json, error: longText } : json)),
    3,
    'a text of more than 2097152 characters, which is more than the suite judges',
  ],
])('contract ends with %s', async (_, mutation, code, text) => {
  const { url } = await serve(mutation);
  const said = await runInProcess(runContractCommand, ['--url', url, ...reportFlags()], withKey);
  expect(said.code, said.text).toBe(code);
  expect(said.text).toContain(text);
  expectSmallReports();
});

test('contract ends with findings where ids are objects that have no text', async () => {
  const id = { toString: 1, valueOf: 1 };
  const change = (json: Json): Json =>
    Array.isArray(json.data)
      ? { ...json, data: json.data.map((template) => ({ ...template, id, variables: [id] })) }
      : { ...json, error: id, data: { ...(json.data as Json), lead_id: id } };
  const { url } = await serve(inJson(change));
  const flags = ['--url', url, '--allow-writes', ...reportFlags()];
  const { code, text } = await runInProcess(runContractCommand, flags, withKey);
  expect(code, text).toBe(1);
  for (const check of ['templates.list.id', 'leads.add.lead-id', 'failures.error'])
    expect(text).toContain(`FAIL ${check} `);
  expect(text).not.toContain('TypeError');
});

test('observe ends with a profile', async () => {
  const { url } = await serve(inJson(inList(templates)));
  const profile = join(directory, 'profile.json');
  const { code, text } = await runInProcess(runObserveCommand, ['--url', url, '--output', profile], withKey);
  expect(code, text).toBe(0);
  expect(JSON.parse(readFileSync(profile, 'utf8'))).toMatchObject({ deployment: url });
});

describe('check', () => {
  const recorded = (json: unknown, requestText?: string): string => {
    const file = join(directory, 'recorded.har');
    const headers = [{ name: 'content-type', value: 'application/json' }];
    const entry = {
      startedDateTime: '2026-01-02T03:04:05Z',
      time: 1,
      request: {
        method: requestText === undefined ? 'GET' : 'POST',
        url: `https://a.test/api/v1/${requestText === undefined ? 'email/templates' : 'leads'}`,
        headers,
        ...(requestText === undefined ? {} : { postData: { text: requestText } }),
      },
      response: { status: 200, headers, content: { text: JSON.stringify(json) } },
    };
    writeFileSync(file, JSON.stringify({ log: { version: '1.2', entries: [entry] } }));
    return file;
  };

  test('judges a long list', async () => {
    const data = templates;
    const file = recorded({ success: true, error: '', data, message: '' });
    const { code, text } = await runInProcess(runCheckCommand, [file, ...reportFlags()]);
    expect(code, text).toBe(0);
    expectSmallReports();
  });

  test('does not judge a request that it cannot read whole', async () => {
    const data = { lead_id: '1', name: 'a', source: 'b', note: 'c', created_at: '2026-01-02T03:04:05Z' };
    const file = recorded({ success: true, data, message: '' }, `{"name":"${'\\n'.repeat(long)}"}`);
    const { code, text } = await runInProcess(runCheckCommand, [file, ...reportFlags()]);
    expect(code, text).toBe(0);
    expect(text).not.toContain('request:');
  });
});
