import { type Place, placeOf } from '../location.ts';
import { Ago } from '../time.tsx';
import { type RequestSummary, statusClass, statusText } from './entry.ts';

type Props = { readonly requests: readonly RequestSummary[]; readonly place: Place };

export const RequestList = ({ requests, place }: Props) => (
  <ul class="rows requests">
    {requests.map((request) => (
      <li key={request.id}>
        <Row request={request} place={place} />
      </li>
    ))}
  </ul>
);

const Row = ({ request, place }: { readonly request: RequestSummary; readonly place: Place }) => (
  <a
    class="row"
    data-row={request.id}
    href={placeOf('requests', request.id, place.query)}
    {...(request.id === place.id ? { 'aria-current': 'true' as const } : {})}
  >
    <Status status={request.status} />
    <span class="what">
      <span class="call">
        <b>{request.method}</b> <span class="path">{request.path}</span>
      </span>
      {request.why ? (
        <span class="snippet">{request.why.what}</span>
      ) : (
        <span class="snippet operation-below">{request.operation}</span>
      )}
    </span>
    <span class="operation">{request.operation ?? ''}</span>
    <span class="took">{request.duration_ms} ms</span>
    <span class="when">
      <Ago time={request.created_at} />
    </span>
  </a>
);

export const Status = ({ status }: { readonly status: number }) => (
  <span class={`status ${statusClass(status)}`}>{statusText(status)}</span>
);
