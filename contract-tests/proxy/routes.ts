import type { Faults } from '../../mock/faults/faults.ts';
import { faultRoutes } from '../../mock/faults/routes.ts';
import { eventRoutes } from '../../mock/nouns/events.ts';
import { RawReply, type Route, requireItem } from '../../mock/route/noun.ts';
import { pageReply } from '../../mock/route/page.ts';
import { filterText, paging, ref, requestFilters } from '../../mock/route/schemas.ts';
import type { PageFiles } from '../../mock/runtime/page-files.ts';
import type { ExchangeFilter, ProxyJournal } from './journal.ts';
import { exchangeVerdicts } from './journal-entry.ts';

/** What the routes of the proxy itself show and change. */
export type Parts = {
  readonly faults: Faults;
  readonly journal: ProxyJournal;
  /** The page of the mock, which can also show the requests of the proxy. */
  readonly page: PageFiles | undefined;
  /** Returns the report: the one so far for GET, the final one for POST. */
  readonly onReport: (method: 'GET' | 'POST') => Promise<object>;
};

/** A route as those of the mock, without the description for its document. */
type OwnRoute = Pick<Route<Parts>, 'body' | 'query' | 'longLived' | 'run'>;

const report = (method: 'GET' | 'POST'): OwnRoute => ({
  run: async ({ onReport }) => {
    const headers = { 'content-type': 'application/json', connection: 'close' };
    return new RawReply(JSON.stringify(await onReport(method)), headers);
  },
});

const toPage: OwnRoute = { run: () => new RawReply('', { location: '/__proxy/ui/' }, 302) };

const filters = {
  operation: requestFilters.operation,
  status: requestFilters.status,
  verdict: { type: 'string', enum: exchangeVerdicts, description: 'The result of the exchange.' },
  q: filterText('Words in the method, path, operation, status or in a finding; each must occur.'),
};

/** The report, the fault rules, and the live view: the page, its journal, and an event for each change of that. */
export const ownRoutes: Readonly<Record<string, OwnRoute>> = {
  'GET /__admin/report': report('GET'),
  'POST /__admin/report': report('POST'),
  'GET /__admin/faults': faultRoutes['GET /faults'],
  'PUT /__admin/faults': faultRoutes['PUT /faults'],
  'DELETE /__admin/faults': faultRoutes['DELETE /faults'],
  'GET /__proxy': toPage,
  'GET /__proxy/': toPage,
  'GET /__proxy/ui': toPage,
  'GET /__proxy/ui/': {
    run: ({ page }, { headers }) => pageReply(page, 'index.html', headers['if-none-match']),
  },
  'GET /__proxy/ui/{file}': {
    run: ({ page }, { id: file, headers }) => pageReply(page, file, headers['if-none-match']),
  },
  'GET /__proxy/requests': {
    query: { ...filters, ...paging },
    run: ({ journal }, { query }) => journal.list(query as ExchangeFilter, query),
  },
  // The body must be `{"all": true}`, so that pages of other sites cannot send it.
  'DELETE /__proxy/requests': { body: ref('All'), run: ({ journal }) => ({ deleted: journal.clear() }) },
  'GET /__proxy/requests/{id}': {
    run: ({ journal }, { id }) =>
      requireItem(
        journal.get(id),
        'there is no such exchange in the journal',
        'GET /__proxy/requests lists them; the oldest are dropped.',
      ),
  },
  'GET /__proxy/events': {
    ...eventRoutes['GET /events'],
    run: ({ journal }) => eventRoutes['GET /events'].run(journal),
  },
};
