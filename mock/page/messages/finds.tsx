import { CopyButton } from '../copy.tsx';
import type { Message } from './message.ts';

/** What tests and people look for in a mail: its codes and its links. Nothing here is opened by itself. */
export const Finds = ({ message }: { readonly message: Message }) => {
  const { links, codes } = message;
  if (links.length + codes.length === 0) return null;
  return (
    <div class="finds">
      {codes.length > 0 && (
        <ul aria-label="Codes">
          {codes.map((code) => (
            <li key={code} class="code">
              <code>{code}</code>
              <CopyButton text={code} what={`code ${code}`} />
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
                <CopyButton text={url} what="link" />
                <Link url={url} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
};

// Only what leads to a page: `javascript:` and its like are shown, never to be clicked.
const Link = ({ url }: { readonly url: string }) =>
  /^(https?|mailto|tel):/i.test(url) ? (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {url}
    </a>
  ) : (
    <span>{url}</span>
  );
