import { type Place, placeOf } from '../location.ts';
import { Ago } from '../time.tsx';
import { recipientOf, type Summary, subjectOf } from './message.ts';

type Props = {
  readonly messages: readonly Summary[];
  readonly place: Place;
  readonly fresh: ReadonlySet<string>;
  /** Names of templates by id. */
  readonly names: ReadonlyMap<string, string>;
};

export const MessageList = ({ messages, place, fresh, names }: Props) => (
  <ul class="rows messages">
    {messages.map((message) => (
      <li key={message.id}>
        <Row
          message={message}
          place={place}
          fresh={fresh.has(message.id)}
          templateName={names.get(message.template_id ?? '')}
        />
      </li>
    ))}
  </ul>
);

type RowProps = {
  readonly message: Summary;
  readonly place: Place;
  readonly fresh: boolean;
  readonly templateName: string | undefined;
};

const Row = ({ message, place, fresh, templateName }: RowProps) => (
  <a
    class={fresh ? 'row fresh' : 'row'}
    data-row={message.id}
    href={placeOf('messages', message.id, place.query)}
    {...(message.id === place.id ? { 'aria-current': 'true' as const } : {})}
  >
    <span class={message.to ? 'who' : 'who nobody'} title={recipientOf(message)} dir="auto">
      {fresh && <span class="visually-hidden">New: </span>}
      {recipientOf(message)}
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
  </a>
);
