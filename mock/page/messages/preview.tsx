import { useMemo, useState } from 'preact/hooks';
import { Icon, type IconName } from '../icons.tsx';
import { useStored } from '../stored.ts';
import { useWorkspace } from '../workspace.ts';
import { type Remote, remoteParts } from './inert.ts';
import type { Message } from './message.ts';

const widths = ['phone', 'tablet', 'full'] as const;
type Width = (typeof widths)[number];

const widthTitles: Readonly<Record<Width, readonly [string, IconName]>> = {
  phone: ['Phone, 390 px', 'phone'],
  tablet: ['Tablet, 768 px', 'tablet'],
  full: ['Full width', 'desktop'],
};

export const Preview = ({ message }: { readonly message: Message }) => {
  const html = message.html ?? '';
  if (html === '') return <p class="hint">This message has an empty body.</p>;
  return <HtmlPreview path={`/outbox/${encodeURIComponent(message.id)}/preview`} html={html} />;
};

type Props = { readonly path: string; readonly html: string };

/**
 * A frame without scripts, forms and an origin, loaded from a route whose policy blocks the same and every request. Images
 * from elsewhere are loaded by this browser when they are asked for, never by the mock.
 */
export const HtmlPreview = ({ path, html }: Props) => {
  const { api } = useWorkspace();
  const [width, setWidth] = useStored<Width>('preview-width', widths, 'full');
  const [images, setImages] = useState(false);
  const remote = useMemo(() => remoteParts(html), [html]);
  const address = api.address(`${path}${images ? '?images=1' : ''}`);
  return (
    <div class="preview">
      <div class="preview-bar">
        <RemoteNote remote={remote} loaded={images} load={() => setImages(true)} />
        <div class="spacer" />
        <fieldset class="segments">
          <legend class="visually-hidden">Width of the preview</legend>
          {widths.map((name) => (
            <button
              key={name}
              type="button"
              title={widthTitles[name][0]}
              aria-label={widthTitles[name][0]}
              aria-pressed={width === name}
              onClick={() => setWidth(name)}
            >
              <Icon name={widthTitles[name][1]} />
            </button>
          ))}
        </fieldset>
        <a
          class="icon-button small"
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          title="Open in a new tab"
          aria-label="Open the preview in a new tab"
        >
          <Icon name="external" />
        </a>
      </div>
      <div class={`preview-stage ${width}`}>
        <iframe
          key={address}
          title="The message as its reader sees it"
          src={address}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerpolicy="no-referrer"
        />
      </div>
    </div>
  );
};

type NoteProps = { readonly remote: Remote; readonly loaded: boolean; readonly load: () => void };

const RemoteNote = ({ remote: { images, others }, loaded, load }: NoteProps) => {
  if (images.length + others === 0) return <span class="hint">Nothing remote in it</span>;
  const blocked = [
    ...(images.length > 0 && !loaded ? [counted(images.length, 'image')] : []),
    ...(others > 0 ? [counted(others, 'other resource')] : []),
  ];
  return (
    <span class="remote" role="status">
      {blocked.length > 0 ? (
        <>
          <Icon name="image" />
          {blocked.join(' and ')} blocked
        </>
      ) : (
        `${counted(images.length, 'remote image')} loaded`
      )}
      {images.length > 0 && !loaded && (
        <button type="button" class="button small" onClick={load}>
          Load images
        </button>
      )}
    </span>
  );
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
