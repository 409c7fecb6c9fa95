import type { ExchangeEntry, ExchangeSide, ExchangeSummary } from '../../../contract-tests/proxy/journal.ts';
import { parseJson } from '../../contract/document.ts';
import { operationNames } from '../../contract/operation-id.ts';
import type { JournalEntry, JournalSummary, Side, Why } from '../../nouns/journal.ts';
import { CodeBlock, CopyButton } from '../components/code-block.tsx';
import type { Options } from '../components/controls.tsx';
import { Unclaimed } from '../components/empty.tsx';
import type { Filter } from '../components/filters.tsx';
import { List, type Row } from '../components/list.tsx';
import { FactList, type Shown } from '../components/pane.tsx';
import { Moment } from '../components/time.tsx';
import { mockAddress } from '../data/api.ts';
import { curlCommand } from '../data/curl.ts';
import { hrefOf, isProxy, usePlace, workspaceKey } from '../data/router.ts';
import { countText } from '../data/views.ts';
import { describeVerdict, Findings, VerdictChip, VerdictFact, verdictNames } from './verdict.tsx';

/** In the journal of the mock, or of the proxy, with findings. */
type Summary = JournalSummary | ExchangeSummary;
type Entry = JournalEntry | ExchangeEntry;

const sample = { method: 'GET', path: '/api/v1/email/templates', body: null };

/** The journal: requests, responses and reasons. */
export const Requests = () => {
  const { unmatched } = usePlace().query;
  return (
    <List<Summary, Entry>
      view="requests"
      filters={filters}
      events={unmatched ? ['polled'] : []}
      searchHint={isProxy ? 'Words, -without' : 'Words in a request'}
      deletion={
        isProxy
          ? 'All requests on this page are deleted, also those outside the current filter. The report keeps counting them.'
          : `All requests of ${workspaceKey()} are deleted, also those outside the current filter. Messages and leads stay.`
      }
      note={
        unmatched ? (
          <p class="hint">
            Requests with an unknown path or method, or without an accepted key. Those without an accepted key
            belong to no workspace and show in each.
          </p>
        ) : (
          <Unclaimed />
        )
      }
      rowOf={rowOf}
      about={
        isProxy ? (
          <>
            Every call that passes the proxy at <code>{mockAddress}</code> shows here at once: both sides, the
            verdict, and each claim that it breaks. Try one:
          </>
        ) : (
          <>
            Every call with the key <code>{workspaceKey()}</code> shows here at once: what came, what was
            answered and why. Try one:
          </>
        )
      }
      sample={sample}
      show={show}
    />
  );
};

const statuses: Options = [
  ['2xx', 'Success'],
  ['4xx', 'Client error, 4xx'],
  ['5xx', 'Server error, 5xx'],
  ['0', 'Connection broken'],
];

const filters: readonly Filter[] = [
  { name: 'operation', label: 'Operation', options: operationNames.map((id) => [id, id]) },
  { name: 'status', label: 'Status', options: statuses },
  isProxy
    ? { name: 'verdict', label: 'Verdict', options: verdictNames }
    : { name: 'unmatched', label: 'Path and key', options: [['true', 'Unmatched']] },
];

/** The tone of a status by its first digit. A broken connection has the status 0. */
const tones: Readonly<Record<string, string>> = { 0: 'bad', 2: 'good', 4: 'warn', 5: 'bad' };

const Status = ({ status }: { readonly status: number }) => (
  <span class={`chip ${tones[String(status)[0] ?? ''] ?? ''}`}>{status === 0 ? 'broken' : status}</span>
);

const rowOf = (request: Summary): Row => {
  const { id, method, path, status, operation, duration_ms, created_at } = request;
  const isJudged = 'verdict' in request;
  return {
    id,
    mark: <Status status={status} />,
    what: (
      <>
        <b>{method}</b> <span class="path">{path}</span>{' '}
        <bdi class="snippet">{isJudged ? describeVerdict(request) : request.why?.what}</bdi>
      </>
    ),
    side: isJudged && <VerdictChip verdict={request.verdict} />,
    more: !isJudged && operation,
    took: `${duration_ms} ms`,
    when: <Moment time={created_at} format="short" />,
  };
};

const show = (entry: Entry): Shown => {
  const { method, path, status, operation, created_at, duration_ms, why, request, response } = entry;
  const type = request.headers['content-type'];
  return {
    title: (
      <>
        <Status status={status} /> {method} <span class="path">{path}</span>
      </>
    ),
    actions: (
      <CopyButton
        text={curlCommand({ method, path, type, body: request.body }, workspaceKey())}
        subject="this request as curl"
        label="curl"
      />
    ),
    facts: [
      ['Verdict', 'verdict' in entry && <VerdictFact entry={entry} />],
      ['Operation', operation ?? 'none'],
      [
        'Received',
        <>
          <Moment time={created_at} />, response after {duration_ms} ms
        </>,
      ],
      ['Why', why && <Reason why={why} />],
    ],
    content: (
      <>
        {'verdict' in entry && <Findings entry={entry} />}
        <div class="sides">
          <SidePanel title="Request" side={request} />
          <SidePanel title="Response" side={response} />
        </div>
      </>
    ),
  };
};

/** The header field that was missing or wrong, as it should be. */
const rightField = (code: string): string | undefined => {
  if (/^authentication_|^key_unknown$/.test(code)) return `Authorization: Bearer ${workspaceKey()}`;
  return code === 'media_type_unsupported' ? 'Content-Type: application/json' : undefined;
};

const Reason = ({ why: { what, code, question, answer, enabled_by } }: { readonly why: Why }) => {
  const field = rightField(code);
  return (
    <span class="why">
      {what} <code>{code}</code>
      {question !== undefined && (
        <>
          {' '}
          because of the answer{' '}
          <a href={hrefOf('questions', undefined, { q: question })}>
            {question} = {answer}
          </a>
        </>
      )}{' '}
      {field !== undefined && <CopyButton text={field} subject={field} label="Copy the right header" />}
      {Object.entries(enabled_by ?? {}).map(([id, answer]) => (
        <a key={id} href={hrefOf('questions', undefined, { q: id })}>
          It exists with {id} = {answer}
        </a>
      ))}
    </span>
  );
};

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
        <CodeBlock text={formatJson(side.body)} subject={title.toLowerCase()} />
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
