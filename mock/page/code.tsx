import { CopyButton } from './copy.tsx';

type Props = {
  readonly text: string;
  readonly what: string;
  readonly language?: 'html' | 'json' | 'prose' | 'plain';
};

// More than anybody reads; beyond it, colours would cost seconds.
const mostCharacters = 300_000;
const mostColoured = 60_000;

/** A text in full, with its lines wrapped and a button that copies it. */
export const CodeBlock = ({ text, what, language = 'plain' }: Props) => {
  const shown = text.slice(0, mostCharacters);
  return (
    <div class={`code-block ${language}`}>
      <CopyButton text={text} what={what} label="Copy" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{shown.length > mostColoured ? shown : coloured(shown, language)}</pre>
      {shown.length < text.length && (
        <p class="hint">
          The first {mostCharacters.toLocaleString('en')} of {text.length.toLocaleString('en')} characters.
          Copy takes all of them.
        </p>
      )}
    </div>
  );
};

const tokens = {
  html: /(<!--[\s\S]*?-->|<![a-z][^>]*>)|(<\/?[a-z][^\s>/]*|\/?>)|("[^"<]*"|'[^'<]*')|(\{\{[^{}]*\}\})/gi,
  json: /("(?:[^"\\]|\\.)*"(?=\s*:))|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(true|false|null)/gi,
} as const;

const classes = {
  html: ['comment', 'tag-name', 'string', 'variable'],
  json: ['tag-name', 'string', 'variable', 'comment'],
} as const;

/** Pieces of text and of coloured text. Elements are made, never HTML: whatever it says, it stays text. */
const coloured = (text: string, language: NonNullable<Props['language']>) => {
  if (language === 'prose' || language === 'plain') return text;
  const pieces: (string | preact.JSX.Element)[] = [];
  let end = 0;
  for (const match of text.matchAll(tokens[language])) {
    const kind = match.slice(1).findIndex((group) => group !== undefined);
    pieces.push(text.slice(end, match.index), <span class={`t-${classes[language][kind]}`}>{match[0]}</span>);
    end = match.index + match[0].length;
  }
  return [...pieces, text.slice(end)];
};
