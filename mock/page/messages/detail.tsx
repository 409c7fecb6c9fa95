import { mockAddress } from '../api.ts';
import { CopyButton } from '../copy.tsx';
import { Icon } from '../icons.tsx';
import { placeOf } from '../location.ts';
import { Empty } from '../parts.tsx';
import { useStored } from '../stored.ts';
import { Tabs } from '../tabs.tsx';
import { Ago, Moment } from '../time.tsx';
import { useLoaded, useWorkspace } from '../workspace.ts';
import { Finds } from './finds.tsx';
import { type Message, recipientOf, subjectOf } from './message.ts';
import { Preview } from './preview.tsx';
import { RequestTab } from './request-tab.tsx';
import { Raw, Source, Text, Variables } from './texts.tsx';

const tabs = ['preview', 'html', 'text', 'variables', 'raw', 'request'] as const;
type Tab = (typeof tabs)[number];

const titles: Readonly<Record<Tab, string>> = {
  preview: 'Preview',
  html: 'HTML source',
  text: 'Text',
  variables: 'Variables',
  raw: 'Raw (.eml)',
  request: 'Request',
};

type Props = {
  readonly id: string;
  readonly back: string;
  readonly remove: (id: string) => Promise<void>;
  readonly names: ReadonlyMap<string, string>;
};

export const MessageDetail = ({ id, back, remove, names }: Props) => {
  const { data, error } = useLoaded<Message>(`/outbox/${encodeURIComponent(id)}`, ['reset']);
  return (
    <article class="detail-pane" aria-label="Message">
      {data && !error && (
        <Open message={data} back={back} remove={remove} name={names.get(data.template_id ?? '')} />
      )}
      {error && <Gone id={id} back={back} />}
    </article>
  );
};

const Gone = ({ id, back }: { readonly id: string; readonly back: string }) => (
  <Empty icon="mail" title="This message is gone">
    <p>
      There is no <code>{id}</code> in this workspace: it was deleted, reset, or dropped because the outbox
      was full. Another workspace may have one of that name.
    </p>
    <a class="button" href={back}>
      Back to the messages
    </a>
  </Empty>
);

type OpenProps = {
  readonly message: Message;
  readonly back: string;
  readonly remove: Props['remove'];
  /** Of the template it was made from. */
  readonly name: string | undefined;
};

const Open = (props: OpenProps) => {
  const { message } = props;
  const [tab, setTab] = useStored<Tab>('message-tab', tabs, 'preview');
  const shown: Readonly<Record<Tab, () => preact.JSX.Element>> = {
    preview: () => <Preview message={message} />,
    html: () => <Source html={message.html ?? ''} />,
    text: () => <Text html={message.html ?? ''} />,
    variables: () => <Variables message={message} />,
    raw: () => <Raw id={message.id} />,
    request: () => <RequestTab message={message} />,
  };
  return (
    <>
      <Head {...props} />
      <Finds message={message} />
      <Tabs label="The message as" names={tabs} titles={titles} chosen={tab} choose={setTab}>
        {shown[tab]()}
      </Tabs>
    </>
  );
};

const Head = ({ message, back, remove, name }: OpenProps) => {
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
