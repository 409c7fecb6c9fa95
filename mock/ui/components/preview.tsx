import { useMemo, useState } from 'preact/hooks';
import { addressOf } from '../data/api.ts';
import { Button, Icon } from './controls.tsx';

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
  const [images, setImages] = useState(false);
  const address = addressOf(`${path}/preview${images ? '?images=1' : ''}`);
  const shown = useMemo(() => ({ item, address }), [item, address]);
  return (
    <div class="preview">
      <div class="bar line">
        <span class="remote line" role="status">
          <Icon name="image" />
          {images ? 'Remote images are loaded' : 'Remote content is blocked'}
          {!images && <Button text="Load images" kind="small" onClick={() => setImages(true)} />}
        </span>
        <div class="spacer" />
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
      <div class="preview-stage">
        <iframe
          key={shown}
          class="box"
          title="Preview"
          src={address}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerpolicy="no-referrer"
        />
      </div>
    </div>
  );
};
