import { useEffect, useMemo, useState } from 'preact/hooks';
import { CodeBlock } from '../code.tsx';
import { CopyButton } from '../copy.tsx';
import { useWorkspace } from '../workspace.ts';
import { textOf } from './inert.ts';
import type { Message } from './message.ts';

export const Source = ({ html }: { readonly html: string }) => (
  <CodeBlock text={html} what="HTML" language="html" />
);

export const Text = ({ html }: { readonly html: string }) => {
  const text = useMemo(() => textOf(html), [html]);
  return text === '' ? (
    <p class="hint">There is no text in this message.</p>
  ) : (
    <CodeBlock text={text} what="text" language="prose" />
  );
};

export const Raw = ({ id }: { readonly id: string }) => {
  const { api } = useWorkspace();
  const [raw, setRaw] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    api.text(`/outbox/${encodeURIComponent(id)}/eml`, stop.signal).then(setRaw, () => undefined);
    return () => stop.abort();
  }, [api, id]);
  return raw === undefined ? <p class="hint">Loading…</p> : <CodeBlock text={raw} what="raw message" />;
};

export const Variables = ({ message }: { readonly message: Message }) => {
  const given = Object.entries(message.variables ?? {});
  if (message.template_id === null)
    return <p class="hint">This message was not made from a template, so it has no variables.</p>;
  if (given.length === 0) return <p class="hint">The request gave no variables.</p>;
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
        {given.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td class="value">{value}</td>
            <td>
              <CopyButton text={value} what={name} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
