import { useEffect } from 'preact/hooks';
import { useConfirm } from '../dialog.tsx';
import { Icon } from '../icons.tsx';
import { currentRow, useKeys } from '../keyboard.ts';
import { go, type Place, placeOf } from '../location.ts';
import { useNotify } from '../notice.tsx';
import { Pager, pageSize, startOf, ViewHead } from '../parts.tsx';
import { Search } from '../search.tsx';
import { useTemplateNames } from '../template-names.ts';
import { useLoaded, useWorkspace } from '../workspace.ts';
import { MessageDetail } from './detail.tsx';
import { useFresh } from './fresh.ts';
import { MessageList } from './list.tsx';
import type { Page } from './message.ts';
import { NoMessages } from './no-messages.tsx';

const listPath = (place: Place): string => {
  const { q = '' } = place.query;
  return `/outbox?${new URLSearchParams({ start: String(startOf(place)), limit: String(pageSize), ...(q ? { q } : {}) })}`;
};

/** What was "sent": the list, and beside it the message that is open. */
export const Messages = ({ place }: { readonly place: Place }) => {
  const { api } = useWorkspace();
  const { data } = useLoaded<Page>(listPath(place), ['outbox']);
  const names = useTemplateNames();
  const fresh = useFresh(api.key, data, place);
  const remove = useRemove(place);
  useTitle(api.key, fresh.size);
  const all = placeOf('messages', undefined, place.query);
  useKeys({
    Escape: () => go(all),
    Delete: () => {
      const id = currentRow()?.dataset.row ?? place.id;
      if (id !== undefined) void remove.one(id);
    },
  });
  const open = place.id !== undefined;
  return (
    <div class={open ? 'split open' : 'split'}>
      <section class="list-pane" aria-label="Messages">
        <ViewHead title="Messages" count={data?.total}>
          <Search place={place} label="Search messages" hint="Recipient, sender, subject, text" />
          <Pager place={place} total={data?.total ?? 0} />
          <button
            type="button"
            class="button danger delete-all"
            title="Delete all messages"
            aria-label="Delete all messages"
            disabled={!data?.total && !place.query.q}
            onClick={remove.all}
          >
            <Icon name="trash" />
            <span>Delete all</span>
          </button>
        </ViewHead>
        <Dropped count={data?.dropped ?? 0} />
        <p class="visually-hidden" aria-live="polite">
          {fresh.size > 0 ? `${fresh.size} new` : ''}
        </p>
        {data && data.messages.length > 0 && (
          <MessageList messages={data.messages} place={place} fresh={fresh} names={names} />
        )}
        {data && data.messages.length === 0 && <NoMessages place={place} />}
      </section>
      {place.id !== undefined && (
        <MessageDetail key={place.id} id={place.id} back={all} remove={remove.one} names={names} />
      )}
    </div>
  );
};

const Dropped = ({ count }: { readonly count: number }) =>
  count > 0 ? (
    <p class="hint">
      The outbox is full: {count.toLocaleString('en')} of the oldest messages were dropped (--outbox-limit).
    </p>
  ) : null;

const useTitle = (key: string, fresh: number): void =>
  useEffect(() => {
    document.title = `${fresh > 0 ? `(${fresh}) ` : ''}Outbox · ${key}`;
  }, [key, fresh]);

const useRemove = (place: Place) => {
  const { api, live } = useWorkspace();
  const { say, attempt } = useNotify();
  const confirm = useConfirm();
  const back = (): void => go(placeOf('messages', undefined, place.query), 'replace');
  return {
    one: async (id: string): Promise<void> => {
      const sure = await confirm({ title: 'Delete this message?', text: id, action: 'Delete' });
      if (!sure || !(await attempt(() => api.send('DELETE', `/outbox/${encodeURIComponent(id)}`)))) return;
      live.tell('outbox');
      say('Message deleted');
      if (place.id === id) back();
    },
    all: async (): Promise<void> => {
      const text = `Every message of ${api.key} goes, whatever is searched for. Leads, templates and requests stay.`;
      if (!(await confirm({ title: 'Delete all messages?', text, action: 'Delete all' }))) return;
      if (!(await attempt(() => api.send('DELETE', '/outbox', { all: true })))) return;
      live.tell('outbox');
      say('All messages deleted');
      go(placeOf('messages'), 'replace');
    },
  };
};
