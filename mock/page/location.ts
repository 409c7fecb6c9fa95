import { useEffect, useState } from 'preact/hooks';

export type View =
  | 'messages'
  | 'requests'
  | 'leads'
  | 'templates'
  | 'questions'
  | 'faults'
  | 'clock'
  | 'state';

export type Place = {
  /** The workspace, from `?key=`. */
  readonly key: string | undefined;
  readonly view: View;
  /** What of the view is open. */
  readonly id: string | undefined;
  readonly query: Readonly<Record<string, string>>;
};

const views: readonly View[] = [
  'messages',
  'requests',
  'leads',
  'templates',
  'questions',
  'faults',
  'clock',
  'state',
];

/** Where the page is: `?key=test_a#/messages/msg_000001?q=lena`. After the #, so that it is one file under any path. */
export const readPlace = ({ search, hash }: { readonly search: string; readonly hash: string }): Place => {
  const [path = '', asked = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [view, id] = path.split('/', 2).map(decoded);
  return {
    key: new URLSearchParams(search).get('key') ?? undefined,
    view: views.find((known) => known === view) ?? 'messages',
    id: id || undefined,
    query: Object.fromEntries(new URLSearchParams(asked)),
  };
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The address of a view, for `href`: the workspace in front of the # stays. */
export const placeOf = (view: View, id?: string, query: Readonly<Record<string, string>> = {}): string => {
  const given = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  const path = id === undefined ? view : `${view}/${encodeURIComponent(id)}`;
  return `#/${path}${given.size > 0 ? `?${given}` : ''}`;
};

const moved = new Event('moved');

/** Goes there: a step for the Back button, or none where it only refines where one is. */
export const go = (address: string, step: 'push' | 'replace' = 'push'): void => {
  if (step === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  dispatchEvent(moved);
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
