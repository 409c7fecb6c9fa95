// What the pages say is true: links lead somewhere, commands are understood, recipes work.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import configSchema from '../../mock/cli/config.schema.json' with { type: 'json' };
import { listQuestions } from '../../mock/contract/questions.ts';
import { createMock, type MockInProcess, startMock } from '../../mock/index.ts';
import { serve } from '../../mock/testing/temporary.ts';
import { loadDefinitions } from '../commands.ts';
import { anchorsOf, blocksOf, commandsOf, linksOf, pages, readPage } from '../testing/pages.ts';

const definitions = await loadDefinitions();

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
test.each(pages)('%s has links that lead somewhere, scripts that exist, data that can be read', (page) => {
  const broken = linksOf(page).filter(
    ({ path, anchor }) => !existsSync(path) || (anchor !== undefined && !anchorsOf(path).includes(anchor)),
  );
  expect(broken.map(({ link }) => link)).toEqual([]);
  const names = [...readPage(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  expect(names.filter((name) => name !== 'e2e' && !(name in manifest.scripts))).toEqual([]);
  const readers: Readonly<Record<string, (text: string) => unknown>> = { yaml: parse, json: JSON.parse };
  for (const { language, code } of blocksOf(page))
    expect(() => readers[language]?.(code), code).not.toThrow();
});

test('the configuration file of the example is one', () => {
  const { code = '' } =
    blocksOf('contract-tests/README.md').find(({ heading }) => heading === 'Configuration file') ?? {};
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(configSchema);
  expect(validate(parse(code)), JSON.stringify(validate.errors)).toBe(true);
});

test.each([
  ['README.md', 110, 400, 1000],
  ['AGENTS.md', 90, 200, 1000],
])('%s is one page', (page, maxLines, maxLength, maxWords) => {
  const lines = readPage(page).trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(maxLines);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(maxLength);
  expect(readPage(page).split(/\s+/).length).toBeLessThanOrEqual(maxWords);
});

test('README.md has the version of the package', () => {
  for (const text of [`email-leads mock ${manifest.version}: `, `email-leads-${manifest.version}.tgz`])
    expect(readPage('README.md')).toContain(text);
});

const ownCommands = pages.flatMap((page) => {
  const lines = readPage(page)
    .replaceAll('\\\n', ' ')
    .matchAll(/npx email-leads (\w[^\n`]*)/g);
  return [...lines].map(([, line = '']) => [line.replace(/\s[#>]\s.*$|\s&$|…$/, '').trim(), page] as const);
});

test.each(ownCommands)('the command line understands: %s (%s)', (line) => {
  const words = (line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll(/["']/g, ''));
  const [name = '', ...argv] = words.map((word) =>
    word.replace(/^\$STAGING_URL$|^…$/, 'https://staging.example.com'),
  );
  expect(Object.keys(definitions)).toContain(name);
  expect(() => definitions[name]?.().parse(argv, { from: 'user' })).not.toThrow();
});

/** What the requests of AGENTS.md show, in the order of the page. */
const shown = [
  /"success":true/,
  /"total":1,/,
  /"codes":\["123456"\]/,
  /"total":0/,
  /"total":0/,
  /"total":0/,
  /"status":503/,
  /"success":false/,
  /"rules":\[\]/,
  /"status":"reset"/,
];

test.each([
  ['README.md', undefined],
  ['mock/README.md', undefined],
  ['AGENTS.md', shown],
])('the requests in %s work, one after the other', async (page, expected) => {
  await using mock = await startMock();
  const requests = commandsOf(page).filter((line) => line.startsWith('curl '));
  expect(requests.length).toBeGreaterThan(1);
  if (expected) expect(requests).toHaveLength(expected.length);
  for (const [at, line] of requests.entries()) {
    const fail = expected ? '' : '--fail ';
    const own = line
      .replaceAll('http://127.0.0.1:4010', mock.url)
      .replace('curl', `curl --silent --show-error ${fail}`);
    const { stdout } = await promisify(execFile)('sh', ['-c', own]);
    expect(stdout, line).toMatch(expected?.[at] ?? /./);
  }
});

test('the fields of fault rules are those of the table, with examples that are accepted', () => {
  const mock = createMock();
  const fields = /^(operation|method|to|when|nth|status|body|retry_after|delay_ms|fault|take_effect|times)$/;
  const rows = [...readPage('mock/README.md').matchAll(/^\| (`[^|]+) \| (`[^|]+) \| [^|]+ \|$/gm)]
    .map((row) => row.slice(1).map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)))
    .filter(([names]) => fields.test(names?.[0] ?? ''));
  expect(rows).toHaveLength(12);
  for (const [names = [], examples = []] of rows)
    for (const [at, name] of names.entries()) {
      const outcome = ['fault', 'delay_ms'].includes(name) ? {} : { status: 503 };
      const rule = { ...outcome, [name]: JSON.parse(examples[at] ?? '') };
      expect(() => mock.faults.set(rule), name).not.toThrow();
    }
});

test('the members in the table of the SDK exist', () => {
  const mock = createMock() as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const [, table = ''] = /Each workspace has:\n\n([\s\S]*?)\n\n/.exec(readPage('mock/README.md')) ?? [];
  const members = [...table.matchAll(/`(\w+)\.(\w+)\(?/g)];
  expect(members.length).toBeGreaterThan(10);
  for (const [, part = '', name = ''] of members)
    expect(mock[part]?.[name], `${part}.${name}`).toBeTypeOf('function');
});

test('every open question can be linked to', () => {
  const anchors = anchorsOf('contract-tests/open-questions.md');
  expect(listQuestions().filter(({ id }) => !anchors.includes(id))).toEqual([]);
});

test('files that the pages name in their trees exist', () => {
  for (const [page, folder] of [
    ['mock/README.md', 'mock'],
    ['contract-tests/README.md', 'contract-tests'],
  ] as const) {
    const tree = blocksOf(page).find(({ code }) => code.startsWith(`${folder}/\n`))?.code ?? '';
    const names = [...tree.matchAll(/^ {2}((?:[\w.-]+\/?(?:, )?)+) {2,}/gm)].flatMap(([, list = '']) =>
      list.split(', '),
    );
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !statSync(join(folder, name), { throwIfNoEntry: false }))).toEqual([]);
  }
});

// There may be no container engine where the tests run; the workflow builds the image and runs it.
type Service = { readonly image: string; readonly command?: readonly string[] };

test('the Compose example starts what the image has, and waits until it is healthy', () => {
  const file = readFileSync('scripts/examples/compose/compose.yaml', 'utf8');
  const { app, ...others } = parse(file).services;
  const own = Object.values<Service>(others).filter(({ image }) => image === 'email-leads');
  for (const { command: [name = '', ...words] = [] } of own)
    expect(() => definitions[name]?.().parse(words, { from: 'user' }), name).not.toThrow();
  expect(own.map(({ command }) => command?.[0])).toEqual(['mock', 'contract']);
  expect(app.depends_on).toEqual({ 'email-leads': { condition: 'service_healthy' } });
  const environment = { MAIL_API_URL: 'http://email-leads:4010', MAIL_API_KEY: 'test_key' };
  expect(app.environment).toEqual(environment);
  expect(existsSync(join('scripts/examples/compose', app.command[1]))).toBe(true);
});

// The recipes of the mock's page: for tests, and for a mock in the origin of the app, as files that an app would have.

// Here `email-leads` is the built package, as in an app.
const folder = join('node_modules', '.cache', `email-leads-embedding-${process.pid}`);
mkdirSync(folder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true }));

