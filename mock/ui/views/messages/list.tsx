import { ListRow } from '../../components/list-view.tsx';
import { Ago } from '../../components/time.tsx';
import { hrefOf, type Place } from '../../data/router.ts';
import { type MessageSummary, recipientOf, subjectOf } from './tabs.tsx';

type Props = {
  readonly messages: readonly MessageSummary[];
  readonly place: Place;
  readonly unread: ReadonlySet<string>;
  /** Names of templates by id. */
  readonly names: ReadonlyMap<string, string>;
};

export const MessageList = ({ messages, place, unread, names }: Props) => (
  <ul class="rows messages">
    {messages.map((message) => (
      <li key={message.id}>
        <Row
          message={message}
          place={place}
          isUnread={unread.has(message.id)}
          templateName={names.get(message.template_id ?? '')}
        />
      </li>
    ))}
  </ul>
);

type RowProps = {
  readonly message: MessageSummary;
  readonly place: Place;
  readonly isUnread: boolean;
  readonly templateName: string | undefined;
};

const Row = ({ message, place, isUnread, templateName }: RowProps) => (
  <ListRow
    id={message.id}
    href={hrefOf('messages', message.id, place.query)}
    isOpen={message.id === place.id}
    isFresh={isUnread}
  >
    <span class={message.to ? 'who' : 'who nobody'} title={recipientOf(message)} dir="auto">
      {isUnread && <span class="visually-hidden">New: </span>}
      {recipientOf(message)}
    </span>
    <span class="from" title={message.from ?? ''} dir="auto">
      {message.from && `from ${message.from}`}
    </span>
    <span class="what">
      <b class={message.subject || message.template_id ? '' : 'unnamed'} dir="auto">
        {subjectOf(message, templateName)}
      </b>
      {message.snippet && (
        <span class="snippet" dir="auto">
          {message.snippet}
        </span>
      )}
    </span>
    {message.template_id !== null && (
      <span class="tag" title={`From template ${message.template_id}`}>
        template {message.template_id}
      </span>
    )}
    <span class="when">
      <Ago time={message.created_at} />
    </span>
  </ListRow>
);
