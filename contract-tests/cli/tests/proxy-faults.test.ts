// `proxy --faults` as its users run it: it shows the retry bug of a client, and never blames the server for what it injects.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bin, type Child, runNode } from '../../../mock/testing/cli-process.ts';
import { onSuccess } from '../../proof/server/mutation.ts';
import { createService } from '../../proof/server/server.ts';
import type { Mutation, RunningDeployment } from '../../proof/server/types.ts';
import type { ExchangePage } from '../../proxy/journal.ts';

const key = 'sk_live_4f9c1e7ab2d8463095be';
let directory: string;
const closers: (() => unknown)[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'faults-'));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  rmSync(directory, { recursive: true, force: true });
});

type Running = { readonly service: RunningDeployment; readonly child: Child; readonly url: string };

const start = async (rules: readonly object[], mutation: Mutation = {}): Promise<Running> => {
  const service = await createService({ key }, mutation).start();
  closers.push(service.close);
  const file = join(directory, 'faults.json');
  writeFileSync(file, JSON.stringify({ rules }));
  const child = run('proxy', '--upstream', service.url, '--port', '0', '--faults', file, '--record', har());
  return { service, child, url: await child.printed(/(http:\/\/127\.0\.0\.1:\d+) forwards to/) };
};

const har = (): string => join(directory, 'run.har');

const run = (...args: readonly string[]): Child => {
  const child = runNode([bin, ...args, '--report-dir', directory], { PATH: process.env.PATH ?? '' });
  closers.push(() => child.process.kill('SIGKILL'));
  return child;
};

/** Ends the session; returns its report. */
const end = async ({ url, child }: Running): Promise<{ readonly traffic: object }> => {
  const report = await (await fetch(`${url}/__admin/report`, { method: 'POST' })).json();
  await child.ended;
  return report as { readonly traffic: object };
};

/** A client that sends a request again if its connection breaks or the response is a server error, also a POST. */
const send = async (url: string, method: string, path: string, body: object, tries = 2): Promise<string> => {
  try {
    const [status, text] = await sendOnce(`${url}/api/v1${path}`, method, JSON.stringify(body));
    if (status < 500 || tries === 1) return text;
  } catch (error) {
    if (tries === 1) throw error;
  }
  return send(url, method, path, body, tries - 1);
};

const sendOnce = (url: string, method: string, body: string): Promise<[number, string]> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    request(url, { method, headers, agent: false }, async (res) =>
      resolve([res.statusCode ?? 0, Buffer.concat(await res.toArray()).toString()]),
    )
      .on('error', reject)
      .end(body);
  });

const lead = { name: 'Lena Fischer', source: 'web', note: 'Met at the fair' };

const journalOf = async (url: string): Promise<ExchangePage['requests']> =>
  ((await (await fetch(`${url}/__proxy/requests`)).json()) as ExchangePage).requests;

test('a lost response shows that a client adds a lead twice, and is no finding', async () => {
  const running = await start([
    { operation: 'addLead', fault: 'CONNECTION_RESET_BY_PEER', take_effect: true, times: 1 },
  ]);
  const { url, service, child } = running;
  const added = JSON.parse(await send(url, 'POST', '/leads', lead));
  await send(url, 'PUT', `/leads/${added.data.lead_id}`, { note: 'Called back' });
  expect(service.leads()).toBe(2);
  const lost = 'fault rule 1: CONNECTION_RESET_BY_PEER in place of the response';
  const journal = await journalOf(url);
  expect(
    journal.map(({ operation, status, verdict, injected }) => [operation, status, verdict, injected]),
  ).toEqual([
    ['updateLead', 200, 'pass', null],
    ['addLead', 200, 'pass', null],
    ['addLead', 200, 'pass', lost],
  ]);
  const { traffic } = await end(running);
  expect(traffic).toMatchObject({ judged: 3, broken: 0, injected: { [lost]: 1 } });
  expect(await child.ended, child.stderr()).toBe(0);
  expect(child.stdout()).toMatch(/^~ [\d:]{8} POST \/api\/v1\/leads → 200: fault rule 1: CONNECTION_RESET/m);
  expect(child.stdout()).toContain(`injected: 1 by ${lost}`);
  expect(child.stdout()).not.toContain('✗');

  const check = run('check', har());
  expect(await check.ended, check.stderr()).toBe(0);
  expect(check.stdout()).toContain('3 exchanges checked, 0 of them broken');
  expect(check.stdout()).toContain(`injected: 1 by ${lost}`);
});

test('a failure of the proxy is no finding; what the server does wrong beside it still is', async () => {
  const wrongNote = onSuccess('updateLead', (reply) => ({
    ...reply,
    body: { ...reply.body, data: { ...(reply.body.data as object), note: 'another note' } },
  }));
  const running = await start(
    [
      { operation: 'addLead', status: 500, body: '<h1>oops</h1>', times: 1 },
      { operation: 'updateLead', status: 504, take_effect: true },
    ],
    wrongNote,
  );
  const { url, child, service } = running;
  const added = JSON.parse(await send(url, 'POST', '/leads', lead));
  expect(service.leads()).toBe(1);
  await send(url, 'PUT', `/leads/${added.data.lead_id}`, { note: 'Called back' }, 1);
  const journal = await journalOf(url);
  expect(journal.map(({ status, verdict, findings }) => [status, verdict, findings[0]?.check])).toEqual([
    [200, 'fail', 'leads.update.echoes-note'],
    [200, 'pass', undefined],
    [500, 'skipped', undefined],
  ]);
  const { traffic } = await end(running);
  expect(traffic).toMatchObject({
    judged: 2,
    broken: 1,
    skip_reasons: { 'answered by a fault rule of the proxy': 1 },
  });
  expect(await child.ended).toBe(1);

  const recorded = JSON.parse(readFileSync(har(), 'utf8'));
  expect(recorded.log.entries[0]._injected).toEqual({ effect: 'answered', what: 'fault rule 1: 500' });
  const check = run('check', har());
  expect(await check.ended).toBe(1);
  expect(check.stdout()).toContain('2 exchanges checked, 1 of them broken');
  expect(check.stdout()).toContain('not checked: 1 answered by a fault rule of the proxy');
});

test('a file that is none of fault rules is refused before the proxy starts', async () => {
  const file = join(directory, 'faults.json');
  writeFileSync(file, '{"rules":[{"operation":"addLead","status":503,"nth":0}]}');
  const child = run('proxy', '--upstream', 'http://127.0.0.1:1', '--port', '0', '--faults', file);
  expect(await child.ended).toBe(2);
  expect(child.stderr()).toContain(`--faults ${file}: /rules/0/nth must be`);
});
