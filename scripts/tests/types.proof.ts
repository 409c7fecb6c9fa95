// The declarations of the package in the project of a user: strict, without skipLibCheck, and with no newer library than needed.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const flags = '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2022'.split(' ');

const consumer = `
import {
  type Answers, type ClockReading, type ConnectionFault, connectMock, type FaultRule, type FaultState,
  type Lead, type Mock, type MockOptions, type OneOrMore, type ReceivedRequest, startMock, type Template, type WorkspaceState,
} from 'email-leads';
const options: MockOptions = { answers: { 'send.to': 'required' }, log: 'silent' };
const mock: Mock = await startMock(options);
export const key: string = mock.key();
// @ts-expect-error not an answer of that question
export const wrong: Answers['send.to'] = 'perhaps';
const rule: FaultRule = { operation: 'addLead', fault: 'EMPTY_RESPONSE' satisfies ConnectionFault };
mock.faults.set(rule);
export const states: FaultState[] = mock.faults.list();
export const content: WorkspaceState = mock.state();
export const lead: Lead | undefined = content.leads[0];
export const template: Template | undefined = content.templates[0];
export const asked: ReceivedRequest | undefined = mock.requests.latest({ operation: 'addLead' });
const remote = connectMock(mock.url, { apiKey: mock.apiKey });
export const found: OneOrMore<ReceivedRequest> = await remote.requests.waitFor({ status: 503 }, { count: 2 });
export const time: ClockReading = await remote.clock.now();
// @ts-expect-error promises only
export const mails: unknown[] = remote.outbox.list();
await mock.close();
`;

// Nobody needs newer libraries for the sake of these types, and who has them may use what they bring.
const disposing = `
import { startMock } from 'email-leads';
await using mock = await startMock();
export const url: string = mock.url;
`;

test.each([
  ['a consumer', consumer, 'es2022'],
  ['a consumer that disposes of the mock', disposing, 'es2022,esnext.disposable'],
])('%s compiles', { timeout: 300_000 }, (_who, text, lib) => {
  const folder = mkdtempSync(join(tmpdir(), 'email-leads-types-'));
  try {
    for (const part of ['package.json', 'dist/types'])
      cpSync(join(root, part), join(folder, 'node_modules', 'email-leads', part), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'consumer.ts'), text);
    const run = () =>
      execFileSync(process.execPath, [compiler, ...flags, '--lib', lib, 'consumer.ts'], {
        cwd: folder,
        encoding: 'utf8',
      });
    expect(run()).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
