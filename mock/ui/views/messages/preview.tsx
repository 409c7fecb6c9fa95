import { useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from '../../components/controls.tsx';
import { Unavailable } from '../../components/list-view.tsx';
import { useFrameFocus, useStored } from '../../data/keyboard-and-storage.ts';
import { useWorkspace } from '../../data/workspace.ts';
import type { FullMessage } from './tabs.tsx';

const widths = ['phone', 'tablet', 'full'] as const;
type Width = (typeof widths)[number];

const widthTitles: Readonly<Record<Width, readonly [string, IconName]>> = {
  phone: ['Phone, 390 px', 'phone'],
  tablet: ['Tablet, 768 px', 'tablet'],
  full: ['Full width', 'desktop'],
};

export const Preview = ({ message }: { readonly message: FullMessage }) => {
  const html = message.html ?? '';
  if (html === '') return <p class="hint">This message has an empty body.</p>;
  return <HtmlPreview path={`/outbox/${encodeURIComponent(message.id)}`} item={message} />;
};

type HtmlProps = {
  /** Path of the message or template in the admin API. */
  readonly path: string;
  /** The loaded item. A new object reloads the frame. */
  readonly item: object;
  readonly query?: Readonly<Record<string, string>>;
};

/**
 * A frame without scripts, forms and an origin. The policy of its route also blocks them, and all requests. Remote images are
 * loaded by this browser on demand, never by the mock.
 */
export const HtmlPreview = ({ path, item, query = {} }: HtmlProps) => {
  const { api, connection } = useWorkspace();
  const [width, setWidth] = useStored<Width>('preview-width', widths, 'full');
  const [images, setImages] = useState(false);
  const frame = useRef<HTMLIFrameElement>(null);
  useFrameFocus(frame);
  const parameters = new URLSearchParams({ ...query, ...(images ? { images: '1' } : {}) });
  const address = api.address(`${path}/preview${parameters.size > 0 ? `?${parameters}` : ''}`);
  const loads = useRef({ item, count: 0 });
  if (loads.current.item !== item) loads.current = { item, count: loads.current.count + 1 };
  const version = `${loads.current.count} ${address}`;
  const connectedVersion = useRef('');
  if (connection.state !== 'lost') connectedVersion.current = version;
  return (
    <div class="preview">
      <div class="preview-bar">
        <span class="remote" role="status">
          {images ? (
            'Remote images are loaded'
          ) : (
            <>
              <Icon name="image" />
              Remote content is blocked
              <button type="button" class="button small" onClick={() => setImages(true)}>
                Load images
              </button>
            </>
          )}
        </span>
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
        {connectedVersion.current === version ? (
          <iframe
            key={version}
            ref={frame}
            title="Preview"
            src={address}
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            referrerpolicy="no-referrer"
          />
        ) : (
          // Otherwise the browser would show its own error page.
          <Unavailable />
        )}
      </div>
    </div>
  );
};
