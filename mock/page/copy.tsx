import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icons.tsx';
import { useNotify } from './notice.tsx';

type Props = {
  readonly text: string | (() => string);
  /** What is copied, for the label. */
  readonly what: string;
  /** Said on the button; without it only the icon shows. */
  readonly label?: string;
};

/** Works on plain http addresses other than loopback too, where browsers have no clipboard API. */
const copyText = async (text: string): Promise<void> => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
};

export const CopyButton = ({ text, what, label }: Props) => {
  const { attempt } = useNotify();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> =>
    setCopied(await attempt(() => copyText(typeof text === 'string' ? text : text())));
  return (
    <button
      type="button"
      class={label === undefined ? 'icon-button small' : 'button small'}
      title={`Copy ${what}`}
      aria-label={copied ? `${what} copied` : `Copy ${what}`}
      onClick={copy}
    >
      <Icon name={copied ? 'check' : 'copy'} />
      {label !== undefined && <span>{copied ? 'Copied' : label}</span>}
    </button>
  );
};
