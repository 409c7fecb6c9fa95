import { useEffect, useState } from 'preact/hooks';
import { type View, viewNames } from './views.ts';

/** Whether this is the page of `email-leads proxy`, which has requests only, or of the mock. The first tag of the file tells. */
export const isProxy = globalThis.document?.documentElement?.dataset.server === 'proxy';

export const serverName = isProxy ? 'proxy' : 'mock';

/** The view without a name in the address. */
export const firstView: View = isProxy ? 'requests' : 'messages';

export type Place = {
  /** The workspace, from `?key=`. */
  readonly key: string | undefined;
  readonly view: View;
  /** The id of the open item. */
  readonly id: string | undefined;
  readonly query: Readonly<Record<string, string>>;
};

/** Parses the URL: `?key=test_a#/messages/msg_000001?q=lena`. The view is in the fragment, so one file serves every view. */
export const readPlace = ({ search, hash }: { readonly search: string; readonly hash: string }): Place => {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [view, id] = path.split('/', 2).map(decode);
  return {
    key: new URLSearchParams(search).get('key') ?? undefined,
    view: viewNames.find((known) => known === view) ?? firstView,
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

/** The URL of a view, for `href`. The workspace before the # stays. */
export const hrefOf = (view: View, id?: string, query: Readonly<Record<string, string>> = {}): string => {
  const params = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  const path = id === undefined ? view : `${view}/${encodeURIComponent(id)}`;
  return `#/${path}${params.size > 0 ? `?${params}` : ''}`;
};

const navigated = new Event('moved');

/** Changes the URL: `push` adds an entry for the Back button, `replace` does not. */
export const navigate = (address: string, step: 'push' | 'replace' = 'push'): void => {
  if (step === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  dispatchEvent(navigated);
};

export const usePlace = (): Place => {
  const [place, setPlace] = useState(() => readPlace(location));
  useEffect(() => {
    const read = (): void => setPlace(readPlace(location));
    for (const event of ['popstate', 'hashchange', 'moved']) addEventListener(event, read);
    return () => {
      for (const event of ['popstate', 'hashchange', 'moved']) removeEventListener(event, read);
    };
  }, []);
  return place;
};
