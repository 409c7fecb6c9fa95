import { gzipSync } from 'node:zlib';
import SwaggerParser from '@apidevtools/swagger-parser';
import { expect, test } from 'vitest';
import { operationNames } from '../../contract/operation-id.ts';
import { startMock } from '../../index.ts';
import { nouns } from '../../nouns/index.ts';
import { components } from '../../route/schemas.ts';
import { useMock } from '../../testing/mock-server.ts';
import seed from '../../validation/seed.schema.json' with { type: 'json' };

const mock = useMock();
const routes = nouns.flatMap((noun) => Object.entries(noun.routes));

type Parameter = { name: string; description: string };
type Operation = { operationId: string; description: string; parameters: Parameter[] };
const document = async () =>
  (await mock.call('GET', '/__admin/openapi.json')).body as {
    paths: Record<string, Record<string, Operation>>;
  };

test('is valid OpenAPI, and has every route but the page’s own, each with what it and each parameter are for', async () => {
  await SwaggerParser.validate((await document()) as never);
  const operations = Object.entries((await document()).paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
  expect(operations.map(([route]) => route).sort()).toEqual(routes.map(([address]) => address).sort());
  expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
  for (const [route, { parameters, description }] of operations) {
    expect(description, route).toMatch(/\.$/);
    for (const { name, description: said } of parameters) expect(said, name).toMatch(/\.$/);
  }
});

test('the mock accepts every example of a body', async () => {
  const bodies = routes.flatMap(([address, route]) => {
    const [method = '', path = ''] = address.split(' ');
    const { examples = [], $ref = '' } = (route.body ?? {}) as { examples?: object[]; $ref?: string };
    const shared = components[$ref.replace(/^.*\//, '')]?.examples ?? [];
    return [...examples, ...(shared as object[])].map((body) => [method, path, body] as const);
  });
  expect(new Set(bodies.map(([, path]) => path)).size).toBeGreaterThan(8);
  for (const [method, path, body] of bodies) {
    const { lead_id } = await mock.lead();
    const id = path.startsWith('/leads') ? lead_id : '1';
    const { status } = await mock.call(method, `/__admin${path.replace('{id}', id)}`, { body });
    expect(status, `${method} ${path} ${JSON.stringify(body)}`).toBeLessThan(300);
  }
});

test('the schema of a seed says what every field is, and knows the operations', () => {
  expect(seed.$defs.FaultRule.properties.operation.enum).toEqual(operationNames);
  const fields = Object.values(seed.$defs).flatMap((part) =>
    Object.entries((part as { properties?: Record<string, { description?: string }> }).properties ?? {}),
  );
  expect(fields.length).toBeGreaterThan(30);
  for (const [name, { description }] of fields) expect(description, name).toMatch(/\.$/);
});

const listed = useMock({ acceptKeys: ['secret-of-somebody', 'test_ours', 'test_idle'] });
const bare = useMock({ admin: false }, startMock);
const get = (path: string, headers = {}) => mock.call('GET', path, { key: null, headers });

test.each([
  [mock, '/', '__admin/ui/'],
  [mock, '/?key=test_a', '__admin/ui/?key=test_a'],
  [mock, '/__admin/ui', 'ui/'],
  // Without the admin API there is no page.
  [bare, '/', 'docs'],
])('the path of a page leads there', async (server, path, location) => {
  expect(await server.call('GET', path, { key: null })).toMatchObject({ status: 302, headers: { location } });
  expect((await bare.call('GET', '/__admin/ui/')).status).toBe(404);
});

test('the page may run nothing but its own files, and is framed by nobody', async () => {
  const { status, headers } = await get('/__admin/ui/');
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
});

test.each([
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
])('the %s is small', async (kind, type) => {
  const page = (await get('/__admin/ui/')).text;
  const [name] = new RegExp(`page-[0-9a-f]+\\.${kind}`).exec(page) ?? [];
  const { status, headers, text } = await get(`/__admin/ui/${name}`);
  expect([status, headers['content-type']]).toEqual([200, type]);
  expect(gzipSync(text).length).toBeLessThan(60_000);
});

const noFiles = ['nothing', '..%2findex.js', '%2e%2e/index.js', 'index.html%00', '.built', '__proto__'];

test.each(noFiles)('%s is no file of the page', async (name) => {
  expect((await get(`/__admin/ui/${name}`)).status).toBe(404);
});

test.each([
  ['/__admin/ui/', 'document', 'localhost', 200],
  ['/__admin/ui/', 'iframe', 'localhost', 403],
  ['/__admin/outbox', 'document', 'localhost', 403],
  ['/__admin/ui/', 'document', 'evil.example', 403],
])('a link on another site to %s, in a new %s, at %s: %d', async (path, dest, host, status) => {
  const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  expect((await get(path, { ...foreign, 'sec-fetch-dest': dest, host })).status).toBe(status);
});

test('the workspaces are listed with what is in them, but no key that may be real; looking makes none', async () => {
  await listed.lead(undefined, 'secret-of-somebody');
  await listed.lead(undefined, 'test_ours');
  await listed.read('/outbox', 'test_idle');
  const workspaces = [{ key: 'test_ours', messages: 0, leads: 1, requests: 1 }];
  const shown = { default: 'test_ours', workspaces, total: 2, unclaimed: 0 };
  expect(await listed.read('/workspaces', 'test_ours')).toEqual(shown);
});
