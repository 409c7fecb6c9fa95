import { Empty } from '../parts.tsx';
import { useStored } from '../stored.ts';
import { Tabs } from '../tabs.tsx';
import { useLoaded } from '../workspace.ts';
import { Finds } from './finds.tsx';
import { type HeadProps, MessageHead } from './head.tsx';
import type { Message } from './message.ts';
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

const Open = (props: HeadProps) => {
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
      <MessageHead {...props} />
      <Finds message={message} />
      <Tabs label="The message as" names={tabs} titles={titles} chosen={tab} choose={setTab}>
        {shown[tab]()}
      </Tabs>
    </>
  );
};
