import { useEffect, useState } from 'preact/hooks';
import type { Message } from '../../../mail/message.ts';
import type { DropLimit } from '../../../workspace/bounded-log.ts';
import type { Place } from '../../data/router.ts';

type ReadState = { readonly seen: Set<string>; readonly unread: Set<string> };

// By workspace, until the page is closed: the mock does not store which messages were read.
const readStates = new Map<string, ReadState>();

/** Messages that arrived while the page was open and have not been opened. */
export const useUnread = (key: string, page: MessagePage | undefined, place: Place): ReadonlySet<string> => {
  const [unread, setUnread] = useState<ReadonlySet<string>>(readStates.get(key)?.unread ?? new Set());
  const { id, query } = place;
  const isNewestPage = query.q === undefined && query.start === undefined;
  useEffect(() => {
    if (!page) return;
    const previous = readStates.get(key);
    const ids = page.messages.map((message) => message.id);
    // The outbox is empty: ids may start again.
    if (!previous || page.total === 0) readStates.set(key, { seen: new Set(ids), unread: new Set() });
    else for (const messageId of ids) addSeen(previous, messageId, isNewestPage);
    const current = readStates.get(key);
    if (id !== undefined) current?.unread.delete(id);
    setUnread(new Set(current?.unread));
  }, [key, page, id, isNewestPage]);
  return unread;
};

const addSeen = ({ seen, unread }: ReadState, id: string, isNewestPage: boolean): void => {
  if (!seen.has(id) && isNewestPage) unread.add(id);
  seen.add(id);
};

/** A message in a list: without its contents, with the beginning of its text. */
export type MessageSummary = Omit<Message, 'html' | 'variables'> & { readonly snippet: string };

/** A single message, with its text and the links and codes in it. */
export type FullMessage = Message & {
  readonly snippet: string;
  readonly text: string;
  readonly links: readonly string[];
  readonly codes: readonly string[];
};

export type MessagePage = {
  readonly messages: readonly MessageSummary[];
  readonly total: number;
  readonly dropped: number;
  readonly dropped_by: DropLimit | null;
};

export const recipientOf = ({ to }: MessageSummary): string => to || 'no recipient';

/** A template mail has no subject of its own (§4.3). */
export const subjectOf = ({ subject, template_id }: MessageSummary, templateName?: string): string => {
  if (subject) return subject;
  return template_id === null ? '(no subject)' : (templateName ?? `Template ${template_id}`);
};
