import type { CapturedMessage } from '../../../mail/captured.ts';
import type { Message } from '../../../mail/template.ts';
import type { MessageWarning } from '../../../mail/warning.ts';
import { CodeBlock, Copied, CopyButton } from '../../components/code-block.tsx';
import { Button, Tabs } from '../../components/controls.tsx';
import { useEditor } from '../../components/editor.tsx';
import { Icon } from '../../components/icon.tsx';
import { FactList, ItemHead } from '../../components/open-item.tsx';
import { Ago, Moment } from '../../components/time.tsx';
import { mockAddress } from '../../data/api.ts';
import { hrefOf } from '../../data/router.ts';
import { countText } from '../../data/text.ts';
import { itemPath } from '../../data/views.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { HtmlPreview } from './preview.tsx';

type Names = ReadonlyMap<string, string>;

/** A template mail has no subject of its own (§4.3). */
export const subjectOf = (
  { subject, template_id }: Pick<Message, 'subject' | 'template_id'>,
  names: Names,
) => {
  if (subject) return subject;
  return template_id === null ? <i>(no subject)</i> : (names.get(template_id) ?? `Template ${template_id}`);
};

type Props = {
  readonly message: CapturedMessage;
  /** The names of the templates. */
  readonly names: Names;
  readonly back: string;
};

export const OpenMessage = ({ message, names, back }: Props) => {
  const { api } = useWorkspace();
  const { remove } = useEditor('messages');
  const { id, from, to, created_at, template_id, request_id, html, text, warnings } = message;
  const address = `${mockAddress}/__admin/ui/?key=${encodeURIComponent(api.key)}${hrefOf('messages', id)}`;
  return (
    <>
      <ItemHead
        back={back}
        title={subjectOf(message, names)}
        actions={
          <>
            <CopyButton text={address} subject="link to this message" label="Link" />
            <a
              class="button small"
              href={api.address(`${itemPath('messages', id)}/eml`)}
              download={`${id}.eml`}
              title="Download for a mail program"
            >
              <Icon name="download" />
              <span>.eml</span>
            </a>
            <Button
              icon="trash"
              text="Delete"
              title="Delete (Del)"
              kind="danger small"
              onClick={() => remove(id, id)}
            />
          </>
        }
        facts={[
          ['From', from ? <Copied text={from} /> : <i>not specified</i>],
          ['To', to ? <Copied text={to} /> : <i>no recipient</i>],
          [
            'Sent',
            <>
              <Moment time={created_at} /> · <Ago time={created_at} />
            </>,
          ],
          ['Template', template_id !== null && <a href={hrefOf('templates', template_id)}>{template_id}</a>],
          ['Request', request_id !== null && <a href={hrefOf('requests', request_id)}>{request_id}</a>],
          ['Id', <code>{id}</code>],
        ]}
      />
      <Links message={message} />
      <Tabs
        name="message-tab"
        label="The message as"
        tabs={{
          preview: ['Preview', () => <Preview message={message} />],
          html: ['HTML source', () => <CodeBlock text={html ?? ''} subject="HTML" language="html" />],
          text: ['Text', () => <Text text={text} />],
          warnings: [
            warnings.length === 0 ? 'Warnings' : `Warnings (${warnings.length})`,
            () => <Warnings warnings={warnings} />,
          ],
          variables: ['Variables', () => <Variables message={message} />],
        }}
      />
    </>
  );
};

/** The codes and links in a message. Nothing is opened automatically. */
const Links = ({ message: { links, codes } }: { readonly message: CapturedMessage }) => {
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

const Preview = ({ message }: { readonly message: CapturedMessage }) =>
  message.html ? (
    <HtmlPreview path={itemPath('messages', message.id)} item={message} />
  ) : (
    <p class="hint">This message has an empty body.</p>
  );

const Text = ({ text }: { readonly text: string }) =>
  text === '' ? (
    <p class="hint">This message contains no text.</p>
  ) : (
    <CodeBlock text={text} subject="text" language="prose" />
  );

/** What is probably wrong with a message, why that matters, and where it is explained. */
const Warnings = ({ warnings }: { readonly warnings: readonly MessageWarning[] }) =>
  warnings.length === 0 ? (
    <p class="hint">Nothing was found that is probably wrong with this message.</p>
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
            · <a href={hrefOf('messages', undefined, { warning: id })}>All messages with it</a>
          </p>
        </li>
      ))}
    </ul>
  );

const Variables = ({ message: { template_id, variables } }: { readonly message: CapturedMessage }) => {
  const entries = Object.entries(variables ?? {});
  if (template_id === null)
    return <p class="hint">This message was not created from a template, so it has no variables.</p>;
  if (entries.length === 0) return <p class="hint">The request contained no variables.</p>;
  return <FactList facts={entries.map(([name, value]) => [name, <Copied text={value} subject={name} />])} />;
};
