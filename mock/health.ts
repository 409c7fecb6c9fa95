import { setTimeout as sleep } from 'node:timers/promises';
import { stopwatch } from './state.ts';

/** Whether a mock is ready; where it is not, why. */
export type Health = { readonly ready: true } | { readonly ready: false; readonly reason: string };

const patienceMs = 5000;
const pauseMs = 100;

/**
 * Asks once: the admin API, or, where that is left out (`--no-admin`) or answers this machine only, the published contract.
 * No key is needed for either.
 */
export const askHealth = async (url: string, patience = patienceMs): Promise<Health> => {
  try {
    const signal = AbortSignal.timeout(Math.max(1, patience));
    const health = await fetch(`${url}/__admin/health`, { signal });
    if ((await fieldOf(health, 'status')) === 'ok') return { ready: true };
    const contract = await fetch(`${url}/openapi.json`, { signal });
    if (typeof (await fieldOf(contract, 'openapi')) === 'string') return { ready: true };
    return { ready: false, reason: `${url} answers ${health.status}, but not as this mock does` };
  } catch (error) {
    return { ready: false, reason: reasonOf(error as Error, url) };
  }
};

/** Asks until it is ready or the time is over; at least once. */
export const waitForHealth = async (url: string, waitMs: number): Promise<Health> => {
  const elapsed = stopwatch();
  for (;;) {
    const left = waitMs - elapsed() * 1000;
    const health = await askHealth(
      url,
      waitMs === 0 ? patienceMs : Math.min(patienceMs, Math.max(left, 100)),
    );
    if (health.ready || waitMs - elapsed() * 1000 <= pauseMs) return health;
    await sleep(pauseMs);
  }
};

const fieldOf = async (response: Response, name: string): Promise<unknown> => {
  const text = await response.text();
  if (response.status !== 200) return undefined;
  try {
    return (JSON.parse(text) as Record<string, unknown> | null)?.[name];
  } catch {
    return undefined; // somebody else's page
  }
};

const reasonOf = (error: Error, url: string): string => {
  if (error.name === 'TimeoutError') return `${url} does not answer in time`;
  const { code } = (error.cause ?? {}) as { code?: string };
  if (code === 'ECONNREFUSED') return `nothing listens at ${url}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `there is no such host as in ${url}`;
  return `${url} cannot be reached: ${code ?? error.message}`;
};
