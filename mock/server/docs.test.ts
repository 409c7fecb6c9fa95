import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { contract } from '../contract/document.ts';
import { useMock } from '../testing/mock-server.ts';

const mock = useMock();
const precise = useMock({ answers: { 'failure.validation-status': 422 } });

test('openapi.json names the address it was asked under', async () => {
  const { body } = await mock.call('GET', '/openapi.json', { key: null });
  expect(body).toMatchObject({ openapi: '3.1.0', info: contract.info, servers: [{ url: mock.url }] });
});

test('openapi.yaml says the same', async () => {
  const { body } = await mock.call('GET', '/openapi.json');
  const yaml = await mock.call('GET', '/openapi.yaml');
  expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8');
  expect(parse(yaml.text, { maxAliasCount: 0 })).toEqual(body);
});

test('is that of the workspace whose key the header or the address names', async () => {
  const key = mock.key();
  await mock.call('PATCH', '/__admin/answers', { key, body: { 'lead.list': 'present' } });
  const hasList = async (path: string, sent: string | null) =>
    (await mock.call('GET', path, { key: sent })).text.includes('listLeads');
  for (const format of ['json', 'yaml']) {
    expect(await hasList(`/openapi.${format}`, key)).toBe(true);
    expect(await hasList(`/openapi.${format}?key=${key}`, null)).toBe(true);
    for (const other of [null, mock.key(), 'unknown'])
      expect(await hasList(`/openapi.${format}`, other)).toBe(false);
  }
});

describe('the page', () => {
  test.each(['/docs', '/docs/', '/docs/static/swagger-ui-bundle.js', '/docs/static/swagger-initializer.js'])(
    '%s is served',
    async (path) => {
      expect((await mock.call('GET', path, { key: null })).status).toBe(200);
    },
  );

  test('reads the contract in force', async () => {
    const initializer = await precise.call('GET', '/docs/static/swagger-initializer.js');
    expect(initializer.text).toContain("resolveUrl('./json')");
    const { body } = await precise.call('GET', '/openapi.json');
    expect((await precise.call('GET', '/docs/json')).body).toEqual(body);
    expect(JSON.stringify(body)).toContain('"422"');
  });

  test.each(['/docs/static/../../package.json', '/docs/static/%2e%2e%2fpackage.json', '/docs/nothing'])(
    '%s is 404',
    async (path) => {
      expect((await mock.call('GET', path)).status).toBe(404);
    },
  );
});
