import { styleText } from 'node:util';
import { exitCodes } from '../runner/summary.ts';

/** The part of a stream that decides how to write to it. */
export type Screen = Pick<NodeJS.WritableStream, 'write'> & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** `--no-color` has priority over FORCE_COLOR (https://force-color.org), and that over NO_COLOR (https://no-color.org). */
export const hasColours = (
  { isTTY = false }: Screen,
  { FORCE_COLOR: force = '', NO_COLOR: no = '', TERM: terminal }: Environment,
  isAllowed: boolean,
): boolean => {
  if (!isAllowed) return false;
  if (force !== '') return !['0', 'false'].includes(force);
  return isTTY && no === '' && terminal !== 'dumb';
};

type Colour = Parameters<typeof styleText>[0];

/** The first words of the lines of a report. What a deployment says stands behind them, or is indented. */
const colours: readonly (readonly [beginning: RegExp, colour: Colour])[] = [
  [/^(?:FAIL|ERROR) .*?(?= {2}|$)/, ['bold', 'red']],
  [/^(?:WARN|INCONCLUSIVE|UNSTABLE) .*?(?= {2}|$)/, ['bold', 'yellow']],
  [/^DRIFT .*?(?= {2}|$)/, ['bold', 'magenta']],
  [/^WAIVED .*?(?= {2}|$)/, 'gray'],
  [/(?<=^ {2})✓/, 'green'],
  [/(?<=^ {2})✗/, 'red'],
  [/(?<=^ {2})!/, 'yellow'],
  [/(?<=^ {2})-(?= )/, 'gray'],
];

/** The verdict has the colour of its exit code. */
const verdictColours: Readonly<Record<number, Colour>> = {
  [exitCodes.conforms]: ['bold', 'green'],
  [exitCodes.broken]: ['bold', 'red'],
  [exitCodes.drift]: ['bold', 'magenta'],
};

const colourLine = (line: string, exitCode: number): string => {
  const style = (colour: Colour, text: string): string => styleText(colour, text, { validateStream: false });
  if (line.startsWith('Verdict: ')) return style(verdictColours[exitCode] ?? ['bold', 'yellow'], line);
  const found = colours.find(([beginning]) => beginning.test(line));
  return found ? line.replace(found[0], (beginning) => style(found[1], beginning)) : line;
};

/** Colours lines of a report by their verdicts. They must be printable before: control characters are added here. */
export const colourLines = (text: string, exitCode: number = exitCodes.couldNotTest): string =>
  text
    .split('\n')
    .map((line) => colourLine(line, exitCode))
    .join('\n');
