import { useEffect, useState } from 'preact/hooks';
import type { Message } from '../../../mail/template.ts';
import type { JournalEntry } from '../../../nouns/journal.ts';
import { CodeBlock, CopyButton } from '../../components/code-block.tsx';
import { Unavailable } from '../../components/list-view.tsx';
import { AdminApiError, type Api } from '../../data/api.ts';
import { curlCommand } from '../../data/curl.ts';
import { parseJson } from '../../data/json.ts';
import { hrefOf } from '../../data/router.ts';
import { useLoaded, useWorkspace } from '../../data/workspace.ts';
import { CurlButton, Sides } from '../requests/detail.tsx';
import type { RequestPage } from '../requests/index.tsx';

/** A message in a list: with the beginning of its text instead of its contents. */
export type MessageSummary = Omit<Message, 'html' | 'variables'> & { readonly snippet: string };

/** A single message, with its text and the links and codes in it. */
export type FullMessage = Message & {
  readonly snippet: string;
  readonly text: string;
  readonly links: readonly string[];
  readonly codes: readonly string[];
};

export const recipientOf = ({ to }: MessageSummary): string => to || 'no recipient';

/** A template mail has no subject of its own (§4.3). */
export const subjectOf = ({ subject, template_id }: MessageSummary, templateName?: string): string => {
  if (subject) return subject;
  return template_id === null ? '(no subject)' : (templateName ?? `Template ${template_id}`);
};

export const Source = ({ html }: { readonly html: string }) => (
  <CodeBlock text={html} subject="HTML" language="html" />
);

export const Text = ({ text }: { readonly text: string }) =>
  text === '' ? (
    <p class="hint">This message contains no text.</p>
  ) : (
    <CodeBlock text={text} subject="text" language="prose" />
  );

export const Raw = ({ id }: { readonly id: string }) => {
  const { data, error } = useLoaded(`/outbox/${encodeURIComponent(id)}/eml`, ['reset'], readText);
  if (data === undefined) return <Unavailable error={error} />;
  return <CodeBlock text={data} subject="raw message" />;
};

const readText = (api: Api, path: string, signal: AbortSignal): Promise<string> => api.text(path, signal);

export const Variables = ({ message }: { readonly message: FullMessage }) => {
  const variables = Object.entries(message.variables ?? {});
  if (message.template_id === null)
    return <p class="hint">This message was not created from a template, so it has no variables.</p>;
  if (variables.length === 0) return <p class="hint">The request contained no variables.</p>;
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Variable</th>
          <th scope="col">Value</th>
          <th scope="col">
            <span class="visually-hidden">Copy</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {variables.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td class="value">{value}</td>
            <td>
              <CopyButton text={value} subject={name} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** The request of a message: from the journal, or rebuilt if the journal has dropped it. */
export const RequestTab = ({ message }: { readonly message: FullMessage }) => {
  const { api } = useWorkspace();
  const [entry, setEntry] = useState<JournalEntry | null>();
  useEffect(() => {
    const stop = new AbortController();
    findRequest(message, <T,>(path: string) => api.get<T>(path, stop.signal)).then(setEntry, (error) => {
      if (error instanceof AdminApiError && !stop.signal.aborted) setEntry(null);
    });
    return () => stop.abort();
  }, [api, message]);
  if (entry === undefined) return <Unavailable />;
  if (entry === null) return <RebuiltRequest message={message} />;
  return (
    <>
      <p class="request-note">
        <a href={hrefOf('requests', entry.id)}>{entry.id}</a>
        <CurlButton entry={entry} />
      </p>
      <Sides entry={entry} />
    </>
  );
};

const contentOf = ({ operation, ...message }: FullMessage & { readonly operation?: string }): object => {
  const { to, from, subject, html, template_id, variables } = message;
  const content =
    operation === 'sendTemplateEmail' || template_id !== null ? { template_id, variables } : { html };
  const all = { to, from, subject, ...content };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
};

const maxListed = 200;
const maxLoaded = 8;

/** The journal does not reference messages. This finds a request with the same time and content. */
const findRequest = async (
  message: FullMessage,
  get: <T>(path: string) => Promise<T>,
): Promise<JournalEntry | null> => {
  const operation = message.template_id === null ? 'sendEmail' : 'sendTemplateEmail';
  const { requests } = await get<RequestPage>(`/requests?operation=${operation}&limit=${maxListed}`);
  const time = Date.parse(message.created_at);
  const near = requests
    .map((request) => ({ request, apart: Math.abs(Date.parse(request.created_at) - time) }))
    .filter(({ request, apart }) => apart <= request.duration_ms + 1000)
    .sort((a, b) => a.apart - b.apart)
    .slice(0, maxLoaded);
  for (const { request } of near) {
    const entry = await get<JournalEntry>(`/requests/${request.id}`);
    if (hasSameContent(entry, message)) return entry;
  }
  return null;
};

const hasSameContent = ({ request }: JournalEntry, message: FullMessage): boolean => {
  const body = parseJson(request.body) as Readonly<Record<string, unknown>> | null | undefined;
  return (
    body !== undefined &&
    Object.entries(contentOf(message)).every(
      ([name, value]) => JSON.stringify(body?.[name]) === JSON.stringify(value),
    )
  );
};

const RebuiltRequest = ({ message }: { readonly message: FullMessage }) => {
  const { api } = useWorkspace();
  const path = message.template_id === null ? '/api/v1/email/send' : '/api/v1/email/send-template';
  const body = JSON.stringify(contentOf(message), null, 2);
  const request = { method: 'POST', path, type: 'application/json', body };
  return (
    <>
      <p class="request-note">
        <span class="hint">The request is no longer in the journal. This one sends the same message.</span>
        <CopyButton text={curlCommand(request, api.key)} subject="a request as curl" label="curl" />
      </p>
      <CodeBlock text={body} subject="request" language="json" />
    </>
  );
};
