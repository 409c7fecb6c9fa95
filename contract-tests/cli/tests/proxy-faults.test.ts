// `proxy --faults` as its users run it: it shows the retry bug of a client, and never blames the server for what it injects.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { inData } from '../../proof/server/mutation.ts';
import type { Mutation } from '../../proof/server/types.ts';
import type { ExchangePage } from '../../proxy/journal.ts';
import { key, runInProcess, serve, startProxySession, temporaryDirectory } from '../../testing/command.ts';
import { runCheckCommand } from '../check.ts';

const directory = temporaryDirectory();
const [har, faults] = [join(directory, 'run.har'), join(directory, 'faults.json')];

const start = async (rules: readonly object[], mutation: Mutation = {}) => {
  const service = await serve(mutation);
  writeFileSync(faults, JSON.stringify({ rules }));
  const flags = ['--faults', faults, '--record', har, '--report-dir', directory];
  return { service, ...(await startProxySession(service.url, flags)) };
};

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

test('a lost response shows that a client adds a lead twice, and is no finding; what the server does wrong beside it still is', async () => {
  const wrongNote = inData('updateLead', (data) => ({ ...data, note: 'another note' }));
  const { url, service, end, ended, stdout } = await start(
    [
      { operation: 'addLead', fault: 'CONNECTION_RESET_BY_PEER', take_effect: true, times: 1 },
      { operation: 'addLead', status: 500, body: '<h1>oops</h1>', nth: 3 },
      { operation: 'updateLead', status: 504, take_effect: true },
    ],
    wrongNote,
  );
  const added = JSON.parse(await send(url, 'POST', '/leads', lead));
  await send(url, 'PUT', `/leads/${added.data.lead_id}`, { note: 'Called back' }, 1);
  expect(service.leads()).toBe(2);
  await send(url, 'POST', '/leads', lead, 1);
  const lost = 'fault rule 1: CONNECTION_RESET_BY_PEER in place of the response';
  const { requests } = (await (await fetch(`${url}/__proxy/requests`)).json()) as ExchangePage;
  expect(
    requests.map(({ status, verdict, findings, injected }) => [
      status,
      verdict,
      findings[0]?.check,
      injected,
    ]),
  ).toEqual([
    [500, 'skipped', undefined, 'fault rule 2: 500'],
    [200, 'fail', 'leads.update.echoes-note', expect.stringContaining('fault rule 3: 504')],
    [200, 'pass', undefined, null],
    [200, 'pass', undefined, lost],
  ]);
  const skipped = 'answered by a fault rule of the proxy';
  expect(await end()).toMatchObject({
    traffic: { judged: 3, broken: 1, injected: { [lost]: 1 }, skip_reasons: { [skipped]: 1 } },
  });
  expect(await ended).toBe(1);
  expect(stdout()).toMatch(/^~ [\d:]{8} POST \/api\/v1\/leads → 200: fault rule 1: CONNECTION_RESET/m);
  const check = await runInProcess(runCheckCommand, [har, '--report-dir', directory]);
  expect(check.code).toBe(1);
  for (const said of ['3 exchanges checked, 1 of them broken', `by ${lost}`, `not checked: 1 ${skipped}`])
    expect(check.stdout).toContain(said);
});
