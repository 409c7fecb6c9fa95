// A deployment may send more than a run can judge, or what has no text: the run ends, and its reports stay small.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runContractCommand } from '../cli/contract.ts';
import { createBodyReader, readBody } from '../client/decode-body.ts';
import type { Mutation } from '../proof/server/types.ts';
import { runInProcess, serve, temporaryDirectory, withKey } from '../testing/command.ts';

const bound = 100_000; // no report of such a run is longer
const [many, long] = [1500, 3_000_000];

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

const longText = 'e'.repeat(long);
const inList = (data: unknown) => (json: Json) => (Array.isArray(json.data) ? { ...json, data } : json);

const directory = temporaryDirectory();

const reportFlags = ['--report-dir', directory, '--report', 'console,json,junit,html,markdown'];

const expectSmallReports = (): void => {
  for (const name of ['report.json', 'junit.xml', 'report.html', 'summary.md'])
    expect(readFileSync(join(directory, name), 'utf8').length, name).toBeLessThan(bound);
};

const tooLong = 'a text of more than 2097152 characters, which is more than the suite judges';

test.each<[string, Mutation, number, string]>([
  ['many wrong templates', inJson(inList(Array(many).fill({ id: 7 }))), 1, 'FAIL templates.list.id '],
  [
    'a long error',
    inJson((json, isRefused) => ({ ...json, ...(isRefused && { error: longText }) })),
    3,
    tooLong,
  ],
])('contract ends with %s', async (_, mutation, code, text) => {
  const { url } = await serve(mutation);
  const flags = ['--url', url, '--only', 'templates,failures', '--skip', 'templates.list.auth'];
  const said = await runInProcess(runContractCommand, [...flags, ...reportFlags], withKey);
  expect(said.code, said.text).toBe(code);
  expect(said.text).toContain(text);
  expectSmallReports();
});

const read = (json: unknown) => readBody(Buffer.from(JSON.stringify(json)), '');

test('a body is judged whole up to 200,000 values and texts of two million characters', () => {
  const json = { success: true, data: Array.from({ length: 40_000 }, (_, at) => ({ id: `t${at}`, at })) };
  expect(read(json).json).toEqual(json);
  expect(() => read({ data: Array(200_000).fill(1) })).toThrow('a body has more than 200000 values');
  for (const character of ['x', '"'])
    expect(() => read({ error: character.repeat(9_000_000), message: 'no' })).toThrow(
      'a body has a text of more than 2097152 characters',
    );
});

test('a body that is not JSON is kept by its beginning', () => {
  const { json, rawText } = readBody(Buffer.from(`<p>${'x'.repeat(3_000_000)}`), '');
  expect([json, rawText.length]).toEqual([undefined, 65_536]);
});

test('the responses of a run are read as long as there is capacity, equal ones once, and then nothing more is sent', () => {
  const large = (text: string) => Buffer.from(JSON.stringify({ text, more: 'x'.repeat(400_000) }));
  const bodies = createBodyReader(1_200_000);
  const first = bodies.read(large('a'), '');
  for (let count = 0; count < 10; count += 1) expect(bodies.read(large('a'), '')).toBe(first);
  bodies.expectCapacity('GET /');
  for (const text of ['b', 'c']) bodies.read(large(text), '');
  const message = expect.stringContaining('was not sent');
  expect(() => bodies.expectCapacity('POST /api/v1/leads')).toThrow(
    expect.objectContaining({ kind: 'too large', unsent: true, message }),
  );
});