const blocks = blocksOf('mock/README.md').filter(({ heading }) => heading.startsWith('In the origin'));

/** Loads the recipe that has this text. @param more code before it */
const load = async (name: string, has: string, more = ''): Promise<Record<string, unknown>> => {
  const code = blocks.find((block) => block.code.includes(has))?.code ?? '';
  expect(code, has).not.toBe('');
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, more + code.replaceAll("'./mock-handler.js'", "'./mock-handler.mjs'"));
  return import(/* @vite-ignore */ pathToFileURL(file).href);
};

type Answer = (request: Request) => Promise<Response>;

const lead = (url = 'http://localhost:3000', path = '/api/v1/leads'): Request =>
  new Request(url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer test_key', 'content-type': 'application/json' },
    body: '{"name":"Lena"}',
  });

/** What the page of an app sees. */
const seen = async (answer: Answer, url?: string) => {
  const added = await answer(lead(url));
  const { data } = (await added.json()) as { data: { lead_id: string } };
  const unknown = await answer(lead(url, '/api/v1/leeds'));
  return [added.status, added.headers.get('content-type'), data.lead_id, unknown.status];
};

const asByHttp = [200, 'application/json; charset=utf-8', 'lead_000001', 404];

test('Next.js: a route handler', async () => {
  const { GET, POST, PUT, DELETE } = await load('route', 'answer as DELETE');
  expect(await seen(POST as Answer)).toEqual(asByHttp);
  expect([GET, PUT, DELETE]).toEqual([POST, POST, POST]);
  const { POST: again } = await load('route-again', 'answer as DELETE');
  expect((await seen(again as Answer)).slice(2)).toEqual(['lead_000002', 404]);
});

