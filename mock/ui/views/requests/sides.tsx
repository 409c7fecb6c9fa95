import type { ExchangeEntry, ExchangeSide } from '../../../../contract-tests/proxy/journal-entry.ts';
import { parseJson } from '../../../contract/document.ts';
import type { JournalEntry, Side } from '../../../nouns/journal.ts';
import { CodeBlock, CopyButton } from '../../components/code-block.tsx';
import { FactList } from '../../components/open-item.tsx';
import { curlCommand } from '../../data/curl.ts';
import { countText } from '../../data/text.ts';
import { useWorkspace } from '../../data/workspace.ts';

/** An entry in the journal of the mock, or of the proxy, with findings. */
export type Entry = JournalEntry | ExchangeEntry;

export const CurlButton = ({ entry }: { readonly entry: Entry }) => {
  const { api } = useWorkspace();
  const { method, path, request } = entry;
  const type = request.headers['content-type'];
  return (
    <CopyButton
      text={curlCommand({ method, path, type, body: request.body }, api.key)}
      subject="this request as curl"
      label="curl"
    />
  );
};

/** Request and response, side by side if there is room. */
export const Sides = ({ entry }: { readonly entry: Pick<Entry, 'request' | 'response'> }) => (
  <div class="sides">
    <SidePanel title="Request" side={entry.request} />
    <SidePanel title="Response" side={entry.response} />
  </div>
);

const SidePanel = ({ title, side }: { readonly title: string; readonly side: Side | ExchangeSide }) => {
  const headers = Object.entries(side.headers ?? {});
  const missing = 'body_missing' in side ? side.body_missing : null;
  return (
    <section class="side-panel box" aria-label={title}>
      <h3>{title}</h3>
      <details>
        <summary>{countText(headers.length, 'header')}</summary>
        <FactList facts={headers} />
      </details>
      {side.body ? (
        <CodeBlock text={formatJson(side.body)} subject={title.toLowerCase()} language="json" />
      ) : (
        <p class="hint">{missing === null ? 'No body' : `The body is not known: ${missing}`}</p>
      )}
      {side.body_cut && <p class="hint">The journal keeps only the beginning of a long body.</p>}
    </section>
  );
};

/** JSON with line breaks. Any other text is unchanged. */
const formatJson = (body: string): string => {
  const value = parseJson(body);
  return value === undefined ? body : JSON.stringify(value, null, 2);
};
