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

/** By the first word of a line of a report. What a deployment says stands behind it, or is indented. */
const wordColours: ReadonlyMap<string, Colour> = new Map<string, Colour>([
  ['FAIL', ['bold', 'red']],
  ['ERROR', ['bold', 'red']],
  ['WARN', ['bold', 'yellow']],
  ['INCONCLUSIVE', ['bold', 'yellow']],
  ['UNSTABLE', ['bold', 'yellow']],
  ['DRIFT', ['bold', 'magenta']],
  ['WAIVED', 'gray'],
]);

/** By the mark of a line that begins with two blanks. */
const markColours: ReadonlyMap<string, Colour> = new Map<string, Colour>([
  ['✓', 'green'],
  ['✗', 'red'],
  ['!', 'yellow'],
  ['-', 'gray'],
]);

/** The verdict has the colour of its exit code. */
const verdictColours: Readonly<Record<number, Colour>> = {
  [exitCodes.conforms]: ['bold', 'green'],
  [exitCodes.broken]: ['bold', 'red'],
  [exitCodes.drift]: ['bold', 'magenta'],
};

const colourLine = (line: string, exitCode: number): string => {
  const style = (colour: Colour, text: string): string => styleText(colour, text, { validateStream: false });
  if (line.startsWith('Verdict: ')) return style(verdictColours[exitCode] ?? ['bold', 'yellow'], line);
  const [word = ''] = line.split(' ', 1);
  const [blanks, mark, rest] = [line.slice(0, 2), line.slice(2, 3), line.slice(3)];
  const markColour = blanks === '  ' && rest.startsWith(' ') ? markColours.get(mark) : undefined;
  if (markColour) return `${blanks}${style(markColour, mark)}${rest}`;
  const wordColour = wordColours.get(word);
  if (!wordColour || word === line) return line;
  const end = line.indexOf('  ', word.length + 1);
  return end < 0 ? style(wordColour, line) : `${style(wordColour, line.slice(0, end))}${line.slice(end)}`;
};

/** Colours lines of a report by their verdicts. They must be printable before: control characters are added here. */
export const colourLines = (text: string, exitCode: number): string =>
  text
    .split('\n')
    .map((line) => colourLine(line, exitCode))
    .join('\n');
