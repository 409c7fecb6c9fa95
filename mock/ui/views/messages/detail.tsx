import { CopyButton } from '../../components/code-block.tsx';
import { Icon, Tabs } from '../../components/controls.tsx';
import { Empty, Unavailable } from '../../components/list-view.tsx';
import { Ago, Moment } from '../../components/time.tsx';
import { mockAddress } from '../../data/api.ts';
import { useStored } from '../../data/keyboard-and-storage.ts';
import { hrefOf } from '../../data/router.ts';
import { useLoaded, useWorkspace } from '../../data/workspace.ts';
import { Preview } from './preview.tsx';
import {
  type FullMessage,
  Raw,
  RequestTab,
  recipientOf,
  Source,
  subjectOf,
  Text,
  Variables,
} from './tabs.tsx';

/** The codes and links in a message. Nothing is opened automatically. */
const LinksAndCodes = ({ message }: { readonly message: FullMessage }) => {
  const { links, codes } = message;
  if (links.length + codes.length === 0) return null;
  return (
    <div class="finds">
      {codes.length > 0 && (
        <ul aria-label="Codes">
          {codes.map((code) => (
            <li key={code} class="code">
              <code>{code}</code>
              <CopyButton text={code} subject={`code ${code}`} />
            </li>
          ))}
        </ul>
      )}
      {links.length > 0 && (
        <details open={links.length <= 2}>
          <summary>
            {links.length} {links.length === 1 ? 'link' : 'links'}
          </summary>
          <ul aria-label="Links" class="links">
            {links.map((url) => (
              <li key={url}>
                <CopyButton text={url} subject="link" />
                <Link url={url} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
};

// Only safe schemes become links. Others, such as `javascript:`, are shown as text.
const Link = ({ url }: { readonly url: string }) =>
  /^(https?|mailto|tel):/i.test(url) ? (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {url}
    </a>
  ) : (
    <span>{url}</span>
  );

type HeadProps = {
  readonly message: FullMessage;
  readonly back: string;
  readonly remove: (id: string) => Promise<void>;
  /** The name of its template. */
  readonly name: string | undefined;
};

/** The header of a message: subject, sender, recipient and actions. */
const MessageHead = ({ message, back, remove, name }: HeadProps) => {
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
          subject="link to this message"
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

const Facts = ({ message }: { readonly message: FullMessage }) => (
  <dl class="facts">
    <dt>From</dt>
    <dd>{message.from ? <Address text={message.from} /> : <i>not specified</i>}</dd>
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
          <a href={hrefOf('templates', message.template_id)}>{message.template_id}</a>
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
    {text} <CopyButton text={text} subject={text} />
  </span>
);

const stableAddress = (key: string, id: string): string =>
  `${mockAddress}/__admin/ui/?key=${encodeURIComponent(key)}${hrefOf('messages', id)}`;

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
  const { data, error } = useLoaded<FullMessage>(`/outbox/${encodeURIComponent(id)}`, ['reset']);
  return (
    <article class="detail-pane" aria-label="Message">
      {data && !error && (
        <Open message={data} back={back} remove={remove} name={names.get(data.template_id ?? '')} />
      )}
      {error?.status === 404 && <Gone id={id} back={back} />}
      {error?.status !== 404 && !data && (
        <Unavailable error={error}>
          <BackLink back={back} />
        </Unavailable>
      )}
    </article>
  );
};

const Gone = ({ id, back }: { readonly id: string; readonly back: string }) => (
  <Empty icon="mail" title="Message not found">
    <p>
      There is no <code>{id}</code> in this workspace: it was deleted, reset, or dropped because the outbox
      was full. Another workspace may have one of that name.
    </p>
    <BackLink back={back} />
  </Empty>
);

const BackLink = ({ back }: { readonly back: string }) => (
  <a class="button" href={back}>
    Back to the messages
  </a>
);

const Open = (props: HeadProps) => {
  const { message } = props;
  const [tab, setTab] = useStored<Tab>('message-tab', tabs, 'preview');
  const shown: Readonly<Record<Tab, () => preact.JSX.Element>> = {
    preview: () => <Preview message={message} />,
    html: () => <Source html={message.html ?? ''} />,
    text: () => <Text text={message.text} />,
    variables: () => <Variables message={message} />,
    raw: () => <Raw id={message.id} />,
    request: () => <RequestTab message={message} />,
  };
  return (
    <>
      <MessageHead {...props} />
      <LinksAndCodes message={message} />
      <Tabs label="The message as" names={tabs} titles={titles} chosen={tab} choose={setTab}>
        {shown[tab]()}
      </Tabs>
    </>
  );
};
