import { useEffect, useState } from 'preact/hooks';
import type { Place } from '../location.ts';
import type { Page } from './message.ts';

type Known = { readonly seen: Set<string>; readonly fresh: Set<string> };

// By workspace, for as long as the page is open: the mock keeps no note of what was read.
const known = new Map<string, Known>();

/** Messages that came while the page was open and were not opened yet. */
export const useFresh = (key: string, page: Page | undefined, place: Place): ReadonlySet<string> => {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(known.get(key)?.fresh ?? new Set());
  const { id, query } = place;
  const newest = query.q === undefined && query.start === undefined;
  useEffect(() => {
    if (!page) return;
    const before = known.get(key);
    const ids = page.messages.map((message) => message.id);
    // Emptied: ids start over.
    if (!before || page.total === 0) known.set(key, { seen: new Set(ids), fresh: new Set() });
    else for (const one of ids) note(before, one, newest);
    const now = known.get(key);
    if (id !== undefined) now?.fresh.delete(id);
    setFresh(new Set(now?.fresh));
  }, [key, page, id, newest]);
  return fresh;
};

const note = ({ seen, fresh }: Known, id: string, newest: boolean): void => {
  if (!seen.has(id) && newest) fresh.add(id);
  seen.add(id);
};
