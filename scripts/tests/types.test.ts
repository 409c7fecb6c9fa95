// `email-leads/types` and `email-leads/types/assumed`: what openapi-typescript made of openapi.yaml, as an app uses it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import createClient from 'openapi-fetch';
import { expect, test } from 'vitest';
import type { paths } from '../../mock/generated/openapi.ts';
import { useMock } from '../../mock/testing/mock-server.ts';

const root = resolve(import.meta.dirname, '../..');
const mock = useMock();

const app = `
import createClient from 'openapi-fetch';
import type { components, paths } from 'email-leads/types';

type Lead = components['schemas']['LeadAdded']['data'];

const api = createClient<paths>({ baseUrl: 'http://127.0.0.1:4010', headers: { Authorization: 'Bearer test_key' } });

export const addLead = async (name: string): Promise<Lead> => {
  const { data, error } = await api.POST('/api/v1/leads', { body: { name, source: 'Webinar' } });
  if (!data) throw new Error(error.error);
  return data.data;
};

export const rename = (id: string) =>
  api.PUT('/api/v1/leads/{id}', { params: { path: { id } }, body: { note: 'Called' } });

export const names = async (): Promise<string[]> =>
  (await api.GET('/api/v1/email/templates')).data?.data.map((template) => template.name) ?? [];

// @ts-expect-error there is no such path
export const wrongPath = () => api.GET('/api/v1/leeds');
// @ts-expect-error a variable is a text
export const wrongBody = () => api.POST('/api/v1/email/template', { body: { template_id: '1', variables: { a: 1 } } });
// @ts-expect-error the id is missing
export const noId = () => api.DELETE('/api/v1/leads/{id}');
`;

// The contract as the mock obeys it: what the document leaves open is there, and what the mock requires is required.
const assuming = `
import createClient from 'openapi-fetch';
import type { paths } from 'email-leads/types/assumed';

const api = createClient<paths>({ baseUrl: 'http://127.0.0.1:4010' });

export const welcome = (to: string) =>
  api.POST('/api/v1/email/template', { body: { template_id: '1', variables: { name: 'Lena' }, to } });
export const addLead = () => api.POST('/api/v1/leads', { body: { name: 'Lena', email: 'lena@example.com' } });

// @ts-expect-error a new lead has a name
export const noName = () => api.POST('/api/v1/leads', { body: {} });
// @ts-expect-error a mail has a subject, a sender and a body
export const noMail = () => api.POST('/api/v1/email/send', { body: { to: 'lena@example.com' } });
`;

test('small clients compile against them, and their mistakes do not', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'email-leads-client-'));
  try {
    const modules = join(folder, 'node_modules');
    mkdirSync(join(modules, 'email-leads'), { recursive: true });
    for (const part of ['package.json', 'dist/types'])
      cpSync(join(root, part), join(modules, 'email-leads', part), { recursive: true });
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'app.ts'), app);
    writeFileSync(join(folder, 'assuming.ts'), assuming);
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags =
      '--noEmit --strict --skipDefaultLibCheck --module nodenext --target es2023 --lib es2023,dom'.split(' ');
    const run = () =>
      execFileSync(process.execPath, [compiler, ...flags, 'app.ts', 'assuming.ts'], {
        cwd: folder,
        encoding: 'utf8',
      });
    expect(run()).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('such a client talks to the mock', async () => {
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
