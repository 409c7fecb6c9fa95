// Keys in what a command gets from others than the deployment: no output contains a part of them.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { placeholder } from '../../mock/contract/redaction.ts';
import { bin, runNode } from '../../mock/testing/cli-process.ts';
import { usualChecks } from '../checks/index.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { runContract } from '../proof/suite-result.ts';
import { summarise } from '../runner/summary.ts';
import { serve, startProxySession, temporaryDirectory } from '../testing/command.ts';
import { keyOf, shownParts } from '../testing/leaks.ts';

test('keys in the traffic of the proxy, in any header that Node.js accepts', async () => {
  const directory = temporaryDirectory();
  const reports = ['--report', 'console,json,junit,html,markdown,github', '--report-dir', directory];
  const server = createServer({ maxHeaderSize: 2 ** 20 }, ({ headers, url }, response) => {
    const said = `${headers.authorization} ${url}`;
    const list = { success: true, error: '', message: said, data: [{ id: said, [said]: said }] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { url, end, ended, text: printed } = await startProxySession(upstream, reports);
  const [key, other] = [keyOf(120_000), keyOf(5000)];
  for (const [authorization, path] of [
    ...[`Bearer ${key}`, 'Bearer', `Basic ${key}`, 'Bearer é\tü ~', key].map((field) => [
      field,
      'email/templates',
    ]),
    [`Bearer ${other}`, other],
  ]) {
    const [response] = await once(
      request(`${url}/api/v1/${path}`, { headers: { authorization } }).end(),
      'response',
    );
    await text(response);
  }
  await end();
  expect([1, 3]).toContain(await ended);
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const outputs = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  expect(outputs.length).toBeGreaterThan(3);
  for (const output of [printed(), ...outputs])
    for (const sent of [key, other]) expect(shownParts(sent, output)).toEqual([]);
});

// Thrown outside of every promise, as soon as the command handles such errors.
const fault = `data:text/javascript,${encodeURIComponent(`
  const timer = setInterval(() => {
    if (process.listenerCount('uncaughtException') === 0) return;
    clearInterval(timer);
    throw new Error('of ' + process.env.EMAIL_LEADS_API_KEY);
  }, 1);`)}`;

test.each([
  ['an unknown command', 2, [bin, keyOf(60)]],
  [
    'an uncaught error of proxy',
    3,
    ['--import', fault, bin, 'proxy', '--upstream', 'http://a.test', '--port', '0'],
  ],
  ['an uncaught error of mock', 1, ['--import', fault, bin, 'mock', '--port', '0']],
])('the key in %s', async (_, code, args) => {
  const child = runNode(args, { PATH: process.env.PATH ?? '', EMAIL_LEADS_API_KEY: keyOf(60) });
  onTestFinished(() => void child.process.kill('SIGKILL'));
  expect(await child.ended).toBe(code);
  const printed = child.stdout() + child.stderr();
  expect(printed).toContain(placeholder);
  expect(shownParts(keyOf(60), printed)).toEqual([]);
});

test.each(['success', 'a', '"'])('a key that is part of other texts changes no verdict: %s', async (key) => {
  const service = await serve({}, { key });
  const ofLongKeys =
    /near-miss|other-case|shortened|other-last|other-first|dash-underscore|keeps-|survives|lasts|removes/;
  const some = usualChecks.filter(({ id }) => !ofLongKeys.test(id));
  const result = await runContract({ ...service, permissions: everythingPermitted, checks: some });
  const others = result.verdicts.filter(({ status }) => status !== 'pass');
  expect(others.map(({ check, reason }) => [check.id, reason])).toEqual([]);
  expect(summarise(result, true).exitCode).toBe(0);
});
