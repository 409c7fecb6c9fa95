import { CodeBlock } from '../code.tsx';
import { CopyButton } from '../copy.tsx';
import { Icon } from '../icons.tsx';
import { placeOf } from '../location.ts';
import { Empty } from '../parts.tsx';
import { Moment } from '../time.tsx';
import { useLoaded, useWorkspace } from '../workspace.ts';
import { curlOf, pretty, type RequestEntry, type Side } from './entry.ts';
import { Status } from './list.tsx';

export const RequestDetail = ({ id, back }: { readonly id: string; readonly back: string }) => {
  const { data, error } = useLoaded<RequestEntry>(`/requests/${encodeURIComponent(id)}`, ['reset']);
  return (
    <article class="detail-pane" aria-label="Request">
      {data && !error && <Open entry={data} back={back} />}
      {error && (
        <Empty icon="swap" title="This request is gone">
          <p>
            The journal of this workspace has no <code>{id}</code> any more.
          </p>
          <a class="button" href={back}>
            Back to the requests
          </a>
        </Empty>
      )}
    </article>
  );
};

const Open = ({ entry, back }: { readonly entry: RequestEntry; readonly back: string }) => (
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
        <dt>Operation</dt>
        <dd>{entry.operation ?? 'none'}</dd>
        <dt>Came</dt>
        <dd>
          <Moment time={entry.created_at} />, answered in {entry.duration_ms} ms
        </dd>
        <Reason why={entry.why} />
      </dl>
    </header>
    <Sides entry={entry} />
  </>
);

const Reason = ({ why }: { readonly why: RequestEntry['why'] }) =>
  why && (
    <>
      <dt>Why</dt>
      <dd class="why">
        {why.what} <code>{why.code}</code>
        {why.question !== undefined && (
          <>
            {' '}
            decided by{' '}
            <a href={placeOf('questions', undefined, { q: why.question })}>
              {why.question} = {why.answer}
            </a>
          </>
        )}
      </dd>
    </>
  );

export const CurlButton = ({ entry }: { readonly entry: RequestEntry }) => {
  const { api } = useWorkspace();
  const { method, path, request } = entry;
  const type = request.headers['content-type'];
  return (
    <CopyButton
      text={() => curlOf({ method, path, type, body: request.body }, api.key)}
      what="this request as curl"
      label="curl"
    />
  );
};

/** The two halves of an exchange, beside each other where there is room. */
export const Sides = ({ entry }: { readonly entry: RequestEntry }) => (
  <div class="sides">
    <OneSide title="Request" side={entry.request} />
    <OneSide title="Reply" side={entry.response} />
  </div>
);

const OneSide = ({ title, side }: { readonly title: string; readonly side: Side }) => {
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
        <CodeBlock text={pretty(side.body)} what={title.toLowerCase()} language="json" />
      ) : (
        <p class="hint">No body</p>
      )}
      {side.body_cut && <p class="hint">The journal keeps the beginning of a long body only.</p>}
    </section>
  );
};
