import { setTimeout as sleep } from 'node:timers/promises';
import { contract, parseJson } from '../contract/document.ts';
import { print, printError, printJson } from '../contract/printable.ts';
import { describeNoAddress, UsageError } from '../contract/system-errors.ts';
import { httpCall } from '../runtime/http-call.ts';
import { stopwatch } from '../runtime/timers.ts';
import { command, duration, flag, jsonFlag, runCommand } from './flags.ts';

const requestTimeoutMs = 5000;
const pauseMs = 100;

/**
 * Requests the published contract, which needs no key and no admin API.
 * @returns why the mock is not ready; `undefined` if it is
 */
export const checkHealth = async (url: string, timeoutMs: number): Promise<string | undefined> => {
  try {
    const signal = AbortSignal.timeout(Math.ceil(timeoutMs)); // refuses fractions
    const { status, text } = await httpCall(`${url}/openapi.json`, { method: 'GET', headers: {}, signal });
    const { info } = Object(status === 200 ? parseJson(text) : undefined);
    if (Object(info).title === contract.info.title) return undefined;
    return `${url} responds with ${status}, but is not this mock`;
  } catch (error) {
    return describeError(error as Error, url);
  }
};

/** Repeats the request until the mock is ready or the time is over. Sends at least one. */
const waitForHealth = async (url: string, waitMs: number): Promise<string | undefined> => {
  const elapsed = stopwatch();
  for (;;) {
    const remainingMs = waitMs - elapsed() * 1000;
    const reason = await checkHealth(
      url,
      waitMs === 0 ? requestTimeoutMs : Math.min(requestTimeoutMs, Math.max(remainingMs, 100)),
    );
    if (reason === undefined || waitMs - elapsed() * 1000 <= pauseMs) return reason;
    await sleep(pauseMs);
  }
};

const describeError = (error: Error, url: string): string => {
  if (error.name === 'AbortError') return `${url} does not respond in time`;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return `nothing listens at ${url}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host of ${url} does not exist`;
  return `${url} cannot be reached: ${code ?? error.message}`;
};

type Flags = { url?: string; wait: number; json?: boolean };

export const definition = () =>
  command(
    'email-leads health',
    'Check whether a mock is ready. Exit code 0: ready, 1: not ready in time.',
    'email-leads health --url http://127.0.0.1:4010 --wait 30s',
  )
    .addOption(
      flag('--url <url>', 'base URL of the mock (default: port EMAIL_LEADS_PORT, or 4010, of this machine)'),
    )
    .addOption(
      flag('--wait <time>', 'maximum time to wait, e.g. 30s').default(0, '0s').argParser(duration('60m')),
    )
    .addOption(jsonFlag('as JSON: {url, ready, reason}; reason is null if it is ready'))
    .addHelpText('after', '\nNo key is needed.');

/** `email-leads health`, for containers and scripts. Exit codes: 0 ready, 1 not ready in time, 2 wrong usage. */
export const runHealth = (argv: readonly string[]): Promise<number> =>
  runCommand(async () => {
    const { url, wait, json } = definition().parse(argv, { from: 'user' }).opts<Flags>();
    const target = baseUrl(url ?? `http://127.0.0.1:${process.env.EMAIL_LEADS_PORT || 4010}`);
    const reason = await waitForHealth(target, wait);
    const ready = reason === undefined;
    if (json) printJson({ url: target, ready, reason: reason ?? null });
    else if (ready) print(`ready: ${target}`);
    else printError(`email-leads: not ready${wait > 0 ? ` within ${wait / 1000} s` : ''}: ${reason}`);
    return ready ? 0 : 1;
  });

const baseUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(describeNoAddress('--url', text));
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--url must not contain a user or a password');
  return url.origin + url.pathname.replace(/\/+$/, '');
};
