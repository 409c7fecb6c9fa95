// What a command prints, and how. Its flags, the terminal and the environment decide.

import {
  beforePrinting,
  eraseProgress,
  errorText,
  print,
  printError,
} from '../../mock/contract/printable.ts';
import { UsageError } from '../../mock/contract/system-errors.ts';
import type { Wait } from '../client/throttle.ts';
import { plural } from '../exchange/describe.ts';
import { describeRefusal, type Exchange } from '../exchange/exchange.ts';
import { credentialsText, durationText } from '../reports/text.ts';
import type { Progress, TargetOptions } from '../runner/run.ts';

/** How much a command prints, and how. */
export type ConsoleFlags = { readonly [Name in 'quiet' | 'verbose' | 'color']?: boolean | undefined };

/** The part of a stream that decides how to write to it. */
type Screen = Pick<NodeJS.WritableStream, 'write'> & {
  readonly isTTY?: boolean | undefined;
};

/** A line on a terminal is written again at most ten times a second. */
const redrawMs = 100;

/** The next line about a pause is printed after this time. */
const quietMs = 5000;

export type ConsoleSink = ReturnType<typeof createConsoleSink>;

/** @throws UsageError */
export const createConsoleSink = (
  { quiet: isQuiet = false, verbose: isVerbose = false, color = true }: ConsoleFlags,
  environment: NodeJS.ProcessEnv,
  { stdout, stderr }: { readonly stdout: Screen; readonly stderr: Screen } = process,
) => {
  if (isQuiet && isVerbose) throw new UsageError('--quiet and --verbose exclude each other');
  const { CI: ci = '', TERM: terminal } = environment;
  // Neither a file nor the log of a CI server shows a line that is written again.
  const isWatched = stderr.isTTY === true && ['', '0', 'false'].includes(ci) && terminal !== 'dumb';
  const status = !isQuiet && isWatched ? createStatusLine(stderr) : undefined;
  return {
    isQuiet,
    isColoured: hasColours(stdout, environment, color),
    /** Prints a line that `--quiet` leaves out. */
    note: (line: string): void => {
      if (!isQuiet) print(line);
    },
    /** Writes a report. */
    write: (text: string): void => {
      eraseProgress();
      stdout.write(text);
    },
    /** Shows the progress of a run. @param ids the checks that it decides */
    watch: (
      ids: readonly string[] = [],
    ): Pick<TargetOptions, 'onExchange' | 'onWait' | 'onProgress' | 'progressMs'> => {
      const startedAt = performance.now();
      let waitShownAt = Number.NEGATIVE_INFINITY;
      if (status) beforePrinting(status.erase);
      return {
        onExchange: (exchange) => {
          if (isVerbose) printError(exchangeLine(exchange, startedAt));
        },
        onWait: (wait) => {
          const now = performance.now();
          // Each line has the total: a deployment with a low limit asks for a pause every second.
          if (isQuiet || now - waitShownAt < quietMs) return;
          waitShownAt = now;
          printError(waitLine(wait));
        },
        onProgress: (progress) => {
          if (status) status.show(progressText(progress, ids));
          else if (!isQuiet) printError(`still running: ${progressText(progress, [])}`);
        },
        ...(status ? { progressMs: redrawMs } : {}),
      };
    },
    /** Must be called when the run has ended, with or without an error. */
    end: (): void => {
      eraseProgress();
      beforePrinting(() => undefined);
    },
  };
};

/** `--no-color` and NO_COLOR (https://no-color.org) have priority over FORCE_COLOR (https://force-color.org). */
const hasColours = (
  { isTTY = false }: Screen,
  { FORCE_COLOR: force = '', NO_COLOR: no = '', TERM: terminal }: NodeJS.ProcessEnv,
  isAllowed: boolean,
): boolean => {
  if (!isAllowed || no !== '') return false;
  if (force !== '') return !['0', 'false'].includes(force);
  return isTTY && terminal !== 'dumb';
};

/** The reason for a pause, and how much of the time is used that such requests may wait. */
const waitLine = ({ reason, ms, totalMs, maxMs }: Wait): string =>
  `waiting ${durationText(ms)}: ${reason} (${durationText(totalMs)} of at most ${durationText(maxMs)} in all)`;

/** An exchange for `--verbose`. What the response contains is not shown: it may be the record of somebody. */
export const exchangeLine = (exchange: Exchange, startedAt: number): string => {
  const { method, path, credentials, status, size, outcome, sentAt, receivedAt, scenario } = exchange;
  const isRefused = outcome === 'refusal' || outcome === 'gateway';
  const answer = status === 0 ? 'no response' : isRefused ? describeRefusal(exchange) : String(status);
  const seconds = ((sentAt - startedAt) / 1000).toFixed(3);
  const took = `${Math.round(receivedAt - sentAt)} ms, ${plural(size, 'byte')}`;
  return `${seconds.padStart(8)} ${scenario}: ${method} ${path}${credentialsText(credentials)}: ${answer} (${took})`;
};

/** A response that takes longer is named: the run seems to stand still. */
const slowMs = 1000;

/**
 * What a run has done so far, and what it waits for, in one line.
 * @param ids the checks to count; none for a command that decides no checks
 */
const progressText = (progress: Progress, ids: readonly string[]): string => {
  const { judged, requests, mailsRequested: mails, ms, lagMs, pending } = progress;
  const results = judged.flatMap((judgement) => judgement.results);
  const known = new Set(results.filter(({ undecided }) => undecided === undefined).map(({ check }) => check));
  const parts = [plural(requests, 'request'), plural(mails, 'mail'), `${Math.floor(ms / 1000)} s`];
  if (ids.length > 0)
    parts.unshift(`${ids.filter((id) => known.has(id)).length}/${plural(ids.length, 'check')} decided`);
  if (lagMs > 0) parts.push(`changes show up to ${durationText(lagMs)} late`);
  if (pending !== undefined) {
    const { call, at } = pending;
    const waited = performance.now() - at;
    const slow = `waits for ${call.method} ${call.path} since ${durationText(waited)} (${call.scenario})`;
    parts.push(waited < slowMs ? call.scenario : slow);
  }
  return parts.join(' · ');
};

/** What a terminal obeys: a line that is too long is cut, as its rest could not be erased; and the rest of a line is erased. */
const [noWrap, wrap, eraseToEnd] = ['\u001b[?7l', '\u001b[?7h', '\u001b[K'];

/** One line of a terminal that is written again in place. */
const createStatusLine = (screen: Screen) => {
  let shown = '';
  return {
    show: (text: string): void => {
      const line = errorText(text.replaceAll('\n', ' '));
      if (line !== shown) screen.write(`\r${noWrap}${line}${eraseToEnd}${wrap}`);
      shown = line;
    },
    erase: (): void => {
      if (shown !== '') screen.write(`\r${eraseToEnd}`);
      shown = '';
    },
  };
};
