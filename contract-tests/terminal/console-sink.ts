import { Option } from 'commander';
import { switchFlag, UsageError } from '../../mock/cli/flags.ts';
import { beforePrinting, eraseProgress, print, printError } from '../../mock/contract/printable.ts';
import type { Wait } from '../client/throttle.ts';
import { durationText } from '../reports/text.ts';
import type { Run, TargetOptions } from '../runner/run.ts';
import { plural } from '../runner/summary.ts';
import { createMeter, exchangeLine, timingLine } from './progress.ts';
import { createStatusLine, type Environment, isWatched, type Screen } from './status-line.ts';

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
  /** How long the run took, for a terminal. */
  readonly timing: (run: Run) => string | undefined;
  /** Shows the progress of a run. @param ids the checks that it decides */
  readonly watch: (ids?: readonly string[]) => Watch;
  /** Must be called when the run has ended, with or without an error. */
  readonly end: () => void;
};

export type Watch = Pick<TargetOptions, 'onExchange' | 'onWait' | 'onProgress' | 'progressMs'>;

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
    timing: (run) => (stdout.isTTY && !isQuiet ? timingLine(run) : undefined),
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
