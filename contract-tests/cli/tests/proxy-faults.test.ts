// `proxy --faults` as its users run it: it shows the retry bug of a client, and never blames the server for what it injects.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { inData } from '../../proof/server/mutation.ts';
import type { Mutation } from '../../proof/server/types.ts';
import type { ExchangePage } from '../../proxy/journal.ts';
import { key, runInProcess, serve, startProxySession, temporaryDirectory } from '../../testing/command.ts';
import { runCheckCommand } from '../check.ts';

let directory: string;
let har: string;
let faults: string;

beforeEach(() => {
  directory = temporaryDirectory();
  [har, faults] = [join(directory, 'run.har'), join(directory, 'faults.json')];
});

const start = async (rules: readonly object[], mutation: Mutation = {}) => {
  const service = await serve(mutation);
  writeFileSync(faults, JSON.stringify({ rules }));
  const flags = ['--faults', faults, '--record', har, '--report-dir', directory];
  return { service, ...(await startProxySession(service.url, flags)) };
};

const checkRecording = () => runInProcess(runCheckCommand, [har, '--report-dir', directory]);

/** A client that sends a request again if its connection breaks or the response is a server error, also a POST. */
const send = async (url: string, method: string, path: string, body: object, tries = 2): Promise<string> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  // On a connection of its own, on which no client library repeats it.
  const sent = request(`${url}/api/v1${path}`, { method, headers, agent: false }).end(JSON.stringify(body));
  const [response] = await once(sent, 'response').catch((error: Error) => [error]);
  if (!(response instanceof Error) && (response.statusCode < 500 || tries === 1)) return await text(response);
  if (tries === 1) throw response;
  return await send(url, method, path, body, tries - 1);
};

const lead = { name: 'Lena Fischer', source: 'web', note: 'Met at the fair' };

const journalOf = async (url: string): Promise<ExchangePage['requests']> =>
  ((await (await fetch(`${url}/__proxy/requests`)).json()) as ExchangePage).requests;

test('a lost response shows that a client adds a lead twice, and is no finding', async () => {
  const { url, service, end, ended, stdout } = await start([
    { operation: 'addLead', fault: 'CONNECTION_RESET_BY_PEER', take_effect: true, times: 1 },
  ]);
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
  expect(await end()).toMatchObject({ traffic: { judged: 3, broken: 0, injected: { [lost]: 1 } } });
  expect(await ended).toBe(0);
  expect(stdout()).toMatch(/^~ [\d:]{8} POST \/api\/v1\/leads → 200: fault rule 1: CONNECTION_RESET/m);
  expect(stdout()).toContain(`injected: 1 by ${lost}`);
  expect(stdout()).not.toContain('✗');

  const check = await checkRecording();
  expect(check.code, check.stderr).toBe(0);
  expect(check.stdout).toContain('3 exchanges checked, 0 of them broken');
  expect(check.stdout).toContain(`injected: 1 by ${lost}`);
});

test('a failure of the proxy is no finding; what the server does wrong beside it still is', async () => {
  const wrongNote = inData('updateLead', (data) => ({ ...data, note: 'another note' }));
  const { url, service, end, ended } = await start(
    [
      { operation: 'addLead', status: 500, body: '<h1>oops</h1>', times: 1 },
      { operation: 'updateLead', status: 504, take_effect: true },
    ],
    wrongNote,
  );
  const added = JSON.parse(await send(url, 'POST', '/leads', lead));
  expect(service.leads()).toBe(1);
  await send(url, 'PUT', `/leads/${added.data.lead_id}`, { note: 'Called back' }, 1);
  const journal = await journalOf(url);
  expect(journal.map(({ status, verdict, findings }) => [status, verdict, findings[0]?.check])).toEqual([
    [200, 'fail', 'leads.update.echoes-note'],
    [200, 'pass', undefined],
    [500, 'skipped', undefined],
  ]);
  expect(await end()).toMatchObject({
    traffic: { judged: 2, broken: 1, skip_reasons: { 'answered by a fault rule of the proxy': 1 } },
  });
  expect(await ended).toBe(1);

  const recorded = JSON.parse(readFileSync(har, 'utf8'));
  expect(recorded.log.entries[0]._injected).toEqual({ effect: 'answered', what: 'fault rule 1: 500' });
  const check = await checkRecording();
  expect(check.code).toBe(1);
  expect(check.stdout).toContain('2 exchanges checked, 1 of them broken');
  expect(check.stdout).toContain('not checked: 1 answered by a fault rule of the proxy');
});
