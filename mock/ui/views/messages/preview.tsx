import { useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { Unavailable } from '../../components/view.tsx';
import { useStored } from '../../data/stored.ts';
import { useWorkspace } from '../../data/workspace.ts';

const widths = {
  full: ['Full width', 'desktop'],
  tablet: ['Tablet, 768 px', 'tablet'],
  phone: ['Phone, 390 px', 'phone'],
} as const;

const widthNames = Object.keys(widths) as (keyof typeof widths)[];

type Props = {
  /** Path of the message or template in the admin API. */
  readonly path: string;
  /** The loaded item. A new object reloads the frame. */
  readonly item: object;
};

/**
 * A frame without scripts, forms and an origin. The policy of its route also blocks them, and all requests. Remote images are
 * loaded by this browser on demand, never by the mock.
 */
export const HtmlPreview = ({ path, item }: Props) => {
  const { api, connection } = useWorkspace();
  const [width, setWidth] = useStored('preview-width', widthNames);
  const [images, setImages] = useState(false);
  const address = api.address(`${path}/preview${images ? '?images=1' : ''}`);
  const shown = useMemo(() => ({ item, address }), [item, address]);
  const connected = useRef<object>(undefined);
  if (connection.state !== 'lost') connected.current = shown;
  return (
    <div class="preview">
      <div class="bar line">
        <span class="remote line" role="status">
          <Icon name="image" />
          {images ? 'Remote images are loaded' : 'Remote content is blocked'}
          {!images && <Button text="Load images" kind="small" onClick={() => setImages(true)} />}
        </span>
        <div class="spacer" />
        <fieldset class="segments box">
          <legend class="visually-hidden">Width of the preview</legend>
          {widthNames.map((name) => (
            <Button
              key={name}
              icon={widths[name][1]}
              title={widths[name][0]}
              kind="small"
              aria-pressed={width === name}
              onClick={() => setWidth(name)}
            />
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
        {connected.current === shown ? (
          <iframe
            key={shown}
            class="box"
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
