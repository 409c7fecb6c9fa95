import { mockAddress } from '../api.ts';
import { CopyButton } from '../copy.tsx';
import { Icon } from '../icons.tsx';
import { placeOf } from '../location.ts';
import { Ago, Moment } from '../time.tsx';
import { useWorkspace } from '../workspace.ts';
import { type Message, recipientOf, subjectOf } from './message.ts';

export type HeadProps = {
  readonly message: Message;
  readonly back: string;
  readonly remove: (id: string) => Promise<void>;
  /** Of the template it was made from. */
  readonly name: string | undefined;
};

/** What a message is, whom it is from and to, and what can be done with it. */
export const MessageHead = ({ message, back, remove, name }: HeadProps) => {
  const { api } = useWorkspace();
  return (
    <header class="message-head">
      <div class="message-actions">
        <a class="icon-button" href={back} title="Back to the list (Esc)" aria-label="Back to the list">
          <Icon name="back" />
        </a>
        <div class="spacer" />
        <CopyButton
          text={() => stableAddress(api.key, message.id)}
          what="link to this message"
          label="Link"
        />
        <a
          class="button small"
          href={api.address(`/outbox/${encodeURIComponent(message.id)}/eml`)}
          download={`${message.id}.eml`}
          title="Download for a mail program"
        >
          <Icon name="download" />
          <span>.eml</span>
        </a>
        <button
          type="button"
          class="button small danger"
          title="Delete (Del)"
          onClick={() => remove(message.id)}
        >
          <Icon name="trash" />
          <span>Delete</span>
        </button>
      </div>
      <h2 class={message.subject || message.template_id ? '' : 'unnamed'} dir="auto">
        {subjectOf(message, name)}
      </h2>
      <Facts message={message} />
    </header>
  );
};

const Facts = ({ message }: { readonly message: Message }) => (
  <dl class="facts">
    <dt>From</dt>
    <dd>{message.from ? <Address text={message.from} /> : <i>nobody named</i>}</dd>
    <dt>To</dt>
    <dd>{message.to ? <Address text={message.to} /> : <i>{recipientOf(message)}</i>}</dd>
    <dt>Sent</dt>
    <dd>
      <Moment time={message.created_at} /> · <Ago time={message.created_at} />
    </dd>
    {message.template_id !== null && (
      <>
        <dt>Template</dt>
        <dd>
          <a href={placeOf('templates', message.template_id)}>{message.template_id}</a>
        </dd>
      </>
    )}
    <dt>Id</dt>
    <dd>
      <code>{message.id}</code>
    </dd>
  </dl>
);

const Address = ({ text }: { readonly text: string }) => (
  <span class="address">
    {text} <CopyButton text={text} what={text} />
  </span>
);

const stableAddress = (key: string, id: string): string =>
  `${mockAddress}/__admin/ui/?key=${encodeURIComponent(key)}${placeOf('messages', id)}`;
