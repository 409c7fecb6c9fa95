import { useEffect, useState } from 'preact/hooks';
import type { DropLimit } from '../../../store/log.ts';
import { Icon, Search } from '../../components/controls.tsx';
import { useConfirm, useNotify } from '../../components/dialogs.tsx';
import {
  Command,
  Dropped,
  Elsewhere,
  Empty,
  Pager,
  pageSize,
  startOf,
  Unavailable,
  ViewHead,
} from '../../components/list-view.tsx';
import { curlCommand } from '../../data/curl.ts';
import { currentRow, useKeys } from '../../data/keyboard-and-storage.ts';
import { hrefOf, navigate, type Place } from '../../data/router.ts';
import { useLoaded, useTemplateNames, useWorkspace } from '../../data/workspace.ts';
import { MessageDetail } from './detail.tsx';
import { MessageList } from './list.tsx';
import type { MessageSummary } from './tabs.tsx';

type MessagePage = {
  readonly messages: readonly MessageSummary[];
  readonly total: number;
  readonly dropped: number;
  readonly dropped_by: DropLimit | null;
};

/** The empty list: the search without results, or a command to send a message. */
const NoMessages = ({ place }: { readonly place: Place }) => {
  const { api } = useWorkspace();
  const { q, start } = place.query;
  if (q)
    return (
      <Empty icon="search" title={`No messages match “${q}”`}>
        <p>The search covers recipients, senders, subjects and texts.</p>
        <a class="button" href={hrefOf('messages')}>
          Show all messages
        </a>
      </Empty>
    );
  if (start)
    return (
      <Empty icon="mail" title="No older messages">
        <a class="button" href={hrefOf('messages')}>
          Show the newest messages
        </a>
      </Empty>
    );
  return (
    <Empty icon="mail" title="No messages yet">
      <Elsewhere view="messages" />
      <p>
        Mail your app sends with the key <code>{api.key}</code> shows here at once, and goes nowhere else. Try
        it:
      </p>
      <Command text={curlCommand(sample, api.key)} />
    </Empty>
  );
};

const sample = {
  method: 'POST',
  path: '/api/v1/email/send',
  type: 'application/json',
  body: '{"subject":"Your seat is reserved","from":"courses@example.com","to":"lena@example.com","html":"<p>See you!</p>"}',
};

const listPath = (place: Place): string => {
  const { q = '' } = place.query;
  return `/outbox?${new URLSearchParams({ start: String(startOf(place)), limit: String(pageSize), ...(q ? { q } : {}) })}`;
};

/** The captured messages: the list, and the open message beside it. */
export const Messages = ({ place }: { readonly place: Place }) => {
  const { api } = useWorkspace();
  const { data, error } = useLoaded<MessagePage>(listPath(place), ['outbox']);
  const names = useTemplateNames();
  const unread = useUnread(api.key, data, place);
  const actions = useRemove(place);
  useTitle(api.key, unread.size);
  const all = hrefOf('messages', undefined, place.query);
  useKeys({
    Escape: () => navigate(all),
    Delete: () => {
      const id = currentRow()?.dataset.row ?? place.id;
      if (id !== undefined) void actions.removeOne(id);
    },
  });
  const open = place.id !== undefined;
  return (
    <div class={open ? 'split open' : 'split'}>
      <section class="list-pane" aria-label="Messages">
        <ViewHead title="Messages" count={data?.total}>
          <Search
            place={place}
            label="Search messages"
            hint="Words, from: to: subject: &quot;a phrase&quot; -without"
          />
          <Pager place={place} total={data?.total ?? 0} />
          <button
            type="button"
            class="button danger delete-all"
            title="Delete all messages"
            aria-label="Delete all messages"
            disabled={!data?.total && !place.query.q}
            onClick={actions.removeAll}
          >
            <Icon name="trash" />
            <span>Delete all</span>
          </button>
        </ViewHead>
        <Dropped store="outbox" page={data} limits={limits} />
        <p class="visually-hidden" aria-live="polite">
          {unread.size > 0 ? `${unread.size} new` : ''}
        </p>
        {data && data.messages.length > 0 && (
          <MessageList messages={data.messages} place={place} unread={unread} names={names} />
        )}
        {data && data.messages.length === 0 && <NoMessages place={place} />}
        {!data && <Unavailable error={error} />}
      </section>
      {place.id !== undefined && (
        <MessageDetail key={place.id} id={place.id} back={all} remove={actions.removeOne} names={names} />
      )}
    </div>
  );
};

const limits = { count: '--outbox-limit', length: '--outbox-bytes' };

type ReadState = { readonly seen: Set<string>; readonly unread: Set<string> };

// By workspace, until the page is closed. The mock does not store which messages were read.
const readStates = new Map<string, ReadState>();

/** Messages that arrived while the page was open and have not been opened. */
const useUnread = (key: string, page: MessagePage | undefined, place: Place): ReadonlySet<string> => {
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

const useTitle = (key: string, unread: number): void =>
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ''}Outbox · ${key}`;
  }, [key, unread]);

const useRemove = (place: Place) => {
  const { api, live } = useWorkspace();
  const { showNotice, attempt } = useNotify();
  const confirm = useConfirm();
  const back = (): void => navigate(hrefOf('messages', undefined, place.query), 'replace');
  return {
    removeOne: async (id: string): Promise<void> => {
      const sure = await confirm({ title: 'Delete this message?', text: id, action: 'Delete' });
      if (!sure || !(await attempt(() => api.send('DELETE', `/outbox/${encodeURIComponent(id)}`)))) return;
      live.notify('outbox');
      showNotice('Message deleted');
      if (place.id === id) back();
    },
    removeAll: async (): Promise<void> => {
      const text = `All messages of ${api.key} are deleted, also those outside the current search. Leads, templates and requests stay.`;
      if (!(await confirm({ title: 'Delete all messages?', text, action: 'Delete all' }))) return;
      if (!(await attempt(() => api.send('DELETE', '/outbox', { all: true })))) return;
      live.notify('outbox');
      showNotice('All messages deleted');
      navigate(hrefOf('messages'), 'replace');
    },
  };
};
