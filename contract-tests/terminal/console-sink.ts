import { Option } from 'commander';
import { switchFlag, UsageError } from '../../mock/cli/flags.ts';
import {
  beforePrinting,
  eraseProgress,
  errorText,
  print,
  printError,
} from '../../mock/contract/printable.ts';
import type { Wait } from '../client/throttle.ts';
import { describeRefusal, type Exchange } from '../exchange/exchange.ts';
import { credentialsText, durationText } from '../reports/text.ts';
import type { Progress, TargetOptions } from '../runner/run.ts';
import { plural } from '../runner/summary.ts';

/** How much a command prints, and how. */
export type ConsoleFlags = { quiet?: boolean; verbose?: boolean; color?: boolean };

export const quietFlag = (): Option => switchFlag('--quiet', 'print only findings and the verdict');
export const verboseFlag = (): Option => switchFlag('--verbose', 'print a line for every exchange');
export const colourFlag = (): Option => new Option('--no-color', 'do not colour the output (as NO_COLOR=1)');

/** What a command prints: one place decides by level, terminal and colours. */
export type ConsoleSink = {
  readonly isQuiet: boolean;
  /** Prints a line that `--quiet` leaves out. */
  readonly note: (line: string) => void;
  readonly isColoured: boolean;
  /** Writes a report. */
  readonly write: (text: string) => void;
  /** Shows the progress of a run. @param ids the checks that it decides */
  readonly watch: (ids?: readonly string[]) => Watch;
  /** Must be called when the run has ended, with or without an error. */
  readonly end: () => void;
};

type Watch = Pick<TargetOptions, 'onExchange' | 'onWait' | 'onProgress' | 'progressMs'>;

/** A line on a terminal is written again at most ten times a second. */
const redrawMs = 100;

type Streams = { readonly stdout: Screen; readonly stderr: Screen };

/** @throws UsageError */
export const createConsoleSink = (
  { quiet: isQuiet = false, verbose: isVerbose = false, color = true }: ConsoleFlags,
  environment: Environment,
  { stdout, stderr }: Streams = process,
): ConsoleSink => {
  if (isQuiet && isVerbose) throw new UsageError('--quiet and --verbose exclude each other');
  const status = !isQuiet && isWatched(stderr, environment) ? createStatusLine(stderr) : undefined;

  const watch: ConsoleSink['watch'] = (ids = []) => {
    const meter = createMeter(ids);
    const startedAt = performance.now();
    if (status) beforePrinting(status.erase);
    return {
      onExchange: (exchange) => {
        meter.noteExchange(exchange);
        if (isVerbose) printError(exchangeLine(exchange, startedAt));
      },
      onWait: (wait) => {
        meter.noteWait(wait);
        if (isVerbose || !(isQuiet || status)) printError(waitLine(wait));
      },
      onProgress: (progress) => {
        if (status) status.show(meter.text(progress));
        else if (!isQuiet)
          printError(
            `still running: ${plural(progress.requests, 'request')} in ${durationText(progress.ms)}`,
          );
      },
      ...(status ? { progressMs: redrawMs } : {}),
    };
  };

  return {
    isQuiet,
    isColoured: hasColours(stdout, environment, color),
    note: (line) => {
      if (!isQuiet) print(line);
    },
    write: (text) => {
      eraseProgress();
      stdout.write(text);
    },
    watch,
    end: () => {
      eraseProgress();
      beforePrinting(() => undefined);
    },
  };
};

/** `--no-color` has priority over FORCE_COLOR (https://force-color.org), and that over NO_COLOR (https://no-color.org). */
const hasColours = (
  { isTTY = false }: Screen,
  { FORCE_COLOR: force = '', NO_COLOR: no = '', TERM: terminal }: Environment,
  isAllowed: boolean,
): boolean => {
  if (!isAllowed) return false;
  if (force !== '') return !['0', 'false'].includes(force);
  return isTTY && no === '' && terminal !== 'dumb';
};

/** The reason for a pause, and how much of the time is used that such requests may wait. */
const waitLine = ({ reason, ms, totalMs, maxMs }: Wait): string =>
  `waiting ${durationText(ms)}: ${reason} (${durationText(totalMs)} of at most ${durationText(maxMs)} in all)`;

/** A response that takes longer is named: the run seems to stand still. */
const slowMs = 1000;

/** What a run has done so far, and what it waits for, in one line. */
type Meter = {
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

/** The part of a stream that decides how to write to it. */
type Screen = Pick<NodeJS.WritableStream, 'write'> & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** One line of a terminal that is written again in place. */
type StatusLine = {
  readonly show: (text: string) => void;
  readonly erase: () => void;
};

/** Whether somebody looks at it: neither a file nor the log of a CI server shows a line that is written again. */
const isWatched = ({ isTTY = false }: Screen, { CI: ci = '', TERM: terminal }: Environment): boolean =>
  isTTY && ['', '0', 'false'].includes(ci) && terminal !== 'dumb';

/** The beginning of a text that fits: a longer one would go on in the next line, and could not be erased. */
const fitting = (text: string, columns: number): string => {
  let width = 0;
  let shown = '';
  for (const character of text) {
    // Characters of most scripts may be two columns wide.
    width += /[ -~…·]/.test(character) ? 1 : 2;
    if (width > columns - 2) return `${shown}…`;
    shown += character;
  }
  return shown;
};

const eraseToEnd = '\u001b[K';

export const createStatusLine = (screen: Screen): StatusLine => {
  let shown = '';
  return {
    show: (text) => {
      const line = fitting(errorText(text.replaceAll('\n', ' ')), screen.columns || 80);
      if (line !== shown) screen.write(`\r${line}${eraseToEnd}`);
      shown = line;
    },
    erase: () => {
      if (shown !== '') screen.write(`\r${eraseToEnd}`);
      shown = '';
    },
  };
};
