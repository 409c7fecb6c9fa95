import { CopyButton } from '../../components/code-block.tsx';
import type { FullMessage } from './detail.tsx';

/** The codes and links in a message. Nothing is opened automatically. */
export const Links = ({ message: { links, codes } }: { readonly message: FullMessage }) => {
  if (links.length + codes.length === 0) return null;
  return (
    <div class="finds">
      {codes.length > 0 && (
        <ul aria-label="Codes" class="line">
          {codes.map((code) => (
            <li key={code} class="code box line">
              <code>{code}</code>
              <CopyButton text={code} subject={`code ${code}`} />
            </li>
          ))}
        </ul>
      )}
      {links.length > 0 && (
        <details open={links.length <= 2}>
          <summary>
            {links.length} {links.length === 1 ? 'link' : 'links'}
          </summary>
          <ul aria-label="Links" class="links">
            {links.map((url) => (
              <li key={url}>
                <CopyButton text={url} subject="link" />
                <Link url={url} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
};

// Only safe schemes become links. Others, such as `javascript:`, are shown as text.
const Link = ({ url }: { readonly url: string }) =>
  /^(https?|mailto|tel):/i.test(url) ? (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {url}
    </a>
  ) : (
    <span>{url}</span>
  );
