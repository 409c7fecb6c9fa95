import { setImmediate as nextMoment, setTimeout as sleep } from 'node:timers/promises';
import { plural } from '../exchange/describe.ts';
import { isRateLimit, type Response } from '../exchange/exchange.ts';
import { RequestFailed } from './errors.ts';

/** The time of a run, in milliseconds since some moment, and how the run lets time pass. */
export type Clock = {
  readonly now: () => number;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
};

export const realClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
};

/** A clock for a target whose time can be advanced: nothing waits for time that it can skip. */
export const skippingClock = (advance: (ms: number) => void): Clock => {
  let skippedMs = 0;
  return {
    now: () => performance.now() + skippedMs,
    wait: async (ms) => {
      skippedMs += ms;
      advance(ms);
    },
  };
};

/** One period of waiting, for progress output. */
export type Wait = {
  readonly reason: string;
  readonly ms: number;
  /** Total waiting time so far, including this period. */
  readonly totalMs: number;
  readonly maxMs: number;
};

/** Total milliseconds that a run may wait, unless `--max-wait` sets another value. */
export const defaultMaxWait = 120_000;

/** Share of the time for checks. The rest is reserved for the clean-up. */
const shareOfChecks = 0.75;

/** Shorter pauses are not reported. */
const minReportedMs = 1000;

/** Minimum timeout, even if no time is left: a request that gets a response quickly needs no waiting. */
const minTimeoutMs = 1000;

/** More requests at the same time show nothing that these do not. */
const maxTogether = 5;

type Batch = { readonly group: string; count: number; readonly permission: Promise<void> };

export type PaceOptions = {
  /** Minimum number of milliseconds between two requests, on average: some are sent at the same time. */
  readonly interval?: number | undefined;
  /** Total milliseconds that the run may wait. */
  readonly maxWait?: number | undefined;
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /** By default real time. */
  readonly clock?: Clock | undefined;
};

/**
 * When the requests of a run are sent, in one queue, first come, first served; and how long the run waits in all: for pauses that a
 * deployment requests, and for requests that time out.
 */
export const createPace = ({
  interval = 0,
  maxWait = defaultMaxWait,
  onWait,
  clock: { now, wait } = realClock,
}: PaceOptions) => {
  let freeAt = now();
  let last: Promise<void> = Promise.resolve();
  /** What requests of this moment may join. */
  let open: Batch | undefined;
  let totalMs = 0;
  let timeoutsUntil = 0;

  const waitUntilFree = async (count: () => number, signal: AbortSignal | undefined): Promise<void> => {
    for (;;) {
      if (signal?.aborted)
        throw new RequestFailed('interrupted', 'the run was interrupted', { unsent: true });
      const remaining = freeAt + (count() - 1) * interval - now();
      if (remaining <= 0) break;
      // A loop, because another response may have requested a longer pause in the meantime.
      await wait(Math.ceil(remaining), signal).catch(() => undefined);
    }
    freeAt = now() + count() * interval;
  };

  /**
   * Resolves when the request may be sent. Requests of one group that are made at the same time are sent at the same time, so
   * that they overlap; before and after them is a pause, so that no longer period has more requests than the rate allows.
   * @throws RequestFailed if the run is interrupted before
   */
  const acquire = (group: string, signal?: AbortSignal): Promise<void> => {
    if (open?.group === group && open.count < maxTogether) {
      open.count += 1;
      return open.permission;
    }
    const moment = interval === 0 ? undefined : nextMoment();
    const permission = last.then(() => moment).then(() => waitUntilFree(() => batch.count, signal));
    const batch: Batch = { group, count: 1, permission };
    last = permission.catch(() => undefined); // an interrupted request leaves the queue
    if (moment) {
      open = batch;
      void moment.then(() => {
        if (open === batch) open = undefined;
      });
    }
    return permission;
  };

  return {
    acquire,
    /** Delays all requests if enough time for waiting is left. @returns whether it is */
    pause: (ms: number, reason: string, isCleanUp = false): boolean => {
      // Exactly `ms` if nothing waits: a difference of times would lose a fraction of a microsecond.
      const added = Math.max(0, ms - Math.max(0, freeAt - now()));
      const maxMs = isCleanUp ? maxWait : maxWait * shareOfChecks;
      if (totalMs + added > maxMs) return false;
      totalMs += added;
      if (added >= minReportedMs) onWait?.({ reason, ms: added, totalMs, maxMs });
      freeAt = Math.max(freeAt, now() + ms);
      return true;
    },
    /** Records a request that timed out. Parallel requests count once. */
    noteTimeout: (startedAt: number): void => {
      const endedAt = performance.now();
      totalMs += endedAt - Math.max(startedAt, timeoutsUntil);
      timeoutsUntil = endedAt;
    },
    /** The timeout of the next request: limited by the remaining time, so that the last timeout does not exceed it. */
    limit: (timeoutMs: number): number =>
      Math.min(timeoutMs, Math.max(minTimeoutMs, Math.ceil(maxWait - totalMs))),
    /** Total milliseconds waited so far. */
    waitedMs: (): number => totalMs,
  };
};

/** Milliseconds between two requests for `5/s` or `90/m`; `undefined` for anything else. */
export const intervalOf = (rate: string): number | undefined => {
  const [, count = '', unit = ''] = /^(\d{1,5})\/(s|m)$/.exec(rate.trim()) ?? [];
  const number = Number(count);
  return number > 0 ? (unit === 's' ? 1000 : 60_000) / number : undefined;
};

/** Describes the rate of requests at this interval: `20 requests a second`, `90 requests a minute`. */
export const rateText = (intervalMs: number): string => {
  const aMinute = Math.round(60_000 / intervalMs);
  return aMinute % 60 === 0
    ? `${plural(aMinute / 60, 'request')} a second`
    : `${plural(aMinute, 'request')} a minute`;
};

/** Total milliseconds that one request waits for requested pauses. After that, the response counts as one of a gateway. */
export const maxTotalPauseMs = 60_000;
/** Minimum pause in milliseconds, for a deployment that requests retries without a delay. */
const minPauseMs = 50;

/** Milliseconds that a response requests as a pause; `undefined` if it requests none. */
const retryAfter = ({ headers }: Response): number | undefined => {
  const after = String(headers['retry-after'] ?? '').trim();
  if (/^\d+$/.test(after)) return Number(after) * 1000;
  // A date is compared with the response's own `Date`, because both use the deployment's clock.
  const now = Date.parse(String(headers.date ?? ''));
  const until = Date.parse(after);
  return Number.isNaN(until) ? undefined : until - (Number.isNaN(now) ? Date.now() : now);
};

/** Milliseconds until the next attempt, or `undefined` if the response is final: one that requests a pause is never a finding. */
export const pauseAfter = (answer: Response, attempt: number): number | undefined => {
  const isTooSoon = isRateLimit(answer);
  const pause = isTooSoon || answer.status === 503 ? retryAfter(answer) : undefined;
  if (pause !== undefined) return Math.max(pause, minPauseMs * 2 ** attempt);
  return isTooSoon ? 1000 * 2 ** attempt : undefined;
};
