// The package in the projects of users: its declarations, strict, without skipLibCheck and newer libraries than needed; and the
// example for Playwright.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { chromiumPath, describeInBrowser } from '../../mock/testing/browser.ts';
import { temporaryDirectory } from '../../mock/testing/temporary.ts';

const root = resolve(import.meta.dirname, '../..');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const flags = '--noEmit --strict --module nodenext'.split(' ');

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
const remote = connectMock(mock.url, { apiKey: mock.apiKey });
export const found: OneOrMore<ReceivedRequest> = await remote.requests.waitFor({ status: 503 }, { count: 2 });
export type Others = [ClockReading, FaultState, Lead, Template, WorkspaceState];
// @ts-expect-error promises only
export const mails: unknown[] = remote.outbox.list();
await mock.close();
`;

const checking = `
import { type ContractOptions, contractTests, type Report, runContract } from 'email-leads/contract';
const options: ContractOptions = { url: 'https://staging.example.com', apiKey: 'key', only: ['leads'], onEvent: ({ type }) => void type };
export const report: Report = await runContract(options);
export const failed: string[] = report.findings.map(({ id, finding }) => id + finding?.actual);
declare const test: ((name: string, run: () => Promise<void>) => void) & { skip: (name: string, run: () => void) => void };
contractTests({ test, ...options });
// @ts-expect-error a key is a text
await runContract({ apiKey: 7 });
`;

const inJest = `
import { createMock, type MockInProcess } from 'email-leads';
import { useMock } from 'email-leads/jest';
const mock = useMock();
const headers = { authorization: \`Bearer \${mock.apiKey}\` };
export const both: (typeof mock | MockInProcess)[] = [mock, createMock()];
export const replies: Promise<Response>[] = both.map(({ fetch }) => fetch('https://mail.example.com', { headers }));
`;

// Nobody needs newer libraries for the sake of these types, and who has them may use what they bring.
const disposing = `
import { startMock } from 'email-leads';
await using mock = await startMock();
export const url: string = mock.url;
`;

// The contract as the document states it: what it leaves open may be absent.
const stated = `
import type { paths } from 'email-leads/types';

export type Body = paths['/api/v1/email/template']['post']['requestBody']['content']['application/json'];
export const sent: Body = { template_id: '1', variables: { name: 'Lena' } };
// @ts-expect-error a variable is a text
export const wrong: Body = { template_id: '1', variables: { a: 1 } };
`;

// The contract as the mock obeys it: what the document leaves open is there, and what the mock requires is required.
const assuming = `
import createClient from 'openapi-fetch';
import type { components, paths } from 'email-leads/types/assumed';

const api = createClient<paths>({ baseUrl: 'http://127.0.0.1:4010' });

const { data, error } = await api.POST('/api/v1/leads', { body: { name: 'Lena', email: 'lena@example.com' } });
export const added: components['schemas']['LeadAdded']['data'] | string = data ? data.data : error.error;
export const rename = (id: string) =>
  api.PUT('/api/v1/leads/{id}', { params: { path: { id } }, body: { note: 'Called' } });
export const welcome = (to: string) =>
  api.POST('/api/v1/email/template', { body: { template_id: '1', variables: { name: 'Lena' }, to } });

// @ts-expect-error there is no such path
export const wrongPath = () => api.GET('/api/v1/leeds');
// @ts-expect-error the id is missing
export const noId = () => api.DELETE('/api/v1/leads/{id}');
// @ts-expect-error a new lead has a name
export const noName = () => api.POST('/api/v1/leads', { body: {} });
// @ts-expect-error a mail has a subject, a sender and a body
export const noMail = () => api.POST('/api/v1/email/send', { body: { to: 'lena@example.com' } });
`;

/** Compiles an app in a folder of its own, which has the package and links to others as its modules. */
const compile = (files: Record<string, string>, options: string, linked: string[] = []): string => {
  const folder = temporaryDirectory();
  const modules = join(folder, 'node_modules');
  for (const part of ['package.json', 'dist/types'])
    cpSync(join(root, part), join(modules, 'email-leads', part), { recursive: true });
  for (const name of linked) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const command = [compiler, ...flags, ...options.split(' '), ...Object.keys(files)];
  return execFileSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
};

test.each([
  ['consumers of the mock and of the suite', { 'consumer.ts': consumer, 'checking.ts': checking }, 'es2022'],
  ['a test of Jest', { 'consumer.ts': inJest }, 'es2022,dom'],
  ['a consumer that disposes of the mock', { 'consumer.ts': disposing }, 'es2022,esnext.disposable'],
])('compile: %s', (_who, files, lib) => {
  expect(compile(files, `--target es2022 --exactOptionalPropertyTypes --lib ${lib}`)).toBe('');
});

test('small clients compile against the types of the contract, and their mistakes do not', () => {
  const files = { 'app.ts': assuming, 'stated.ts': stated };
  const options = '--target es2023 --lib es2023,dom --skipDefaultLibCheck';
  expect(compile(files, options, ['openapi-fetch', 'openapi-typescript-helpers'])).toBe('');
});

describeInBrowser('the example for Playwright', () => {
  test('passes with two workers on one mock', async () => {
    const others = Object.entries(process.env).filter(
      ([name]) => !/^(EMAIL_LEADS_|VITEST|TEST|NODE_OPTIONS|FORCE_COLOR)/.test(name),
    );
    // Nobody else takes the port so soon.
    const { port, close } = await startMock();
    await close();
    const env = {
      ...Object.fromEntries(others),
      MOCK_COMMAND: `"${process.execPath}" "${join(root, 'dist/email-leads.js')}" mock`,
      MOCK_PORT: String(port),
      CHROMIUM: chromiumPath,
    };
    const program = join(root, 'node_modules/@playwright/test/cli.js');
    const config = 'scripts/examples/playwright/playwright.config.ts';
    const args = [program, 'test', '--config', config, '--reporter=json', '--output', temporaryDirectory()];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
    const { stats, config: used } = JSON.parse(stdout);
    const all = { workers: 2, expected: 5, unexpected: 0, flaky: 0 };
    expect({ ...stats, workers: used.workers }).toMatchObject(all);
  });
});
