import { Fragment } from 'preact';
import type {
  ExchangeEntry,
  ExchangeSide,
  ExchangeSummary,
  ExchangeVerdict,
} from '../../../../contract-tests/proxy/journal-entry.ts';
import type { JournalEntry, Side } from '../../../nouns/journal.ts';
import { CodeBlock, CopyButton } from '../../components/code-block.tsx';
import { Icon } from '../../components/controls.tsx';
import { Empty, Unavailable } from '../../components/list-view.tsx';
import { Moment } from '../../components/time.tsx';
import { curlCommand } from '../../data/curl.ts';
import { parseJson } from '../../data/json.ts';
import { hrefOf } from '../../data/router.ts';
import { useLoaded, useWorkspace } from '../../data/workspace.ts';

/** An entry in the journal of the mock, or of the proxy, with findings. */
type Entry = JournalEntry | ExchangeEntry;

type Props = {
  readonly id: string;
  /** Whether it is in the journal of requests without an accepted key. */
  readonly isUnclaimed: boolean;
  readonly back: string;
};

export const RequestDetail = ({ id, isUnclaimed, back }: Props) => {
  const query = isUnclaimed ? '?unclaimed=true' : '';
  const { data, error } = useLoaded<Entry>(`/requests/${encodeURIComponent(id)}${query}`, ['reset']);
  const backLink = (
    <a class="button" href={back}>
      Back to the requests
    </a>
  );
  return (
    <article class="detail-pane" aria-label="Request">
      {data && !error && <Open entry={data} back={back} />}
      {error?.status === 404 && (
        <Empty icon="swap" title="Request not found">
          <p>
            The journal has no <code>{id}</code> any more.
          </p>
          {backLink}
        </Empty>
      )}
      {error?.status !== 404 && !data && <Unavailable error={error}>{backLink}</Unavailable>}
    </article>
  );
};

const Open = ({ entry, back }: { readonly entry: Entry; readonly back: string }) => (
  <>
    <header class="message-head">
      <div class="message-actions">
        <a class="icon-button" href={back} title="Back to the list (Esc)" aria-label="Back to the list">
          <Icon name="back" />
        </a>
        <div class="spacer" />
        <CurlButton entry={entry} />
      </div>
      <h2 class="request-line">
        <Status status={entry.status} /> {entry.method} <span class="path">{entry.path}</span>
      </h2>
      <dl class="facts">
        {'verdict' in entry && <Verdict entry={entry} />}
        <dt>Operation</dt>
        <dd>{entry.operation ?? 'none'}</dd>
        <dt>Received</dt>
        <dd>
          <Moment time={entry.created_at} />, response after {entry.duration_ms} ms
        </dd>
        <Reason why={entry.why} />
      </dl>
      {'verdict' in entry && <Findings entry={entry} />}
    </header>
    <Sides entry={entry} />
  </>
);

const Verdict = ({ entry: { verdict, skipped, held_back } }: { readonly entry: ExchangeEntry }) => (
  <>
    <dt>Verdict</dt>
    <dd>
      <VerdictChip verdict={verdict} /> {skipped}
      {held_back && <span class="hint"> The client got an error response of the proxy (--enforce).</span>}
    </dd>
  </>
);

export const verdicts: Readonly<Record<ExchangeVerdict, string>> = {
  fail: 'broken',
  warn: 'warning',
  drift: 'drift',
  pass: 'conforms',
  skipped: 'not checked',
};

export const VerdictChip = ({ verdict }: { readonly verdict: ExchangeVerdict }) => (
  <span class={`verdict ${verdict}`}>{verdicts[verdict]}</span>
);

/** The most important problem in one line; empty without problems. */
export const describeVerdict = ({ findings, drift, skipped, request_findings }: ExchangeSummary): string => {
  const [finding, change, request] = [findings[0], drift[0], request_findings[0]];
  const rest = findings.length + drift.length - 1;
  const more = rest > 0 ? ` (+${rest})` : '';
  if (finding)
    return `${finding.check} §${finding.section}: expected ${finding.expected}, got ${finding.actual}${more}`;
  if (change)
    return `${change.question} is pinned as ${change.pinned}, this response shows ${change.actual}${more}`;
  return [skipped, request && `request: ${request.message}`].filter(Boolean).join('; ');
};

const Facts = ({ facts }: { readonly facts: Readonly<Record<string, string | number>> }) => (
  <dl>
    {Object.entries(facts).map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
);

/** All problems of an exchange: failed claims with their sections, drift, and undocumented parts of the request. */
const Findings = ({ entry }: { readonly entry: ExchangeSummary }) => {
  const { findings, drift, request_findings: requests } = entry;
  if (findings.length + drift.length + requests.length === 0) return null;
  return (
    <ul class="findings" aria-label="Findings">
      {findings.map(({ check, section, level, expected, actual }) => (
        <li key={check} class={level === 'documented' ? 'fail' : 'warn'}>
          <b>{check}</b> <span class="hint">{`§${section}, ${level}`}</span>
          <Facts facts={{ expected, got: actual }} />
        </li>
      ))}
      {drift.map(({ question, pinned, actual }) => (
        <li key={question} class="drift">
          <b>{question}</b> <span class="hint">drift</span>
          <Facts facts={{ pinned, now: actual }} />
        </li>
      ))}
      {requests.map(({ kind, message, section, question }) => (
        <li key={`${kind} ${message}`} class="request">
          <b>request: {kind}</b>{' '}
          <span class="hint">{`§${section}${question === null ? '' : `, open question ${question}`}`}</span>
          <p>{message}</p>
        </li>
      ))}
    </ul>
  );
};

const Reason = ({ why }: { readonly why: JournalEntry['why'] }) =>
  why && (
    <>
      <dt>Why</dt>
      <dd class="why">
        {why.what} <code>{why.code}</code>
        {why.question !== undefined && (
          <>
            {' '}
            because of the answer{' '}
            <a href={hrefOf('questions', undefined, { q: why.question })}>
              {why.question} = {why.answer}
            </a>
          </>
        )}
      </dd>
    </>
  );

export const CurlButton = ({ entry }: { readonly entry: Entry }) => {
  const { api } = useWorkspace();
  const { method, path, request } = entry;
  const type = request.headers['content-type'];
  return (
    <CopyButton
      text={() => curlCommand({ method, path, type, body: request.body }, api.key)}
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
  return (
    <section class="side" aria-label={title}>
      <h3>{title}</h3>
      <details>
        <summary>
          {headers.length} {headers.length === 1 ? 'header' : 'headers'}
        </summary>
        <dl class="headers">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {side.body ? (
        <CodeBlock text={formatJson(side.body)} subject={title.toLowerCase()} language="json" />
      ) : (
        <p class="hint">{describeMissingBody(side)}</p>
      )}
      {side.body_cut && <p class="hint">The journal keeps only the beginning of a long body.</p>}
    </section>
  );
};

const describeMissingBody = (side: Side | ExchangeSide): string => {
  const missing = 'body_missing' in side ? side.body_missing : null;
  return missing === null ? 'No body' : `The body is not known: ${missing}`;
};

/** JSON with line breaks. Any other text is unchanged. */
const formatJson = (body: string): string => {
  const value = parseJson(body);
  return value === undefined ? body : JSON.stringify(value, null, 2);
};

export const Status = ({ status }: { readonly status: number }) => (
  <span class={`status ${statusClass(status)}`}>{statusText(status)}</span>
);

const statusText = (status: number): string => (status === 0 ? 'broken' : String(status));

const statusClass = (status: number): string => (status === 0 ? 's0' : `s${Math.floor(status / 100)}`);
