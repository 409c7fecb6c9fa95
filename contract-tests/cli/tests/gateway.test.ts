// Deployments behind a gateway that wants a client certificate and a header field, whose secret no output shows.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInProcess } from '../../../mock/testing/in-process.ts';
import { selfSigned } from '../../../mock/testing/self-signed.ts';
import { serve as serveHttp, temporaryDirectory, temporaryFile } from '../../../mock/testing/temporary.ts';
import { openLedgerFile } from '../../client/ledger.ts';
import { inBody } from '../../proof/server/mutation.ts';
import type { Report } from '../../reports/report.ts';
import { call, filesIn, key, serve, startProxySession, withKey } from '../../testing/command.ts';
import { runContractCommand } from '../contract.ts';

const secret = 'gw-4c1f00d5ecret77';

const directory = temporaryDirectory();

/** A service that repeats the secret where a reader sees it, behind its gateway; and the variables with which a command passes it. */
const startGateway = async () => {
  const { url } = await serve(
    inBody('listTemplates', (body) => ({ ...body, message: secret, error: [secret] })),
  );
  const { hostname, port } = new URL(url);
  const [own, client] = [selfSigned(), selfSigned('client')];
  const counts = { passed: 0, refused: 0 };
  const certificates = { ...own, requestCert: true, rejectUnauthorized: true, ca: client.cert };
  const gateway = await serveHttp((req, res) => {
    const { 'x-gateway': sent, ...headers } = req.headers;
    counts[sent === secret ? 'passed' : 'refused'] += 1;
    // A refusal repeats the field, as some do.
    if (sent !== secret) return res.writeHead(403).end(`<title>${String(sent)}</title>`);
    const onward = request({ hostname, port, method: req.method, path: req.url, headers }, (response) => {
      res.writeHead(response.statusCode ?? 502, { ...response.headers, 'x-seen': secret });
      response.pipe(res);
    });
    return req.pipe(onward.on('error', () => res.destroy()));
  }, certificates);
  const variables = {
    EMAIL_LEADS_HEADER: `X-Gateway: ${secret}\nX-Team: qa`,
    EMAIL_LEADS_CLIENT_CERT: temporaryFile(client.cert),
    EMAIL_LEADS_CLIENT_KEY: temporaryFile(client.key),
    EMAIL_LEADS_CA: temporaryFile(own.cert),
  };
  return { url: gateway, variables, counts };
};

/** Those that the service breaks among them. */
const only = ['--only', 'templates.list.success,templates.list.error,templates.list.message,failures'];
const reportTo = (): string[] => ['--report-dir', directory, '--report', 'console,json,html,junit,markdown'];

test('contract passes it by its flags; its scripts and --clean by variables', async () => {
  const { url, variables, counts } = await startGateway();
  const { EMAIL_LEADS_CLIENT_CERT: cert, EMAIL_LEADS_CLIENT_KEY: certKey, EMAIL_LEADS_CA: ca } = variables;
  const flags = [`--client-cert=${cert}`, `--client-key=${certKey}`, `--ca=${ca}`];
  const args = ['--url', url, ...only, ...flags, '--header', `X-Gateway: ${secret}`, ...reportTo()];
  const env = { EMAIL_LEADS_API_KEY_FILE: temporaryFile(`${key}\n`) };
  const { code, text } = await runInProcess(runContractCommand, args, env);
  expect(code, text).toBe(1);
  const output = text + filesIn(directory).join();
  expect(output).toContain('$EMAIL_LEADS_HEADER');
  for (const hidden of [secret, key]) expect(output).not.toContain(hidden);

  const { checks } = JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8')) as Report;
  const { replay = '' } = checks.find(({ id }) => id === 'templates.list.error')?.finding ?? {};
  const { passed } = counts;
  const shellEnv = { PATH: process.env.PATH ?? '', ...variables, ...withKey };
  const shown = await new Promise((resolve) => {
    execFile('sh', ['-c', replay], { env: shellEnv }, (_, stdout) => resolve(stdout));
  });
  expect(shown).toMatch(/HTTP\/1\.1 200/);
  expect(counts.passed).toBeGreaterThan(passed);

  const { path, note } = openLedgerFile(directory, { url, runId: 'abcd1234' }, String);
  note('long-gone');
  const cleaned = await runInProcess(runContractCommand, ['--clean', path], { ...variables, ...withKey });
  expect(cleaned.code, cleaned.text).toBe(0);
  expect(counts.refused).toBe(0);
});

test('contract says what the gateway wants where it does not get it', async () => {
  const { url, variables } = await startGateway();
  const { EMAIL_LEADS_CA: ca = '', ...others } = variables;
  const without = await runInProcess(runContractCommand, ['--url', url, '--ca', ca], withKey);
  expect(without.code).toBe(3);
  expect(without.stdout).toContain('whether it wants a client certificate (--client-cert)');
  const flags = ['--url', url, '--insecure', ...only];
  const insecure = await runInProcess(runContractCommand, flags, { ...others, ...withKey });
  expect(insecure.code, insecure.stderr).toBe(1);
  expect(insecure.stderr).toContain('warning: --insecure: the certificate of localhost');
});

test('proxy adds the fields for an app that knows nothing of the gateway', async () => {
  const { url, variables, counts } = await startGateway();
  const proxy = await startProxySession(url, reportTo(), variables);
  await call(proxy.url, 'GET', '/email/templates');
  await proxy.end();
  expect(await proxy.ended, proxy.text()).toBe(1);
  expect(counts).toMatchObject({ passed: 1, refused: 0 });
  expect(proxy.text() + filesIn(directory).join()).not.toContain(secret);
});
