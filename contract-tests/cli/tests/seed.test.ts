// `--seed`: the mock that reads the file has the templates of the deployment.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bin, runNode, startCommand } from '../../../mock/testing/cli-process.ts';
import { inBody } from '../../proof/server/mutation.ts';
import { createService } from '../../proof/server/server.ts';
import type { Mutation } from '../../proof/server/types.ts';

const key = 'sk_live_4f9c1e7ab2d8463095be';
const environment = { PATH: process.env.PATH ?? '', EMAIL_LEADS_API_KEY: key };
let directory: string;
let file: string;
const closers: (() => unknown)[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'seed-'));
  file = join(directory, 'seed.json');
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  rmSync(directory, { recursive: true, force: true });
});

const serve = async (mutation: Mutation = {}): Promise<string> => {
  const service = await createService({ key }, mutation).start();
  closers.push(service.close);
  return service.url;
};

const run = async (args: readonly string[], env: Readonly<Record<string, string>> = environment) => {
  const child = runNode([bin, ...args], env);
  closers.push(() => child.process.kill('SIGKILL'));
  return { code: await child.ended, printed: () => child.stdout() + child.stderr() };
};

const templatesAt = async (url: string, apiKey: string): Promise<unknown> => {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${url}/api/v1/email/templates`, { headers });
  return ((await response.json()) as { data: unknown }).data;
};

/** The templates and leads of a mock that was started with the seed. */
const load = async () => {
  const mock = await startCommand(['--seed', file]);
  try {
    const state = await (await fetch(`${mock.url}/__admin/state`)).json();
    return {
      templates: await templatesAt(mock.url, 'test_key'),
      leads: (state as { leads: object[] }).leads,
    };
  } finally {
    mock.process.kill();
    await mock.ended;
  }
};

test('observe: the mock lists the same templates, and none of the leads that observe has deleted', async () => {
  const url = await serve();
  const flags = ['--allow-writes', '--only', 'lead.duplicate,templates', '--seed', file];
  const { code, printed } = await run(['observe', '--url', url, ...flags]);
  expect(code, printed()).toBe(0);
  expect(printed()).toContain(`Written: ${file}`);
  expect(await load()).toEqual({ templates: await templatesAt(url, key), leads: [] });
  expect(readFileSync(file, 'utf8')).not.toContain(key);
});

test('proxy, and check of its recording: also the leads that the app has left', async () => {
  const url = await serve();
  const recording = join(directory, 'run.har');
  const app = `
    const send = async (method, path, body) => (await fetch(process.env.EMAIL_LEADS_URL + '/api/v1' + path, {
      method, body: body && JSON.stringify(body),
      headers: { authorization: 'Bearer ${key}', 'content-type': 'application/json' },
    })).json();
    await send('GET', '/email/templates');
    const { data } = await send('POST', '/leads', { name: 'Gone', source: 'Webinar', note: '' });
    await send('DELETE', '/leads/' + data.lead_id);
    await send('POST', '/leads', { name: 'Lena', source: 'Webinar', note: 'stays' });`;
  const reports = ['--report-dir', join(directory, 'reports')];
  const command = ['--', process.execPath, '--input-type=module', '-e', app];
  const proxied = ['--upstream', url, '--port', '0', '--record', recording, '--seed', file, ...reports];
  const live = await run(['proxy', ...proxied, ...command]);
  expect(live.code, live.printed()).toBe(0);
  const fromProxy = await load();
  expect(fromProxy.templates).toEqual(await templatesAt(url, key));
  expect(fromProxy.leads).toMatchObject([{ name: 'Lena', note: 'stays' }]);
  rmSync(file);
  const again = await run(['check', recording, '--seed', file, ...reports]);
  expect(again.code, again.printed()).toBe(0);
  expect(await load()).toEqual(fromProxy);
  expect(readFileSync(file, 'utf8')).not.toContain(key);
});

test('a template that no seed can hold is named, and the others can be loaded', async () => {
  const url = await serve(
    inBody('listTemplates', (body) => ({
      ...body,
      data: (body.data as { id: string }[]).map((item, index) => (index === 0 ? { ...item, body: 7 } : item)),
    })),
  );
  const { printed } = await run(['observe', '--url', url, '--only', 'templates', '--seed', file]);
  expect(printed()).toMatch(/left out, because a seed needs an id, a name and a body: tpl_welcome/);
  const { templates } = await load();
  expect((templates as object[]).length).toBe(((await templatesAt(url, key)) as object[]).length - 1);
});

test('without templates and leads nothing is written, with exit code 2', async () => {
  const recording = join(directory, 'empty.har');
  writeFileSync(recording, JSON.stringify({ log: { version: '1.2', entries: [] } }));
  const { code, printed } = await run(['check', recording, '--seed', file, '--report', 'console']);
  expect(printed()).toMatch(/--seed .* was not written: no list of templates/);
  expect(code).toBe(2);
  expect(existsSync(file)).toBe(false);
});

test('a file that cannot be written ends the command before its first request', async () => {
  const { code, printed } = await run(['observe', '--seed', join(bin, 'seed.json')]);
  expect(code).toBe(2);
  expect(printed()).toMatch(/--seed .* cannot be written/);
});

test('the seed that a variable names for the mock is not overwritten', async () => {
  writeFileSync(file, '{"leads":[{"name":"Lena"}]}');
  const flags = ['--url', await serve(), '--only', 'templates'];
  const { code } = await run(['observe', ...flags], { ...environment, EMAIL_LEADS_SEED: file });
  expect(code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('{"leads":[{"name":"Lena"}]}');
});
