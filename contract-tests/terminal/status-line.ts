import { errorText } from '../../mock/contract/printable.ts';

/** The part of a stream that decides how to write to it. */
export type Screen = Pick<NodeJS.WritableStream, 'write'> & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** One line of a terminal that is written again in place. */
export type StatusLine = {
  readonly show: (text: string) => void;
  readonly erase: () => void;
};

/** Whether somebody looks at it: neither a file nor the log of a CI server shows a line that is written again. */
export const isWatched = ({ isTTY = false }: Screen, { CI: ci = '', TERM: terminal }: Environment): boolean =>
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