test('Hono: all methods of the path', async () => {
  const app = 'export const routes = [];\nconst app = { all: (...route) => routes.push(route) };\n';
  const { routes } = await load('hono', 'context.req.raw', app);
  const [[path, handle]] = routes as [[string, (context: object) => Promise<Response>]];
  expect(path).toBe('/api/v1/*');
  expect(await seen((raw) => handle({ req: { raw } }))).toEqual(asByHttp);
});

test('Express and Vite middleware: a handler for node:http', async () => {
  const { mock, mockHandler } = await load('mock-handler', 'export const mockHandler');
  const used: unknown[] = [];
  const take = (...route: unknown[]) => void used.push(...route);
  const app = `import { mockHandler } from './mock-handler.js';\nexport const used = [];\nconst app = { use: (...route) => used.push(...route) };\n`;
  const express = await load('express', 'In Express', app.replace('.js', '.mjs'));
  const vite = await load('vite-config', 'middlewares.use');
  const { plugins } = vite.default as { plugins: [{ configureServer: (server: object) => void }] };
  plugins[0].configureServer({ middlewares: { use: take } });
  expect([express.used, used]).toEqual(Array(2).fill(['/api/v1', mockHandler]));
  // A server that leads requests below a path to a handler, as Express and Connect do.
  const url = await serve((request, response) => {
    const { url: originalUrl = '' } = request;
    const [, below] = originalUrl.split('/api/v1');
    (mockHandler as RequestListener)(Object.assign(request, { originalUrl, url: below }), response);
  });
  expect(await seen((request) => fetch(request), url)).toEqual(asByHttp);
  (mock as MockInProcess).faults.set({ fault: 'EMPTY_RESPONSE' });
  await expect(fetch(lead(url))).rejects.toThrow('fetch failed');
});

test.each([
  ...['Reset between tests', 'Two tenants', 'A slow network', '429 with Retry-After', 'A lost response'],
  ...['An expired key', 'Paging'],
])('the recipe works: %s', (recipe) => {
  const { code = '' } = blocksOf('mock/README.md').find(({ heading }) => heading === recipe) ?? {};
  expect(code).not.toBe('');
  const mock = createMock();
  const workspace = mock.workspace();
  const before = JSON.stringify([workspace.faults.list(), workspace.answers.get()]);
  expect(() => new Function('mock', 'workspace', code)(mock, workspace)).not.toThrow();
  const isSetUp = JSON.stringify([workspace.faults.list(), workspace.answers.get()]) !== before;
  // These two are about all workspaces, or about the end of a test.
  expect(isSetUp || ['Reset between tests', 'Two tenants'].includes(recipe)).toBe(true);
});
