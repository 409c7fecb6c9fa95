import type { CapturedMessage } from '../../../mail/text.ts';
import type { MessageWarning } from '../../../mail/warning.ts';
import type { JournalEntry } from '../../../nouns/journal.ts';
import { CodeBlock, Copied } from '../../components/code-block.tsx';
import { FactList } from '../../components/open-item.tsx';
import { Loaded } from '../../components/view.tsx';
import { hrefOf } from '../../data/router.ts';
import { itemPath } from '../../data/views.ts';
import { CurlButton, Sides } from '../requests/sides.tsx';
import { HtmlPreview } from './preview.tsx';

export const Preview = ({ message }: { readonly message: CapturedMessage }) =>
  message.html ? (
    <HtmlPreview path={itemPath('messages', message.id)} item={message} />
  ) : (
    <p class="hint">This message has an empty body.</p>
  );

export const Text = ({ text }: { readonly text: string }) =>
  text === '' ? (
    <p class="hint">This message contains no text.</p>
  ) : (
    <CodeBlock text={text} subject="text" language="prose" />
  );

/** What is probably wrong with a message, why that matters, and where it is explained. */
export const Warnings = ({ warnings }: { readonly warnings: readonly MessageWarning[] }) =>
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

export const Variables = ({ message: { template_id, variables } }: { readonly message: CapturedMessage }) => {
  const entries = Object.entries(variables ?? {});
  if (template_id === null)
    return <p class="hint">This message was not created from a template, so it has no variables.</p>;
  if (entries.length === 0) return <p class="hint">The request contained no variables.</p>;
  return <FactList facts={entries.map(([name, value]) => [name, <Copied text={value} subject={name} />])} />;
};

/** The message as it would have been sent. */
export const Raw = ({ id }: { readonly id: string }) => (
  <Loaded<string> path={`${itemPath('messages', id)}/eml`} events={['reset']}>
    {(text) => <CodeBlock text={text} subject="raw message" />}
  </Loaded>
);

export const RequestTab = ({ message: { request_id } }: { readonly message: CapturedMessage }) => {
  const gone = <p class="hint">The request of this message is not in the journal (any more).</p>;
  if (request_id === null) return gone;
  return (
    <Loaded<JournalEntry> path={itemPath('requests', request_id)} events={['reset']} missing={gone}>
      {(entry) => (
        <>
          <p class="bar line">
            <a href={hrefOf('requests', entry.id)}>{entry.id}</a>
            <CurlButton entry={entry} />
          </p>
          <Sides entry={entry} />
        </>
      )}
    </Loaded>
  );
};
