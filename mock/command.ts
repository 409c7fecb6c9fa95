import { banner } from './banner.ts';
import { command, flag, listFlag, runCommand, switchedOn, UsageError, wholeNumber } from './flags.ts';
import { bounds, isOrigin } from './program/mock-options.ts';
import { type MockServer, startServer } from './server.ts';

type Flags = {
  port: number;
  host: string;
  acceptKey: string[];
  profile?: string;
  seed?: string;
  answer: string[];
  outboxLimit: number;
  delay: number;
  allowedHost: string[];
  allowedOrigin: string[];
  log: 'pretty' | 'json' | 'silent';
  admin: boolean;
};

const definition = () =>
  command('email-leads mock', 'A local stand-in for the Email and Leads service. Nothing is ever sent.')
    .addOption(
      flag('--port <number>', 'port to listen on, 0 for any')
        .default(4010)
        .argParser(wholeNumber(...bounds.port)),
    )
    .addOption(flag('--host <address>', 'address to listen on').default('127.0.0.1'))
    .addOption(
      listFlag('--accept-key <key>', 'accept this key only (repeatable); otherwise every key test_…'),
    )
    .addOption(flag('--seed <file>', 'what every workspace starts from and resets to, JSON or YAML'))
    .addOption(flag('--profile <file>', 'answer as the deployment did that this profile was observed on'))
    .addOption(listFlag('--answer <id=value>', 'answer an open question (repeatable; wins over the profile)'))
    .addOption(
      flag('--outbox-limit <number>', 'messages kept per key')
        .default(1000)
        .argParser(wholeNumber(...bounds.outboxLimit)),
    )
    .addOption(
      flag('--delay <ms>', 'let every reply wait')
        .default(0)
        .argParser(wholeNumber(...bounds.delay)),
    )
    .addOption(
      listFlag('--allowed-host <name>', 'host name under which the admin API may be called (repeatable)'),
    )
    .addOption(
      listFlag('--allowed-origin <origin>', 'origin whose pages may call the admin API (repeatable)'),
    )
    .addOption(
      flag('--log <style>', 'what to print of each request')
        .choices(['pretty', 'json', 'silent'])
        .default('pretty'),
    )
    .option('--no-admin', 'leave out /__admin')
    .addHelpText(
      'after',
      '\nEvery flag has an environment twin: EMAIL_LEADS_PORT for --port. The flag wins.',
    );

/** `email-leads mock`: runs until SIGINT or SIGTERM. Exit codes: 0 stopped, 2 could not start. */
export const runMock = (argv: readonly string[]): Promise<number> =>
  runCommand(async () => {
    const flags = definition().parse(argv, { from: 'user' }).opts<Flags>();
    const admin = !switchedOn(!flags.admin, '--no-admin', process.env);
    const mock = await start({ ...flags, admin });
    console.log(
      flags.log === 'json'
        ? JSON.stringify({ event: 'listening', url: mock.url })
        : banner({ url: mock.url, host: flags.host, acceptKeys: flags.acceptKey, admin }),
    );
    // Whoever read the log may leave (`| head`); the mock stays.
    process.stdout.on('error', () => undefined);
    await stopped();
    await mock.close();
    return 0;
  });

const start = async (flags: Flags): Promise<MockServer> => {
  try {
    return await startServer({
      port: flags.port,
      host: flags.host,
      ...(flags.acceptKey.length === 0 ? {} : { acceptKeys: flags.acceptKey }),
      ...(flags.seed === undefined ? {} : { seed: flags.seed }),
      ...(flags.profile === undefined ? {} : { profile: flags.profile }),
      answers: parseAnswers(flags.answer),
      outboxLimit: flags.outboxLimit,
      delay: flags.delay,
      allowedHosts: flags.allowedHost,
      allowedOrigins: flags.allowedOrigin.map(origin),
      admin: flags.admin,
      log: flags.log,
    });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`the mock cannot start: ${reason(error as NodeJS.ErrnoException, flags)}`);
  }
};

const origin = (given: string): string => {
  if (isOrigin(given)) return given;
  throw new UsageError(`--allowed-origin ${given}: write it as an origin, for example http://localhost:3000`);
};

const parseAnswers = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const [id = '', ...value] = pair.split('=');
      if (value.length === 0) throw new UsageError(`--answer ${pair}: write it as id=value`);
      return [id, value.join('=')];
    }),
  );

const reason = (error: NodeJS.ErrnoException, { host, port }: Flags): string => {
  if (error.code === 'EADDRINUSE')
    return `port ${port} on ${host} is taken; choose another with --port (0 for any)`;
  if (error.code === 'EACCES') return `port ${port} needs more rights; choose one above 1023 with --port`;
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return `${host} is not an address of this machine (--host)`;
  return error.message;
};

/** A first signal stops in good order; a second one at once. */
const stopped = (): Promise<void> =>
  new Promise((resolve) => {
    const signals = ['SIGINT', 'SIGTERM'] as const;
    const stop = (): void => {
      for (const signal of signals) process.once(signal, () => process.exit(130)).off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
