import type { ExchangeSummary } from '../../../../contract-tests/proxy/journal-entry.ts';
import type { JournalSummary } from '../../../nouns/journal.ts';
import type { DropLimit } from '../../../store/log.ts';
import { Search } from '../../components/controls.tsx';
import {
  Command,
  Dropped,
  Elsewhere,
  Empty,
  ListRow,
  Pager,
  pageSize,
  startOf,
  Unavailable,
  Unclaimed,
  ViewHead,
} from '../../components/list-view.tsx';
import { Ago } from '../../components/time.tsx';
import { mockAddress } from '../../data/api.ts';
import { curlCommand } from '../../data/curl.ts';
import { useKeys } from '../../data/keyboard-and-storage.ts';
import { hrefOf, isProxy, navigate, type Place } from '../../data/router.ts';
import { useLoaded, useWorkspace } from '../../data/workspace.ts';
import { describeVerdict, RequestDetail, Status, VerdictChip } from './detail.tsx';
import { ClearButton, Filters } from './filters.tsx';

export type RequestPage = {
  readonly requests: readonly Summary[];
  readonly total: number;
  readonly dropped: number;
  readonly dropped_by: DropLimit | null;
};

type Summary =
  | (JournalSummary & { readonly unclaimed?: boolean })
  | (ExchangeSummary & { readonly unclaimed?: false });

type Props = { readonly requests: readonly Summary[]; readonly place: Place };

const RequestList = ({ requests, place }: Props) => (
  <ul class={isProxy ? 'rows requests judged' : 'rows requests'}>
    {requests.map((request) => (
      <li key={`${request.unclaimed} ${request.id}`}>
        <Row request={request} place={place} />
      </li>
    ))}
  </ul>
);

const Row = ({ request, place }: { readonly request: Summary; readonly place: Place }) => (
  <ListRow
    id={request.id}
    href={hrefOf('requests', request.id, { ...place.query, unclaimed: request.unclaimed ? 'true' : '' })}
    isOpen={request.id === place.id && (request.unclaimed === true) === (place.query.unclaimed === 'true')}
  >
    <Status status={request.status} />
    <span class="what">
      <span class="call">
        <b>{request.method}</b> <span class="path">{request.path}</span>
      </span>
      <Snippet request={request} />
    </span>
    {'verdict' in request ? (
      <VerdictChip verdict={request.verdict} />
    ) : (
      <span class="operation">{request.operation ?? ''}</span>
    )}
    <span class="took">{request.duration_ms} ms</span>
    <span class="when">
      <Ago time={request.created_at} />
    </span>
  </ListRow>
);

const Snippet = ({ request }: { readonly request: Summary }) => {
  const text = 'verdict' in request ? describeVerdict(request) : request.why?.what;
  return text ? (
    <span class="snippet">{text}</span>
  ) : (
    <span class="snippet operation-below">{request.operation}</span>
  );
};

const NoRequests = ({ place }: { readonly place: Place }) => {
  const { api } = useWorkspace();
  if (Object.values(place.query).some(Boolean))
    return (
      <Empty icon="search" title="No matching requests">
        <a class="button" href={hrefOf('requests')}>
          Show all requests
        </a>
      </Empty>
    );
  return (
    <Empty icon="swap" title="No requests yet">
      <Elsewhere view="requests" />
      {isProxy ? (
        <p>
          Every call under <code>/api/v1</code> that passes the proxy shows here at once: both sides, the
          verdict, and each claim that it breaks. Point your app at <code>{mockAddress}</code>, or try one:
        </p>
      ) : (
        <p>
          Every call with the key <code>{api.key}</code> shows here at once: what came, what was answered and
          why. Try one:
        </p>
      )}
      <Command text={curlCommand({ method: 'GET', path: '/api/v1/email/templates', body: null }, api.key)} />
    </Empty>
  );
};

const listPath = (place: Place): string => {
  const { operation, status, unmatched, verdict, q } = place.query;
  const filters = {
    ...(verdict ? { verdict } : {}),
    ...(operation ? { operation } : {}),
    ...(status ? { status } : {}),
    ...(unmatched ? { unmatched } : {}),
    ...(q ? { q } : {}),
  };
  return `/requests?${new URLSearchParams({ start: String(startOf(place)), limit: String(pageSize), ...filters })}`;
};

/** The journal: requests, responses and reasons. */
export const Requests = ({ place }: { readonly place: Place }) => {
  const { data, error } = useLoaded<RequestPage>(
    listPath(place),
    place.query.unmatched ? ['requests', 'elsewhere'] : ['requests'],
  );
  const all = hrefOf('requests', undefined, place.query);
  useKeys({ Escape: () => navigate(all) });
  return (
    <div class={place.id === undefined ? 'split' : 'split open'}>
      <section class="list-pane" aria-label="Requests">
        <ViewHead title="Requests" count={data?.total}>
          <Search
            place={place}
            label="Search requests"
            hint={isProxy ? 'Words, -without' : 'Words, to: from: subject: "a phrase" -without'}
          />
          <Filters place={place} />
          <div class="spacer" />
          <Pager place={place} total={data?.total ?? 0} />
          <ClearButton isEmpty={!data?.total && !Object.values(place.query).some(Boolean)} />
        </ViewHead>
        <Dropped store="journal" page={data} limits={limits} />
        {place.query.unmatched ? (
          <p class="hint">
            Requests with an unknown path or method, or without an accepted key. Those without an accepted key
            belong to no workspace and show in each.
          </p>
        ) : (
          data && data.requests.length > 0 && <Unclaimed />
        )}
        {data && data.requests.length > 0 && <RequestList requests={data.requests} place={place} />}
        {data?.requests.length === 0 && <NoRequests place={place} />}
        {!data && <Unavailable error={error} />}
      </section>
      {place.id !== undefined && (
        <RequestDetail
          key={place.id}
          id={place.id}
          isUnclaimed={place.query.unclaimed === 'true'}
          back={all}
        />
      )}
    </div>
  );
};

const limits = { count: '1,000 requests', length: '8 million characters' };
