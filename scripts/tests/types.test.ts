// `email-leads/types`: what openapi-typescript made of openapi.yaml, as an app uses it. `types.proof.ts` compiles such apps.
import createClient from 'openapi-fetch';
import { expect, test } from 'vitest';
import type { paths } from '../../mock/generated/openapi.ts';
import { useMock } from '../../mock/testing/mock-server.ts';

const mock = useMock();

test('a client with these types talks to the mock', async () => {
  const api = createClient<paths>({
    baseUrl: mock.url,
    headers: { Authorization: `Bearer ${mock.key()}` },
  });
  const added = await api.POST('/api/v1/leads', { body: { name: 'Lena' } });
  const id = added.data?.data.lead_id ?? '';
  const changed = await api.PUT('/api/v1/leads/{id}', { params: { path: { id } }, body: { note: 'Called' } });
  expect(changed.data?.data.note).toBe('Called');
  const refused = await api.DELETE('/api/v1/leads/{id}', { params: { path: { id: 'nobody' } } });
  expect(refused.error?.error).toBe('there is no lead "nobody"');
});
