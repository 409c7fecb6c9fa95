import { useEffect, useState } from 'preact/hooks';
import { attempt } from '../data/notice.ts';
import { Button } from './controls.tsx';

type CopyProps = {
  readonly text: string;
  /** Names the copied text, for the label. */
  readonly subject: string;
  /** The text of the button. Without it only the icon shows. */
  readonly label?: string;
};

/** Copies a text, also on HTTP pages outside loopback, where browsers have no clipboard API. */
const copyText = async (text: string): Promise<void> => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
};

export const CopyButton = ({ text, subject: what, label }: CopyProps) => {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => setCopied((await attempt(() => copyText(text))) === undefined);
  return (
    <Button
      icon={copied ? 'check' : 'copy'}
      {...(label === undefined ? {} : { text: copied ? 'Copied' : label })}
      kind="small"
      title={`Copy ${what}`}
      aria-label={copied ? `${what} copied` : `Copy ${what}`}
      onClick={copy}
    />
  );
};

type CopiedProps = { readonly text: string; readonly subject?: string };

/** A text with a copy button behind it. */
export const Copied = ({ text, subject = text }: CopiedProps) => (
  <>
    {text} <CopyButton text={text} subject={subject} />
  </>
);

type CodeProps = {
  readonly text: string;
  readonly subject: string;
  /** Has the font of the page. */
  readonly isProse?: boolean;
};

// Longer texts are cut: to show them would take seconds.
const maxCharacters = 300_000;

/** A text with wrapped lines and a copy button. */
export const CodeBlock = ({ text, subject: what, isProse }: CodeProps) => {
  if (text === '') return <p class="hint">Empty</p>;
  const shown = text.slice(0, maxCharacters);
  return (
    <div class={isProse ? 'code-block prose' : 'code-block'}>
      <CopyButton text={text} subject={what} label="Copy" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{shown}</pre>
      {shown.length < text.length && (
        <p class="hint">
          The first {maxCharacters.toLocaleString('en')} of {text.length.toLocaleString('en')} characters.
          Copy takes all of them.
        </p>
      )}
    </div>
  );
};
