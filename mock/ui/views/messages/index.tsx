import { useEffect, useMemo } from 'preact/hooks';
import type { CapturedMessage } from '../../../mail/captured.ts';
import type { Template } from '../../../mail/template.ts';
import type { WarningId } from '../../../mail/warning.ts';
import type { MessageSummary } from '../../../nouns/outbox.ts';
import { useEditor } from '../../components/editor.tsx';
import { List, type Row } from '../../components/list.tsx';
import { Ago } from '../../components/time.tsx';
import { currentRow, useKeys } from '../../data/keyboard.ts';
import type { Place } from '../../data/router.ts';
import { countText } from '../../data/text.ts';
import { useLoaded, useWorkspace } from '../../data/workspace.ts';
import { OpenMessage, subjectOf } from './detail.tsx';
import { Notifications } from './notifications.tsx';

const limits = { count: '--outbox-limit', length: '32 Mi characters' };

const sample = {
  method: 'POST',
  path: '/api/v1/email/send',
  type: 'application/json',
  body: '{"subject":"Your seat is reserved","from":"courses@example.com","to":"lena@example.com","html":"<p>See you!</p>"}',
};

/** The captured messages. */
export const Messages = ({ place }: { readonly place: Place }) => {
  const { api } = useWorkspace();
  const names = useTemplateNames();
  const { remove } = useEditor('messages');
  useEffect(() => {
    document.title = `Outbox · ${api.key}`;
  }, [api]);
  useKeys({
    Delete: () => {
      const id = currentRow()?.dataset.row ?? place.id;
      if (id !== undefined) remove(id, id);
    },
  });
  return (
    <List<MessageSummary, CapturedMessage>
      place={place}
      view="messages"
      filters={[{ name: 'warning' }]}
      searchHint="Words in a message"
      tools={<Notifications />}
      deletion={`All messages of ${api.key} are deleted, also those outside the current search. Leads, templates and requests stay.`}
      limits={limits}
      rowOf={(message) => rowOf(message, names)}
      about={
        <>
          Mail your app sends with the key <code>{api.key}</code> shows here at once, and goes nowhere else.
          Try it:
        </>
      }
      sample={sample}
    >
      {(message, back) => <OpenMessage message={message} names={names} back={back} />}
    </List>
  );
};

/** Template names by id. */
const useTemplateNames = (): ReadonlyMap<string, string> => {
  const { data } = useLoaded<{ readonly templates: readonly Template[] }>('/templates', ['templates']);
  return useMemo(() => new Map(data?.templates.map(({ id, name }) => [id, name])), [data]);
};

const rowOf = (message: MessageSummary, names: ReadonlyMap<string, string>): Row => ({
  id: message.id,
  who: message.to || <i>no recipient</i>,
  extra: message.from ? `from ${message.from}` : '',
  what: (
    <>
      <b>{subjectOf(message, names)}</b> <bdi class="snippet">{message.snippet}</bdi>
    </>
  ),
  side: (
    <>
      <WarningCount ids={message.warning_ids} />{' '}
      {message.template_id !== null && <span class="chip">template {message.template_id}</span>}
    </>
  ),
  when: <Ago time={message.created_at} />,
});

/** The number of warnings, in a row of the list. */
const WarningCount = ({ ids }: { readonly ids: readonly WarningId[] }) =>
  ids.length === 0 ? null : (
    <span class="chip warn" title={ids.join(', ')}>
      {countText(ids.length, 'warning')}
    </span>
  );
