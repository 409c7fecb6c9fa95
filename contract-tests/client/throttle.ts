import { setTimeout as wait } from 'node:timers/promises';
import { isReset, RequestFailed } from './errors.ts';
import type { Call, Response } from './exchange.ts';

/** One period of waiting, as somebody who watches the run wants to know it. */
export type Wait = {
  readonly reason: string;
  readonly ms: number;
  /** All waiting so far, this period included. */
  readonly totalMs: number;
  readonly maxMs: number;
};

/** All the waiting of a run together: pauses that a deployment asks for, and requests that got no answer in time. */
type Waiting = {
  /** Takes a pause off what is left. @returns whether so much was left */
  readonly take: (ms: number, reason: string, isCleanUp: boolean) => boolean;
  /** Notes a request that was waited for without a response. Those that were under way together count once. */
  readonly noteTimeout: (startedAt: number) => void;
  readonly totalMs: () => number;
  /** How long a request may take: as long as is left, so that the last one that gets no answer waits no longer. */
  readonly limit: (timeoutMs: number) => number;
  /** Whether nothing is left for the checks: what is left then is for the clean-up. */
  readonly isUsedUp: () => boolean;
};

/** So much of the time is for the checks; the rest is kept for the clean-up, which must not be left without any. */
const shareOfChecks = 0.75;

/** Shorter pauses are not worth a line. */
const minReportedMs = 1000;

/** However little is left, a request that is answered at once is none to wait for. */
const minTimeoutMs = 1000;

export const createWaiting = (maxMs: number, onWait: (wait: Wait) => void = () => undefined): Waiting => {
  let totalMs = 0;
  let timeoutsUntil = 0;
  const isUsedUp = (): boolean => totalMs >= maxMs * shareOfChecks;
  return {
    take: (ms, reason, isCleanUp) => {
      if (totalMs + ms > (isCleanUp ? maxMs : maxMs * shareOfChecks)) return false;
      totalMs += ms;
      if (ms >= minReportedMs)
        onWait({ reason, ms, totalMs, maxMs: isCleanUp ? maxMs : maxMs * shareOfChecks });
      return true;
    },
    noteTimeout: (startedAt) => {
      const now = performance.now();
      totalMs += now - Math.max(startedAt, timeoutsUntil);
      timeoutsUntil = now;
    },
    totalMs: () => totalMs,
    limit: (timeoutMs) => Math.min(timeoutMs, Math.max(minTimeoutMs, Math.ceil(maxMs - totalMs))),
    isUsedUp,
  };
};

/** When the next request may leave: one queue for the whole run, first come, first served. */
type RateLimiter = {
  /** Ends when it is this request's turn. @throws RequestFailed when the run is interrupted before that */
  readonly acquire: (signal?: AbortSignal) => Promise<void>;
  /** Delays all requests: a deployment that asks one request to wait means all of them. */
  readonly pauseFor: (ms: number) => void;
  /** How much longer all requests would wait than they do already. */
  readonly addedBy: (ms: number) => number;
  /** Notes that a request came too fast, before the pause that was asked for. */
  readonly noteTooFast: () => void;
};

/** So many requests that came too fast, after a first one, show the rate that a deployment takes. */
const minRefusals = 2;

/** A little slower than the rate that was seen, as the next request at that rate may come too fast. */
const margin = 1.1;

/** A lower rate than this is hardly one: what asks for longer pauses is waited for. */
const maxLearntIntervalMs = 1000;

/**
 * Requests leave at an interval. Where a deployment goes on refusing those that come too fast, it becomes the one at which
 * requests got through so far, pauses included: a run then goes on without pauses.
 * @param minInterval milliseconds between two requests at least
 */
export const createRateLimiter = (minInterval = 0): RateLimiter => {
  let interval = minInterval;
  let freeAt = 0;
  let sent = 0;
  let firstRefusal: { readonly at: number; readonly sent: number } | undefined;
  /** Since the first. */
  let refusals = 0;
  let last: Promise<void> = Promise.resolve();

  const waitUntilFree = async (signal: AbortSignal | undefined): Promise<void> => {
    for (;;) {
      if (signal?.aborted)
        throw new RequestFailed('interrupted', 'the run was interrupted', { unsent: true });
      const remaining = freeAt - performance.now();
      if (remaining <= 0) break;
      // In a loop: another response may have asked for a longer pause meanwhile.
      await wait(Math.ceil(remaining), undefined, signal ? { signal } : {}).catch(() => undefined);
    }
    freeAt = performance.now() + interval;
    sent += 1;
  };

  const acquire: RateLimiter['acquire'] = (signal) => {
    const permission = last.then(() => waitUntilFree(signal));
    last = permission.catch(() => undefined); // an interrupted request leaves the queue
    return permission;
  };

  return {
    acquire,
    pauseFor: (ms) => {
      freeAt = Math.max(freeAt, performance.now() + ms);
    },
    // Exactly `ms` where nothing waits: a sum of moments would be some of a microsecond less.
    addedBy: (ms) => Math.max(0, ms - Math.max(0, freeAt - performance.now())),
    noteTooFast: () => {
      if (!firstRefusal) {
        firstRefusal = { at: performance.now(), sent };
        return;
      }
      refusals += 1;
      const accepted = sent - firstRefusal.sent - refusals;
      if (refusals < minRefusals || accepted < refusals) return;
      const learnt = (margin * (performance.now() - firstRefusal.at)) / accepted;
      if (learnt <= maxLearntIntervalMs) interval = Math.max(interval, learnt);
    },
  };
};

