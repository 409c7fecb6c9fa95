import type { JournalSummary } from '../journal-entry.ts';
import type { AdminClient } from './admin-client.ts';
import { checkedRequestFilter } from './check-filters.ts';
import { namedRequests, wantedRequest } from './in-words.ts';
import type { OneOrMore, ReceivedRequest, RequestFilter } from './mock-workspace.ts';
import { received } from './received-request.ts';
import { remoteWaits, type WaitedFor } from './remote-waits.ts';
import type { RemoteWorkspace } from './remote-workspace.ts';

type Page = { readonly requests: readonly JournalSummary[] };
type Near = { readonly near_misses: readonly { readonly request: JournalSummary }[] };

/** The journal of a mock that runs elsewhere. */
export const remoteRequests = (client: AdminClient): RemoteWorkspace['requests'] => {
  const { call } = client;
  const waits = remoteWaits(client, requests);
  const list = async (filter: RequestFilter, limit = mostListed): Promise<ReceivedRequest[]> => {
    const page = await call<Page>('GET', '/requests', { query: { ...filter, limit } });
    const found: ReceivedRequest[] = [];
    for (const { id } of page.requests) found.push(received(await call('GET', `/requests/${id}`)));
    return found;
  };
  return {
    list: async (filter) => list(checkedRequestFilter(filter)),
    latest: async (filter) => (await list(checkedRequestFilter(filter), 1))[0],
    count: async (filter) => {
      const body = checkedRequestFilter(filter);
      return (await call<{ count: number }>('POST', '/requests/count', { body })).count;
    },
    waitFor: async (given, options = {}) => {
      const filter = checkedRequestFilter(given);
      await waits.until(filter, options);
      return (await list(filter)) as OneOrMore<ReceivedRequest>;
    },
    waitForNone: async (filter, options = {}) => waits.inVain(checkedRequestFilter(filter), options),
    clear: () => client.tell('DELETE', '/requests', { body: { all: true } }),
  };
};

const requests: WaitedFor<RequestFilter> = {
  path: '/requests/wait',
  wanted: wantedRequest,
  came: ({ requests: found }: Page) => namedRequests(found),
  near: ({ near_misses }: Near) => namedRequests(near_misses.map(({ request }) => request)),
};

// What a page of the admin API holds at most.
const mostListed = 1000;
