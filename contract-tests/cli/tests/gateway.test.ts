// Deployments behind a gateway that wants a client certificate and a header field.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { followOutput } from '../../../mock/testing/cli-process.ts';
import { openLedgerFile } from '../../client/ledger-file.ts';
import { inBody } from '../../proof/server/mutation.ts';
import type { Report } from '../../reports/report.ts';
import {
  call,
  key,
  runInProcess,
  serve,
  startProxySession,
  temporaryDirectory,
  withKey,
} from '../../testing/command.ts';
import { gatewaySecret, startGateway } from '../../testing/gateway.ts';
import { runContractCommand } from '../contract.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});

/** A service that repeats the secret of the gateway where a reader sees it, and its gateway. */
const behindGateway = async () => {
  const { url } = await serve(
    inBody('listTemplates', (body) => ({ ...body, message: gatewaySecret, error: [gatewaySecret] })),
  );
  const gateway = await startGateway(url);
  onTestFinished(gateway.close);
  return gateway;
};

const runShell = (script: string, env: Record<string, string>) =>
  followOutput(spawn('sh', ['-c', script], { env, stdio: ['ignore', 'pipe', 'pipe'] }));

const written = (): string =>
  readdirSync(directory, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n');

/** Those that the service breaks among them. */
const only = ['--only', 'templates.list.success,templates.list.error,templates.list.message,failures'];
const reportTo = (): string[] => ['--report-dir', directory, '--report', 'console,json,html,junit,markdown'];

describe('contract', () => {
  test('passes it by its flags, shows its secret nowhere, and writes commands that pass it by variables', async () => {
    const { url, variables, counts } = await behindGateway();
    const keyFile = join(temporaryDirectory(), 'key');
    writeFileSync(keyFile, `${key}\n`);
    const { EMAIL_LEADS_CLIENT_CERT: cert, EMAIL_LEADS_CLIENT_KEY: certKey, EMAIL_LEADS_CA: ca } = variables;
    const flags = [`--client-cert=${cert}`, `--client-key=${certKey}`, `--ca=${ca}`];
    const args = ['--url', url, ...only, ...flags, '--header', `X-Gateway: ${gatewaySecret}`, ...reportTo()];
    const env = { EMAIL_LEADS_API_KEY_FILE: keyFile };
    const { code, text } = await runInProcess(runContractCommand, args, env);
    expect(code, text).toBe(1);
    expect(counts.refused).toBe(0);
    const output = text + written();
    expect(output).toContain('$EMAIL_LEADS_HEADER');
    expect(output).not.toContain(gatewaySecret);
    expect(output).not.toContain(key);

    const { checks } = JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8')) as Report;
    const finding = checks.find(({ id }) => id === 'templates.list.error')?.finding;
    const passedBefore = counts.passed;
    for (const script of [finding?.curl, finding?.replay]) {
      const shell = runShell(script ?? '', { PATH: process.env.PATH ?? '', ...variables, ...withKey });
      // A value that contains a secret cannot be compared, which the script says by its exit code.
      expect([0, 3]).toContain(await shell.ended);
      expect(shell.stdout()).toMatch(/HTTP\/1\.1 200/);
    }
    expect(counts.passed).toBeGreaterThan(passedBefore + 1);
    expect(counts.refused).toBe(0);
  });

  test('passes it to delete the leads on a ledger', async () => {
    const { url, variables, counts } = await behindGateway();
    const { path, note } = openLedgerFile({ directory, url, runId: 'abcd1234', redact: String });
    note('long-gone');
    const env = { ...variables, ...withKey };
    const { code, text } = await runInProcess(runContractCommand, ['--clean', path], env);
    expect(code, text).toBe(0);
    expect(counts.refused).toBe(0);
  });

  test('says what the gateway wants where it does not get it', async () => {
    const { url, variables } = await behindGateway();
    const { EMAIL_LEADS_CA: ca = '', ...others } = variables;
    const without = await runInProcess(runContractCommand, ['--url', url, '--ca', ca], withKey);
    expect(without.code).toBe(3);
    expect(without.stderr).toContain('whether it wants a client certificate (--client-cert)');
    const flags = ['--url', url, '--insecure', ...only];
    const insecure = await runInProcess(runContractCommand, flags, { ...others, ...withKey });
    expect(insecure.code, insecure.stderr).toBe(1);
    expect(insecure.stderr).toContain('warning: --insecure: the certificate of localhost');
  });
});

test('proxy adds the fields for an app that knows nothing of the gateway', async () => {
  const { url, variables, counts } = await behindGateway();
  const proxy = await startProxySession(url, reportTo(), variables);
  await call(proxy.url, 'GET', '/email/templates');
  await proxy.end();
  expect(await proxy.ended, proxy.text()).toBe(1);
  expect(counts).toMatchObject({ passed: 1, refused: 0 });
  expect(proxy.text() + written()).not.toContain(gatewaySecret);
});

describe('a flag that cannot work is one line and exit 2, without its value', () => {
  test.each<[string[], Record<string, string>, RegExp]>([
    [['--header', 'Authorization: secret'], {}, /must not replace Authorization: it carries/],
    [['--header', 'content-type: secret'], {}, /must not replace content-type: each request sets it/],
    [['--header', 'secret'], {}, /does not begin with its name/],
    [['--header', 'X-A:'], {}, /--header X-A has no value/],
    [['--header', 'X-A: sécret'], {}, /a character that no header may contain/],
    [['--header', 'X-A: 1', '--header', 'x-a: secret'], {}, /is given twice/],
    [['--client-cert', 'a.pem'], {}, /belong together: give both/],
    [['--ca', 'none.pem'], {}, /--ca none\.pem does not exist/],
    [['--ca', import.meta.filename], {}, /contains no certificate in PEM/],
    [[], { EMAIL_LEADS_API_KEY_FILE: 'none' }, /are both set: keep one/],
  ])('%j %j', async (flags, env, message) => {
    const args = ['--url', 'https://a.test', ...flags];
    const { code, text } = await runInProcess(runContractCommand, args, { ...withKey, ...env });
    expect(code).toBe(2);
    expect(text).toMatch(message);
    expect(text.split('\n')).toHaveLength(1);
    expect(text).not.toMatch(/secret|sécret/);
  });
});
