import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { contract } from '../contract/document.ts';
import { useMock } from '../testing/mock-server.ts';
import { selfSigned } from '../testing/self-signed.ts';
import { temporaryFile } from '../testing/temporary.ts';
import { startServer } from './server.ts';

test('speaks HTTPS with a certificate and its key', async () => {
  const { cert, key } = selfSigned();
  const [tlsCert, tlsKey] = [temporaryFile(cert), temporaryFile(key)];
  const server = await startServer({ tlsCert, tlsKey });
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const url = `${server.url}/api/v1/email/templates`;
  const headers = { authorization: 'Bearer test_key' };
  const templates = await request(url, { dispatcher, headers });
  expect(await templates.body.json()).toMatchObject({ success: true });
  const recording = await request(`${server.url}/__admin/requests.har`, { dispatcher });
  expect(await recording.body.json()).toMatchObject({ log: { entries: [{ request: { url } }] } });
  await dispatcher.close();
  await server.close();
  await expect(startServer({ tlsCert })).rejects.toThrow('--tls-key');
});

const mock = useMock();
const precise = useMock({ answers: { 'failure.validation-status': 422 } });

test('openapi.json names the address it was asked under, and openapi.yaml says the same', async () => {
  const { body } = await mock.call('GET', '/openapi.json', { key: null });
  expect(body).toMatchObject({ openapi: '3.1.0', info: contract.info, servers: [{ url: mock.url }] });
  const yaml = await mock.call('GET', '/openapi.yaml');
  expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8');
  expect(parse(yaml.text, { maxAliasCount: 0 })).toEqual(body);
});

test('is that of the workspace whose key the header or the address names', async () => {
  const { own } = mock;
  await mock.admin('PATCH', '/answers', { body: { 'lead.list': 'present' } });
  const hasList = async (path: string, key: string | null) =>
    (await mock.call('GET', path, { key })).text.includes('listLeads');
  for (const path of ['/openapi.json', '/openapi.yaml'])
    expect([await hasList(path, own), await hasList(`${path}?key=${own}`, null)]).toEqual([true, true]);
  for (const other of [null, mock.key(), 'unknown'])
    expect(await hasList('/openapi.json', other)).toBe(false);
});

test.each([
  ['/docs', 200],
  ['/docs/', 200],
  ['/docs/static/swagger-ui-bundle.js', 200],
  ['/docs/static/../../package.json', 404],
  ['/docs/static/%2e%2e%2fpackage.json', 404],
  ['/docs/nothing', 404],
])('the page: %s is answered with %d', async (path, status) => {
  expect((await mock.call('GET', path, { key: null })).status).toBe(status);
});

test('the page reads the contract in force', async () => {
  const initializer = await precise.call('GET', '/docs/static/swagger-initializer.js');
  expect(initializer.text).toContain("resolveUrl('./json')");
  // The key of its requests, without one in its address.
  expect(initializer.text).toContain('test_key');
  const { body } = await precise.call('GET', '/openapi.json');
  expect((await precise.call('GET', '/docs/json')).body).toEqual(body);
  expect(JSON.stringify(body)).toContain('"422"');
});
