import manifest from '../../package.json' with { type: 'json' };
import { isLoopback } from '../contract/loopback.ts';
import { printableLines } from '../contract/printable.ts';
import { sh } from '../contract/shell.ts';
import { UsageError } from '../contract/system-errors.ts';
import { startServer } from '../server/server.ts';
import { bounds, hostSchema, logStyles, type MockOptions, originSchema } from '../service/options.ts';
import { compileJsonSchema } from '../validation/json-schema.ts';
import { answersOfFlags, command, flag, listFlag, numberFlag, runCommand, switchFlag } from './flags.ts';

/** The text printed at the start. A key that does not begin with `test_` may be real and is replaced by a variable. */
export const banner = (
  url: string,
  { host, acceptKey, admin, allowedHost }: Pick<Flags, 'host' | 'acceptKey' | 'admin' | 'allowedHost'>,
): string => {
  const isAny = acceptKey.length === 0;
  const key = isAny ? 'test_key' : acceptKey.find((accepted) => accepted.startsWith('test_'));
  const authorization =
    key === undefined
      ? sh`"Authorization: Bearer $EMAIL_LEADS_API_KEY"`
      : sh`${`Authorization: Bearer ${key}`}`;
  const rule = isAny ? '  (any test_… works; each has its own workspace)' : '';
  return [
    `email-leads mock ${manifest.version}: nothing is sent, everything is captured`,
    '',
    `  Base URL   ${url}`,
    `  API key    ${key ?? 'one that you gave with --accept-key'}${rule}`,
    ...(admin ? [`  Outbox     ${url}/  (web page; JSON at /__admin/outbox)`] : []),
    `  Reference  ${url}/docs`,
    ...(isLoopback(host) ? [] : [`  Listening on ${host}: ${exposureWarning(admin, allowedHost)}`]),
    '',
    'Try it:',
    sh`  curl -X POST ${`${url}/api/v1/leads`} -H ${authorization} -H 'Content-Type: application/json' \\
    -d '{"name":"Lena Fischer","source":"Webinar","note":"Call back after 17:00"}'`.code,
    '',
  ].join('\n');
};

const exposureWarning = (admin: boolean, allowedHosts: readonly string[]): string => {
  const outbox =
    allowedHosts.length > 0 ? ' and reads its outbox' : ', but not its outbox (see --allowed-host)';
  return `everyone who reaches this machine reaches the mock${admin ? outbox : ''}.`;
};

type Flags = Omit<MockOptions, 'acceptKeys' | 'answers' | 'allowedHosts' | 'allowedOrigins'> & {
  readonly port: number;
  readonly host: string;
  readonly acceptKey: string[];
  readonly answer: string[];
  readonly allowedHost: string[];
  readonly allowedOrigin: string[];
  readonly admin: boolean;
};

export const definition = () =>
  command(
    'email-leads mock',
    'Run a local mock of the Email and Leads service. No email is ever sent.',
    'email-leads mock --seed leads.yaml --answer lead.duplicate=rejected',
  )
    .optionsGroup('Address and access:')
    .addOption(numberFlag('--port <number>', 'port to listen on, 0 for any', 4010, bounds.port))
    .addOption(flag('--host <address>', 'address to listen on').default('127.0.0.1'))
    .addOption(listFlag('--accept-key <key>', 'accept only this key (repeatable)', 'every key test_…'))
    .addOption(listFlag('--allowed-host <name>', help.allowedHost))
    .addOption(listFlag('--allowed-origin <origin>', 'origin that may call the admin API (repeatable)'))
    .addOption(flag('--tls-cert <file>', 'serve HTTPS with this certificate, in PEM'))
    .addOption(flag('--tls-key <file>', 'the key of the certificate'))
    .addOption(switchFlag('--no-admin', 'disable the admin API and the page'))
    .optionsGroup('Behaviour:')
    .addOption(flag('--seed <file>', 'initial state of every workspace, JSON or YAML'))
    .addOption(flag('--state <file>', help.state))
    .addOption(flag('--profile <file>', 'behave like the deployment of this profile'))
    .addOption(listFlag('--answer <id=value>', help.answer))
    .addOption(numberFlag('--delay <ms>', 'delay every response to an accepted key', 0, bounds.delay))
    .optionsGroup('Limits and output:')
    .addOption(numberFlag('--outbox-limit <number>', help.outboxLimit, 1000, bounds.outboxLimit))
    .addOption(flag('--log <style>', 'format of the request log').choices(logStyles).default('pretty'));

const help = {
  allowedHost: 'host name under which other machines may call the admin API (repeatable)',
  state: 'keep all workspaces over restarts in this file; of keys other than test_… it has digests only',
  answer: 'set the answer to an open question (repeatable; overrides the profile)',
  outboxLimit: 'maximum number of messages per key',
};

/** `email-leads mock`: runs until SIGINT or SIGTERM. Exit codes: 0 stopped, 2 could not start, or not write its last state. */
export const runMock = (argv: readonly string[]): Promise<number> =>
  runCommand(async () => {
    const flags = definition().parse(argv, { from: 'user' }).opts<Flags>();
    const { url, close } = await start(flags);
    const listening = JSON.stringify({ event: 'listening', url });
    console.log(printableLines(flags.log === 'json' ? listening : banner(url, flags)));
    // The reader of the log may exit (`| head`); the mock continues.
    process.stdout.on('error', () => undefined);
    await waitForStopSignal();
    await close().catch((error: Error) => {
      throw new UsageError(error.message);
    });
    return 0;
  });

const start = async (flags: Flags) => {
  const { acceptKey, answer, allowedHost, allowedOrigin, ...options } = flags;
  for (const host of allowedHost) checkForm('--allowed-host', host, hostSchema);
  for (const origin of allowedOrigin) checkForm('--allowed-origin', origin, originSchema);
  const access = { acceptKeys: acceptKey, allowedHosts: allowedHost, allowedOrigins: allowedOrigin };
  const answers = answersOfFlags(answer);
  try {
    return await startServer({ ...options, ...access, answers });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const url = `http${flags.tlsCert === undefined ? '' : 's'}://${flags.host === '0.0.0.0' ? '127.0.0.1' : flags.host}:${flags.port}`;
    const isMock =
      code === 'EADDRINUSE' && (await (await import('./health.ts')).checkHealth(url, 500)) === undefined;
    throw new UsageError(
      `the mock cannot start: ${message}${isMock ? '. A mock of email-leads already listens there' : ''}`,
    );
  }
};

/** @throws UsageError for a value that is not of the form in the schema */
const checkForm = (name: string, value: string, schema: typeof originSchema | typeof hostSchema): void => {
  if (compileJsonSchema(schema)(value) === undefined) return;
  throw new UsageError(`${name} ${value}: write it as ${schema['x-form']}`);
};

/** Waits for a signal. The first one stops the mock gracefully, a second one immediately. */
const waitForStopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    const signals = ['SIGINT', 'SIGTERM'] as const;
    const stop = (): void => {
      for (const signal of signals) process.once(signal, () => process.exit(130)).off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
