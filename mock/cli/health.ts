import { setTimeout as sleep } from 'node:timers/promises';

import { print, printError } from '../contract/printable.ts';
import { describeNoAddress } from '../contract/system-errors.ts';
import { parseJson } from '../runtime/json-parts.ts';
import { stopwatch } from '../runtime/timers.ts';
import { command, duration, flag, runCommand, UsageError, withFlagHint } from './flags.ts';

/** Whether a mock is ready, and if not, why. */
type Health = { readonly ready: true } | { readonly ready: false; readonly reason: string };

const requestTimeoutMs = 5000;
const pauseMs = 100;

/**
 * Sends one health request to the admin API. If that is disabled (`--no-admin`) or limited to its own machine, requests the
 * published contract. Neither needs a key.
 */
const checkHealth = async (url: string, timeoutMs = requestTimeoutMs): Promise<Health> => {
  try {
    const signal = AbortSignal.timeout(Math.max(1, timeoutMs));
    const health = await fetch(`${url}/__admin/health`, { signal });
    if ((await readField(health, 'status')) === 'ok') return { ready: true };
    const contract = await fetch(`${url}/openapi.json`, { signal });
    if (typeof (await readField(contract, 'openapi')) === 'string') return { ready: true };
    return { ready: false, reason: `${url} responds with ${health.status}, but is not this mock` };
  } catch (error) {
    return { ready: false, reason: describeError(error as Error, url) };
  }
};

/** Repeats the request until the mock is ready or the time is over. Sends at least one. */
const waitForHealth = async (url: string, waitMs: number): Promise<Health> => {
  const elapsed = stopwatch();
  for (;;) {
    const remainingMs = waitMs - elapsed() * 1000;
    const health = await checkHealth(
      url,
      waitMs === 0 ? requestTimeoutMs : Math.min(requestTimeoutMs, Math.max(remainingMs, 100)),
    );
    if (health.ready || waitMs - elapsed() * 1000 <= pauseMs) return health;
    await sleep(pauseMs);
  }
};

const readField = async (response: Response, name: string): Promise<unknown> => {
  const text = await response.text();
  if (response.status !== 200) return undefined;
  // Another server may respond with HTML.
  return (parseJson(text) as Readonly<Record<string, unknown>> | null | undefined)?.[name];
};

const describeError = (error: Error, url: string): string => {
  if (error.name === 'TimeoutError') return `${url} does not respond in time`;
  const { code } = (error.cause ?? {}) as { code?: string };
  if (code === 'ECONNREFUSED') return `nothing listens at ${url}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host of ${url} does not exist`;
  return `${url} cannot be reached: ${code ?? error.message}`;
};

type Flags = { url?: string; wait: number };

const createCommand = () =>
  command('email-leads health', 'Check whether a mock is ready. Exit code 0: ready, 1: not ready in time.')
    .addOption(
      flag('--url <url>', 'base URL of the mock (default: port EMAIL_LEADS_PORT, or 4010, of this machine)'),
    )
    .addOption(
      flag('--wait <time>', 'maximum time to wait, e.g. 30s').default(0, '0s').argParser(duration('60m')),
    )
    .addHelpText('after', '\nNo key is needed.');

/** `email-leads health`, for containers and scripts. Exit codes: 0 ready, 1 not ready in time, 2 wrong usage. */
export const runHealth = (argv: readonly string[]): Promise<number> =>
  runCommand(async () => {
    const { url, wait } = parse(argv);
    const target = baseUrl(url ?? `http://127.0.0.1:${process.env.EMAIL_LEADS_PORT || 4010}`);
    const health = await waitForHealth(target, wait);
    if (health.ready) {
      print(`ready: ${target}`);
      return 0;
    }
    printError(`email-leads: not ready${wait > 0 ? ` within ${wait / 1000} s` : ''}: ${health.reason}`);
    return 1;
  });

const parse = (argv: readonly string[]): Flags => {
  try {
    return createCommand().parse(argv, { from: 'user' }).opts<Flags>();
  } catch (error) {
    throw withFlagHint(error, (name) => (name === '--upstream' ? 'set the mock with --url' : undefined));
  }
};

const baseUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(describeNoAddress('--url', text));
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--url must not contain a user or a password');
  return url.origin + url.pathname.replace(/\/+$/, '');
};
