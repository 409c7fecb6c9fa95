import { Icon } from '../icons.tsx';
import { useKeys } from '../keyboard.ts';
import { go, type Place, placeOf } from '../location.ts';
import { Pager, pageSize, startOf, ViewHead } from '../parts.tsx';
import { useLoaded } from '../workspace.ts';
import { RequestDetail } from './detail.tsx';
import { operations, type RequestPage } from './entry.ts';
import { RequestList } from './list.tsx';
import { NoRequests } from './no-requests.tsx';

const listPath = (place: Place): string => {
  const { operation, status } = place.query;
  const filters = { ...(operation ? { operation } : {}), ...(status ? { status } : {}) };
  return `/requests?${new URLSearchParams({ start: String(startOf(place)), limit: String(pageSize), ...filters })}`;
};

/** The journal: what came in, what was answered, and why. */
export const Requests = ({ place }: { readonly place: Place }) => {
  const { data } = useLoaded<RequestPage>(listPath(place), ['requests']);
  const all = placeOf('requests', undefined, place.query);
  useKeys({ Escape: () => go(all) });
  return (
    <div class={place.id === undefined ? 'split' : 'split open'}>
      <section class="list-pane" aria-label="Requests">
        <ViewHead title="Requests" count={data?.total}>
          <Filters place={place} />
          <div class="spacer" />
          <Pager place={place} total={data?.total ?? 0} />
        </ViewHead>
        {data && data.requests.length > 0 && <RequestList requests={data.requests} place={place} />}
        {data?.requests.length === 0 && <NoRequests place={place} />}
      </section>
      {place.id !== undefined && <RequestDetail key={place.id} id={place.id} back={all} />}
    </div>
  );
};

const statuses: readonly (readonly [string, string])[] = [
  ['2xx', 'Success'],
  ['4xx', 'Refused, 4xx'],
  ['5xx', 'Failed, 5xx'],
  ['0', 'Connection broken'],
];

const Filters = ({ place }: { readonly place: Place }) => {
  const { operation = '', status = '' } = place.query;
  const set = (change: Record<string, string>): void => {
    const { start: _start, ...rest } = place.query;
    go(placeOf('requests', undefined, { ...rest, ...change }), 'replace');
  };
  return (
    <>
      <select
        class="select"
        aria-label="Operation"
        value={operation}
        onChange={({ currentTarget }) => set({ operation: currentTarget.value })}
      >
        <option value="">Every operation</option>
        {operations.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <select
        class="select"
        aria-label="Status"
        value={status}
        onChange={({ currentTarget }) => set({ status: currentTarget.value })}
      >
        <option value="">Every status</option>
        {statuses.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
      {(operation || status) && (
        <button
          type="button"
          class="icon-button small"
          title="Clear the filters"
          aria-label="Clear the filters"
          onClick={() => set({ operation: '', status: '' })}
        >
          <Icon name="close" />
        </button>
      )}
    </>
  );
};
