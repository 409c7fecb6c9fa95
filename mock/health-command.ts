import { command, duration, flag, runCommand, UsageError } from './flags.ts';
import { waitForHealth } from './health.ts';

type Flags = { url?: string; wait: number };

const definition = () =>
  command(
    'email-leads health',
    'Tell whether a mock is ready: exit code 0 when it is, 1 when it is not in time.',
  )
    .addOption(
      flag('--url <url>', 'base URL of the mock (default: port EMAIL_LEADS_PORT, or 4010, of this machine)'),
    )
    .addOption(
      flag('--wait <time>', 'wait for it at most, e.g. 30s').default(0, '0s').argParser(duration('60m')),
    )
    .addHelpText(
      'after',
      '\nNo key is needed. The twins of the flags are EMAIL_LEADS_URL and EMAIL_LEADS_WAIT.',
    );

/** `email-leads health`, for containers and scripts. Exit codes: 0 ready, 1 not ready in time, 2 wrong usage. */
export const runHealth = (argv: readonly string[]): Promise<number> =>
  runCommand(async () => {
    const { url, wait } = definition().parse(argv, { from: 'user' }).opts<Flags>();
    const asked = baseUrl(url ?? `http://127.0.0.1:${process.env.EMAIL_LEADS_PORT ?? 4010}`);
    const health = await waitForHealth(asked, wait);
    if (health.ready) {
      console.log(`ready: ${asked}`);
      return 0;
    }
    console.error(`email-leads: not ready${wait > 0 ? ` within ${wait / 1000} s` : ''}: ${health.reason}`);
    return 1;
  });

const baseUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--url ${JSON.stringify(text)} is not an http or https address`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--url must not hold a user or a password');
  return url.origin + url.pathname.replace(/\/+$/, '');
};
