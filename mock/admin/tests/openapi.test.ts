import SwaggerParser from '@apidevtools/swagger-parser';
import { expect, test } from 'vitest';
import { operationNames } from '../../contract/operation-id.ts';
import { components } from '../../route/schemas.ts';
import { useMock } from '../../testing/mock-server.ts';
import seed from '../../validation/seed.schema.json' with { type: 'json' };
import { listNouns } from '../admin.ts';

const mock = useMock();
const routes = listNouns('')
  .flatMap((noun) => Object.entries(noun.routes))
  .filter(([, { internal }]) => !internal);

type Operation = {
  operationId: string;
  summary: string;
  description: string;
  parameters: { name: string; description: string }[];
};
const document = async () =>
  (await mock.call('GET', '/__admin/openapi.json')).body as {
    paths: Record<string, Record<string, Operation>>;
  };

test('is valid OpenAPI', async () => {
  await SwaggerParser.validate((await document()) as never);
});

test('has every route but the page’s own', async () => {
  const described = Object.entries((await document()).paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(routes.map(([address]) => address).sort());
});

test('names every operation once, and says what it and each parameter are for', async () => {
  const operations = Object.values((await document()).paths).flatMap((item) => Object.values(item));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { parameters, summary, description } of operations) {
    expect(description, summary).toMatch(/\.$/);
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
    const lead = await mock.call('POST', '/api/v1/leads', { body: { name: 'Lena' } });
    const id = path.startsWith('/leads') ? (lead.body as { data: { lead_id: string } }).data.lead_id : '1';
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
