import { scenarios } from '../checks/scenarios.ts';
import type { Wait } from '../client/throttle.ts';
import { describeRefusal, type Exchange } from '../exchange/exchange.ts';
import { credentialsText, durationText } from '../reports/text.ts';
import type { Progress, Run } from '../runner/run.ts';
import { durationsOf, plural } from '../runner/summary.ts';

/** A response that takes longer is named: the run seems to stand still. */
const slowMs = 1000;

/** What a run has done so far, and what it waits for, in one line. */
export type Meter = {
  readonly noteWait: (wait: Wait) => void;
  readonly noteExchange: (exchange: Exchange) => void;
  readonly text: (progress: Progress) => string;
};

/** @param ids the checks to count; none for a command that decides no checks */
export const createMeter = (ids: readonly string[]): Meter => {
  const selected = new Set(ids);
  const decided = new Set<string>();
  const started = performance.now();
  let wait: { readonly reason: string; readonly from: number; readonly until: number } | undefined;
  let seen = 0;

  const note = ({ judged }: Progress): void => {
    for (const { results } of judged.slice(seen))
      for (const { check, undecided } of results)
        if (undecided === undefined && selected.has(check)) decided.add(check);
    seen = judged.length;
  };

  const waitsFor = ({ pending }: Progress): string | undefined => {
    const now = performance.now();
    if (wait !== undefined && now < wait.until)
      return `waits ${durationText(wait.until - now)}: ${wait.reason}`;
    if (pending === undefined) return undefined;
    const { call, at } = pending;
    return now - at < slowMs
      ? call.check
      : `waits for ${call.method} ${call.path} since ${durationText(now - at)} (${call.check})`;
  };

  return {
    noteWait: ({ reason, ms }) => {
      const from = performance.now();
      wait = { reason, from, until: from + ms };
    },
    noteExchange: ({ outcome, sentAt }) => {
      // The service is there again before the time is over.
      if (wait !== undefined && sentAt > wait.from && outcome !== 'gateway') wait = undefined;
    },
    text: (progress) => {
      note(progress);
      const waits = waitsFor(progress);
      return [
        ...(ids.length === 0 ? [] : [`${decided.size}/${plural(ids.length, 'check')} decided`]),
        plural(progress.requests, 'request'),
        plural(progress.mails, 'mail'),
        `${Math.floor((performance.now() - started) / 1000)} s`,
        ...(waits === undefined ? [] : [waits]),
      ].join(' · ');
    },
  };
};

/** An exchange for `--verbose`. What the response contains is not shown: it may be the record of somebody. */
export const exchangeLine = (exchange: Exchange, startedAt: number): string => {
  const { method, path, credentials, status, size, outcome, sentAt, receivedAt, check } = exchange;
  const isRefused = outcome === 'refusal' || outcome === 'gateway';
  const answer = status === 0 ? 'no response' : isRefused ? describeRefusal(exchange) : String(status);
  const seconds = ((sentAt - startedAt) / 1000).toFixed(3);
  const took = `${Math.round(receivedAt - sentAt)} ms, ${plural(size, 'byte')}`;
  return `${seconds.padStart(8)} ${check}: ${method} ${path}${credentialsText(credentials)}: ${answer} (${took})`;
};

const shownScenarios = 3;

/** How long a run took, and which scenarios took most of it. They may have run at the same time. */
export const timingLine = (run: Run): string => {
  const slowest = [...durationsOf(run)]
    .filter(([id]) => scenarios.some((scenario) => scenario.id === id))
    .sort(([, left], [, right]) => right - left)
    .slice(0, shownScenarios)
    .map(([id, ms]) => `${id} ${durationText(ms)}`);
  return `took ${durationText(run.durationMs)}${slowest.length === 0 ? '' : `; slowest scenarios: ${slowest.join(', ')}`}`;
};