/** Milliseconds between two requests for `5/s` or `90/m`; `undefined` for anything else. */
export const intervalOf = (rate: string): number | undefined => {
  const [, count = '', unit = ''] = /^(\d{1,5})\/(s|m)$/.exec(rate.trim()) ?? [];
  const number = Number(count);
  return number > 0 ? (unit === 's' ? 1000 : 60_000) / number : undefined;
};

/** Total time that one request waits for requested pauses, before the response counts as one of a gateway. */
const maxTotalPauseMs = 60_000;
/** Minimum pause, for a deployment that asks for retries without a delay. */
const minPauseMs = 50;

/** Milliseconds a 429 or 503 asks to wait; nothing where it does not ask. */
const requestedPause = ({ status, headers }: Response): number | undefined => {
  if (status !== 429 && status !== 503) return undefined;
  const after = String(headers['retry-after'] ?? '').trim();
  if (/^\d+$/.test(after)) return Number(after) * 1000;
  // A date is compared with the response's own `Date`, because both use the deployment's clock.
  const now = Date.parse(String(headers.date ?? ''));
  const until = Date.parse(after);
  return Number.isNaN(until) ? undefined : until - (Number.isNaN(now) ? Date.now() : now);
};

/** Milliseconds until the next attempt, or `undefined` where the answer stands. */
const pauseBefore = (answer: Response, attempt: number, limitsRate: boolean): number | undefined => {
  const growing = minPauseMs * 2 ** attempt;
  const pause = requestedPause(answer);
  if (pause !== undefined) return Math.max(pause, growing);
  if (limitsRate && answer.status === 503) return 5 * growing;
  return answer.status === 429 ? 1000 * 2 ** attempt : undefined;
};

/**
 * Repeats a request while the deployment asks for a pause, up to a total limit. Such pauses are never findings.
 * @param pauseFor returns whether the run has so much time left
 * @param limitsRate whether a 503 that names no pause asks for one as well
 */
export const withBackoff = async (
  attempt: () => Promise<Response>,
  pauseFor: (ms: number, answer: Response) => boolean,
  limitsRate: () => boolean = () => false,
): Promise<Response> => {
  let waited = 0;
  for (let count = 0; ; count += 1) {
    const answer = await attempt();
    const pause = pauseBefore(answer, count, limitsRate());
    if (pause === undefined || waited + pause > maxTotalPauseMs || !pauseFor(pause, answer)) return answer;
    waited += pause;
  }
};

/**
 * Retries once after a broken connection, except for a POST: it may have been carried out.
 * @param onRepeat called before the request is sent again: the first one may have taken effect
 */
export const retryOnReset = async (
  call: Call,
  attempt: () => Promise<Response>,
  onRepeat: () => void,
): Promise<Response> => {
  try {
    return await attempt();
  } catch (error) {
    const isConnectionReset =
      error instanceof RequestFailed && error.kind === 'closed' && isReset(error.cause);
    if (call.method === 'POST' || !isConnectionReset) throw error;
    onRepeat();
    return attempt();
  }
};

/** A restart takes some seconds; in ms. */
const restartPauses: readonly number[] = [500, 1000, 2000, 4000];

/** Waits for a deployment that took requests before and takes no connections now, as one that is restarted. */
export const createRestartWait = (pause: (ms: number, reason: string) => boolean) => {
  let wasConnected = false;
  /** Pauses until the request gets through; nobody waits again after it was in vain. */
  return async (attempt: () => Promise<Response>): Promise<Response> => {
    for (let count = 0; ; count += 1) {
      try {
        const response = await attempt();
        wasConnected = true;
        return response;
      } catch (error) {
        const isRefused = error instanceof RequestFailed && error.kind === 'unreachable' && error.unsent;
        const pauseMs = restartPauses[count];
        if (isRefused && pauseMs === undefined) wasConnected = false;
        if (!isRefused || !wasConnected || pauseMs === undefined || !pause(pauseMs, error.message))
          throw error;
      }
    }
  };
};
