import { type Place, placeOf } from '../location.ts';
import { Ago } from '../time.tsx';
import { recipientOf, type Summary, subjectOf } from './message.ts';

type Props = {
  readonly messages: readonly Summary[];
  readonly place: Place;
  readonly fresh: ReadonlySet<string>;
};

export const MessageList = ({ messages, place, fresh }: Props) => (
  <ul class="rows messages">
    {messages.map((message) => (
      <li key={message.id}>
        <Row message={message} place={place} fresh={fresh.has(message.id)} />
      </li>
    ))}
  </ul>
);

type RowProps = { readonly message: Summary; readonly place: Place; readonly fresh: boolean };

const Row = ({ message, place, fresh }: RowProps) => (
  <a
    class={fresh ? 'row fresh' : 'row'}
    data-row={message.id}
    href={placeOf('messages', message.id, place.query)}
    {...(message.id === place.id ? { 'aria-current': 'true' as const } : {})}
  >
    <span class={message.to ? 'who' : 'who nobody'} title={recipientOf(message)}>
      {fresh && <span class="visually-hidden">New: </span>}
      {recipientOf(message)}
    </span>
    <span class="what">
      <b class={message.subject ? '' : 'unnamed'}>{subjectOf(message)}</b>
      {message.snippet && <span class="snippet">{message.snippet}</span>}
    </span>
    {message.template_id !== null && (
      <span class="tag" title={`From template ${message.template_id}`}>
        {message.template_id}
      </span>
    )}
    <span class="when">
      <Ago time={message.created_at} />
    </span>
  </a>
);
