import { useEffect, useState } from 'preact/hooks';
import { type View, viewNames } from './views.ts';

/** Whether this is the page of `email-leads proxy`, which has requests only, or of the mock. The first tag of the file tells. */
export const isProxy = globalThis.document?.documentElement?.dataset.server === 'proxy';

export const serverName = isProxy ? 'proxy' : 'mock';

/** The view without a name in the address. */
export const firstView: View = isProxy ? 'requests' : 'messages';

/** The workspace, from `?key=`. Another one is another page. */
export const workspaceKey = (): string => new URLSearchParams(location.search).get('key') ?? '';

/** The address of a view in another workspace. An open item is closed, because it belongs to the old one. */
export const workspaceHref = (key: string, view: View): string =>
  `?key=${encodeURIComponent(key)}${hrefOf(view)}`;

export type Query = Readonly<Record<string, string>>;

export type Place = {
  readonly view: View;
  /** The id of the open item. */
  readonly id: string | undefined;
  readonly query: Query;
};

/** Parses the fragment, as in `#/messages/msg_000001?q=lena`. The view is in the fragment, so one file serves every view. */
export const readPlace = (hash = location.hash): Place => {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [view, id] = path.split('/', 2).map(decode);
  return {
    view: (!isProxy && viewNames.find((known) => known === view)) || firstView,
    id: id || undefined,
    query: Object.fromEntries(new URLSearchParams(query)),
  };
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The address of a place in this workspace, for links and for `location`. */
export const hrefOf = (view: View, id?: string, query: Query = {}): string => {
  const params = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  const path = id === undefined ? view : `${view}/${encodeURIComponent(id)}`;
  return `#/${path}${params.size > 0 ? `?${params}` : ''}`;
};

export const usePlace = (): Place => {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const read = (): void => setHash(location.hash);
    // It may have changed since the component was rendered.
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return readPlace(hash);
};
