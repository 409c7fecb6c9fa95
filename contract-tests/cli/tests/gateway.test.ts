// Deployments behind a gateway that wants a client certificate and a header field.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startMock } from '../../../mock/index.ts';
import { bin, runNode } from '../../../mock/testing/cli-process.ts';
import { inBody } from '../../proof/server/mutation.ts';
import { createService } from '../../proof/server/server.ts';
import { gatewaySecret, startGateway } from '../../testing/gateway.ts';

const key = 'sk_live_4f9c1e7ab2d8463095be';
let directory: string;
const closers: (() => unknown)[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'behind-'));
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  rmSync(directory, { recursive: true, force: true });
});

/** A service that repeats the secret of the gateway where a reader sees it, and its gateway. */
const behindGateway = async () => {
  const service = await createService(
    { key },
    inBody('listTemplates', (body) => ({ ...body, message: gatewaySecret, error: [gatewaySecret] })),
  ).start();
  const gateway = await startGateway(service.url);
  closers.push(gateway.close, service.close);
  return gateway;
};

const run = (args: readonly string[], env: Readonly<Record<string, string>>) => {
  const child = runNode([bin, ...args], { PATH: process.env.PATH ?? '', ...env });
  closers.push(() => child.process.kill('SIGKILL'));
  return child;
};

const written = (): string =>
  readdirSync(directory, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n');

const reportTo = (): string[] => ['--report-dir', directory, '--report', 'console,json,html,junit,markdown'];

describe('contract', () => {
  test('passes it by its flags, and shows the value of the field nowhere', async () => {
    const { url, variables, counts } = await behindGateway();
    const keyFile = join(directory, '..', `${Date.now()}.key`);
    writeFileSync(keyFile, `${key}\n`);
    closers.push(() => rmSync(keyFile));
    const { EMAIL_LEADS_CLIENT_CERT: cert = '', EMAIL_LEADS_CLIENT_KEY: certKey = '' } = variables;
    const flags = ['--client-cert', cert, '--client-key', certKey, '--ca', variables.EMAIL_LEADS_CA ?? ''];
    const field = ['--header', `X-Gateway: ${gatewaySecret}`];
    const child = run(['contract', '--url', url, ...flags, ...field, ...reportTo()], {
      EMAIL_LEADS_API_KEY_FILE: keyFile,
    });
    expect(await child.ended, child.stderr()).toBe(1);
    expect(counts.refused).toBe(0);
    const output = child.stdout() + child.stderr() + written();
    expect(output).toContain('$EMAIL_LEADS_HEADER');
    expect(output).not.toContain(gatewaySecret);
    expect(output).not.toContain(key);
  });

  test('writes commands and scripts that pass it with the variables', async () => {
    const { url, variables, counts } = await behindGateway();
    const env = { ...variables, EMAIL_LEADS_API_KEY: key };
    const child = run(['contract', '--url', url, ...reportTo()], env);
    expect(await child.ended, child.stderr()).toBe(1);
    const report = JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8'));
    const { curl, replay } = report.checks.find(
      ({ finding, operation }: { finding?: object; operation?: string }) =>
        finding !== undefined && operation === 'listTemplates',
    ).finding;
    const passedBefore = counts.passed;
    for (const code of [curl, replay]) {
      // A value that contains a secret cannot be compared, which the script says by its exit code.
      const { stdout, exitCode } = await promisify(execFile)('sh', ['-c', code], {
        env: { PATH: process.env.PATH ?? '', ...env },
      }).then(
        (output) => ({ ...output, exitCode: 0 }),
        (error: { stdout: string; code: number }) => ({ stdout: error.stdout, exitCode: error.code }),
      );
      expect([0, 3]).toContain(exitCode);
      expect(stdout).toMatch(/HTTP\/1\.1 200/);
    }
    expect(counts.passed).toBeGreaterThan(passedBefore + 1);
    expect(counts.refused).toBe(0);
  });

  test('says what the gateway wants where it does not get it', async () => {
    const { url, variables } = await behindGateway();
    const { EMAIL_LEADS_CA: ca = '' } = variables;
    const without = run(['contract', '--url', url, '--ca', ca], { EMAIL_LEADS_API_KEY: key });
    expect(await without.ended).toBe(3);
    expect(without.stderr()).toContain('whether it wants a client certificate (--client-cert)');
    const { EMAIL_LEADS_CA: _, ...others } = variables;
    const insecure = run(['contract', '--url', url, '--insecure', ...reportTo()], {
      ...others,
      EMAIL_LEADS_API_KEY: key,
    });
    expect(await insecure.ended, insecure.stderr()).toBe(1);
    expect(insecure.stderr()).toContain('warning: --insecure: the certificate of localhost');
  });
});

test('observe passes it', async () => {
  const { url, variables, counts } = await behindGateway();
  const child = run(['observe', '--url', url, '--only', 'templates'], {
    ...variables,
    EMAIL_LEADS_API_KEY: key,
  });
  expect(await child.ended, child.stderr()).toBe(0);
  expect(child.stdout()).toContain('templates.list-path');
  expect(counts.refused).toBe(0);
});

test('proxy adds the fields for an app that knows nothing of the gateway', async () => {
  const { url, variables, counts } = await behindGateway();
  const app = `await fetch(process.env.EMAIL_LEADS_URL + '/api/v1/email/templates', { headers: { authorization: 'Bearer ${key}' } })`;
  const command = ['--', process.execPath, '--input-type=module', '-e', app];
  const child = run(['proxy', '--upstream', url, '--port', '0', ...reportTo(), ...command], variables);
  expect(await child.ended, child.stderr()).toBe(1);
  expect(counts).toMatchObject({ passed: 1, refused: 0 });
  expect(child.stdout() + child.stderr() + written()).not.toContain(gatewaySecret);
});

test('health passes it', async () => {
  const mock = await startMock();
  const gateway = await startGateway(mock.url);
  closers.push(gateway.close, mock.close);
  const child = run(['health', '--url', gateway.url, '--wait', '5s'], gateway.variables);
  expect(await child.ended, child.stderr()).toBe(0);
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
    const child = run(['contract', '--url', 'https://a.test', ...flags], {
      EMAIL_LEADS_API_KEY: key,
      ...env,
    });
    expect(await child.ended).toBe(2);
    expect(child.stderr().trimEnd()).toMatch(message);
    expect(child.stderr().trimEnd().split('\n')).toHaveLength(1);
    expect(child.stderr()).not.toMatch(/secret|sécret/);
  });
});
