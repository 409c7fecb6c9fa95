// The recipes of the mock's page: for tests, and for a mock in the origin of the app, as files that an app would have.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createMock, type MockInProcess, startMock } from '../../mock/index.ts';
import { serve } from '../../mock/testing/serve.ts';
import { blocksOf } from '../testing/pages.ts';

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

const asByHttp = async (): Promise<unknown> => {
  await using mock = await startMock();
  return await seen((request) => fetch(request), mock.url);
};

test('Next.js: a route handler', async () => {
  const { GET, POST, PUT, DELETE } = await load('route', 'answer as DELETE');
  expect(await seen(POST as Answer)).toEqual(await asByHttp());
  expect([GET, PUT, DELETE]).toEqual([POST, POST, POST]);
  const { POST: again } = await load('route-again', 'answer as DELETE');
  expect((await seen(again as Answer)).slice(2)).toEqual(['lead_000002', 404]);
});

test('Hono: all methods of the path', async () => {
  const app = 'export const routes = [];\nconst app = { all: (...route) => routes.push(route) };\n';
  const { routes } = await load('hono', 'context.req.raw', app);
  const [[path, handle]] = routes as [[string, (context: object) => Promise<Response>]];
  expect(path).toBe('/api/v1/*');
  expect(await seen((raw) => handle({ req: { raw } }))).toEqual(await asByHttp());
});

/** A server that leads requests below a path to a handler, as Express and Connect do. */
const serveBelow = (path: string, handler: RequestListener): Promise<string> =>
  serve((request, response) => {
    expect(request.url?.startsWith(path)).toBe(true);
    const originalUrl = request.url;
    handler(Object.assign(request, { originalUrl, url: originalUrl?.slice(path.length) }), response);
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
  const url = await serveBelow('/api/v1', mockHandler as RequestListener);
  expect(await seen((request) => fetch(request), url)).toEqual(await asByHttp());
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
