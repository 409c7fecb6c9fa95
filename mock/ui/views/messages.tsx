import { useMemo } from 'preact/hooks';
import type { CapturedMessage } from '../../mail/captured.ts';
import type { Message, Template } from '../../mail/template.ts';
import type { MessageWarning } from '../../mail/warnings.ts';
import type { MessageSummary } from '../../nouns/outbox.ts';
import { CodeBlock, Copied, CopyButton } from '../components/code-block.tsx';
import { Icon, Tabs } from '../components/controls.tsx';
import { List, type Row } from '../components/list.tsx';
import { FactList, type Shown } from '../components/pane.tsx';
import { HtmlPreview } from '../components/preview.tsx';
import { Moment } from '../components/time.tsx';
import { addressOf } from '../data/api.ts';
import { useLoaded } from '../data/live.ts';
import { hrefOf, workspaceKey } from '../data/router.ts';
import { countText, itemPath } from '../data/views.ts';

const sample = {
  method: 'POST',
  path: '/api/v1/email/send',
  type: 'application/json',
  body: '{"subject":"Your seat is reserved","from":"courses@example.com","to":"lena@example.com","html":"<p>See you!</p>"}',
};

/** The names of the templates by id. */
type Names = ReadonlyMap<string, string>;

/** The captured messages. */
export const Messages = () => {
  const { data } = useLoaded<{ readonly templates: readonly Template[] }>('/templates', ['templates']);
  const names = useMemo(() => new Map(data?.templates.map(({ id, name }) => [id, name])), [data]);
  const key = workspaceKey();
  return (
    <List<MessageSummary, CapturedMessage>
      view="messages"
      filters={[{ name: 'warning' }]}
      searchHint="Words in a message"
      deletion={`All messages of ${key} are deleted, also those outside the current search. Leads, templates and requests stay.`}
      rowOf={(message) => rowOf(message, names)}
      about={
        <>
          Mail your app sends with the key <code>{key}</code> shows here at once, and goes nowhere else. Try
          it:
        </>
      }
      sample={sample}
      show={(message) => show(message, names)}
    />
  );
};

/** A template mail has no subject of its own (§4.3). */
const subjectOf = ({ subject, template_id }: Pick<Message, 'subject' | 'template_id'>, names: Names) => {
  if (subject) return subject;
  return template_id === null ? <i>(no subject)</i> : (names.get(template_id) ?? `Template ${template_id}`);
};

const rowOf = (message: MessageSummary, names: Names): Row => {
  const { id, from, to, template_id, warning_ids: warnings } = message;
  return {
    id,
    who: to || <i>no recipient</i>,
    extra: from ? `from ${from}` : '',
    what: (
      <>
        <b>{subjectOf(message, names)}</b> <bdi class="snippet">{message.snippet}</bdi>
      </>
    ),
    side: (
      <>
        {warnings.length > 0 && (
          <span class="chip warn" title={warnings.join(', ')}>
            {countText(warnings.length, 'warning')}
          </span>
        )}{' '}
        {template_id !== null && <span class="chip">template {template_id}</span>}
      </>
    ),
    when: <Moment time={message.created_at} format="short" />,
  };
};

const show = (message: CapturedMessage, names: Names): Shown => {
  const { id, from, to, created_at, template_id, request_id, html, text, warnings } = message;
  const path = itemPath('messages', id);
  return {
    title: subjectOf(message, names),
    actions: (
      <>
        <CopyButton text={location.href} subject="link to this message" label="Link" />
        <a
          class="button small"
          href={addressOf(`${path}/eml`)}
          download={`${id}.eml`}
          title="Download for a mail program"
        >
          <Icon name="download" />
          <span>.eml</span>
        </a>
      </>
    ),
    facts: [
      ['From', from ? <Copied text={from} /> : <i>not specified</i>],
      ['To', to ? <Copied text={to} /> : <i>no recipient</i>],
      ['Sent', <Moment time={created_at} />],
      ['Template', template_id !== null && <a href={hrefOf('templates', template_id)}>{template_id}</a>],
      ['Request', request_id !== null && <a href={hrefOf('requests', request_id)}>{request_id}</a>],
      ['Id', <code>{id}</code>],
    ],
    content: (
      <>
        <Finds message={message} />
        <Tabs
          label="The message as"
          tabs={{
            preview: ['Preview', () => <HtmlPreview path={path} item={message} />],
            html: ['HTML source', () => <CodeBlock text={html ?? ''} subject="HTML" />],
            text: ['Text', () => <CodeBlock text={text ?? ''} subject="text" isProse />],
            warnings: [
              warnings.length === 0 ? 'Warnings' : `Warnings (${warnings.length})`,
              () => <Warnings warnings={warnings} />,
            ],
            variables: ['Variables', () => <Variables message={message} />],
          }}
        />
      </>
    ),
  };
};

const Nothing = ({ text }: { readonly text: string }) => <p class="hint">{text}</p>;

/** The codes and links in a message. Nothing is opened automatically. */
const Finds = ({ message: { links, codes } }: { readonly message: CapturedMessage }) => {
  if (links.length + codes.length === 0) return null;
  return (
    <div class="finds">
      {codes.length > 0 && (
        <ul aria-label="Codes" class="line">
          {codes.map((code) => (
            <li key={code} class="code box line">
              <code>{code}</code>
              <CopyButton text={code} subject={`code ${code}`} />
            </li>
          ))}
        </ul>
      )}
      {links.length > 0 && (
        <details open={links.length <= 2}>
          <summary>{countText(links.length, 'link')}</summary>
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

/** What is probably wrong with a message, why that matters, and where it is explained. */
const Warnings = ({ warnings }: { readonly warnings: readonly MessageWarning[] }) =>
  warnings.length === 0 ? (
    <Nothing text="Nothing was found that is probably wrong with this message." />
  ) : (
    <ul class="findings" aria-label="Warnings">
      {warnings.map(({ id, what, why, more }) => (
        <li key={id} class="warn">
          <b>{id}</b> <bdi>{what}</bdi>
          <p class="hint">
            {why}{' '}
            <a href={more} target="_blank" rel="noopener noreferrer" aria-label={`More about ${id}`}>
              More
            </a>{' '}
            ·{' '}
            <a href={hrefOf('messages', undefined, { warning: id, tab: 'warnings' })}>All messages with it</a>
          </p>
        </li>
      ))}
    </ul>
  );

const Variables = ({ message: { template_id, variables } }: { readonly message: CapturedMessage }) => {
  const entries = Object.entries(variables ?? {});
  if (entries.length === 0)
    return (
      <Nothing text={template_id === null ? 'Only mail from a template has variables.' : 'None were sent.'} />
    );
  return <FactList facts={entries.map(([name, value]) => [name, <Copied text={value} subject={name} />])} />;
};
