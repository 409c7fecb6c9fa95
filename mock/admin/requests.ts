import { failedFilters, type Journal, type RequestFilter } from '../journal.ts';
import type { JournalSummary } from '../journal-entry.ts';
import { hopelessFilter } from '../request-filter.ts';
import { filterText, paging, since, success, waiting } from './documentation.ts';
import { numberOf } from './query.ts';
import { AdminError, type AdminRequest, type AdminRoute } from './route.ts';
import { list, object, ref, text, whole } from './schemas.ts';
import { nearest, waitFor, waitReplies } from './waiting.ts';

const tag = 'Requests';

const filters = {
  operation: filterText('The operation, as the contract names it; both path forms have its name.'),
  method: filterText('The HTTP method.'),
  path: filterText('The path without its query, as called or as the contract writes it: /api/v1/leads/{id}.'),
  status: {
    type: 'string',
    pattern: '^([1-5]\\d\\d|[1-5][xX][xX]|0)$',
    'x-form': '503 or 5xx, or 0 where a connection fault left it without a reply',
    description: 'A status like 503, a class like 5xx; 0 where a connection fault left it without a reply.',
  },
};

const unclaimed = {
  unclaimed: {
    type: 'boolean',
    default: false,
    description: 'Those that carried no accepted key, which are in no workspace.',
  },
};

const page = object({ requests: list(ref('RequestSummary')), total: whole, cursor: text, dropped: whole });

// In a body a status may be a number, as it is everywhere else.
const countBody = {
  ...object(
    {
      ...filters,
      status: { ...filters.status, type: ['string', 'integer'], minimum: 0, maximum: 599 },
      ...since,
    },
    ...Object.keys({ ...filters, ...since }),
  ),
  examples: [{ operation: 'addLead', status: '4xx' }],
};

/** The journal: what came, what was answered, and why. */
export const requestRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/requests',
    doc: {
      id: 'listRequests',
      summary: 'The requests that came, newest first, without headers and bodies',
      description:
        'Everything that came under `/api/v1` with the key of this workspace, whatever was answered; `why` says why it was refused. A filter that no request could ever pass is refused.',
      tag,
      query: { ...filters, ...since, ...paging, ...unclaimed },
      replies: success('A page of them. `dropped` were too many to keep.', page),
    },
    run: (request) => ({ body: pageOf(request) }),
  },
  {
    method: 'GET',
    path: '/requests/wait',
    holds: true,
    doc: {
      id: 'waitForRequests',
      summary: 'Waits until such requests have come',
      description:
        'Holds the connection until `count` requests pass the filters, those that came already among them, and replies like the list. With `since`, only what comes after that cursor counts.',
      tag,
      query: { ...filters, ...since, ...paging, ...waiting, ...unclaimed },
      replies: waitReplies(
        'They came, as in the list; with `absent`, they did not.',
        'request',
        ref('RequestSummary'),
        page,
      ),
    },
    run: (request) => {
      const journal = journalOf(request);
      const filter = filterOf(request.query, journal);
      const { since } = request.query;
      return waitFor(request, {
        what: 'requests',
        wait: (options) => journal.wait(filter, options),
        page: () => pageOf(request),
        found: () => journal.count(filter, since),
        nearMisses: () =>
          nearest(all(journal), all(journal, since), (summary) => failedFilters(summary, filter)).map(
            ({ item, failed }) => ({ request: item, failed }),
          ),
      });
    },
  },
  {
    method: 'GET',
    path: '/requests/:id',
    doc: {
      id: 'getRequest',
      summary: 'One request and its reply, with headers and bodies; `latest` for the newest',
      description: 'To see what a client really sent. Keys are left out wherever the request repeats them.',
      tag,
      query: unclaimed,
      replies: success('Keys are left out, and long bodies are cut.', ref('Request')),
    },
    run: (request) => {
      const journal = journalOf(request);
      const { id = '' } = request.params;
      const found = id === 'latest' ? journal.latest() : journal.get(id);
      if (found) return { body: found };
      throw new AdminError(
        404,
        'there is no such request in this journal',
        'GET /__admin/requests lists them; another key has another journal, and the oldest are dropped.',
      );
    },
  },
  {
    method: 'POST',
    path: '/requests/count',
    changesNothing: true,
    doc: {
      id: 'countRequests',
      summary: 'How many such requests came',
      description: 'The same filters as of the list, in a body; without one it counts all that are kept.',
      tag,
      query: unclaimed,
      body: countBody,
      bodyRequired: false,
      replies: success('The number.', object({ count: whole })),
    },
    run: (request) => {
      const filter = Object.fromEntries(
        Object.entries((request.body ?? {}) as Record<string, string | number>).map(([name, value]) => [
          name,
          String(value),
        ]),
      );
      const journal = journalOf(request);
      return { body: { count: journal.count(filterOf(filter, journal, 'body'), filter.since) } };
    },
  },
  {
    method: 'DELETE',
    path: '/requests',
    doc: {
      id: 'deleteRequests',
      summary: 'Forgets every request, which must be said',
      description: 'Only with `{"all": true}`. Ids go on from where they were.',
      tag,
      query: unclaimed,
      body: ref('All'),
      replies: success('How many there were.', ref('Deleted')),
    },
    run: (request) => {
      const journal = journalOf(request);
      const deleted = journal.size();
      journal.clear();
      return { body: { deleted } };
    },
  },
];

const all = (journal: Journal, since?: string): JournalSummary[] =>
  journal.page({}, { since, limit: Number.POSITIVE_INFINITY }).requests;

// The key is judged all the same: what nobody owns is for those to see who may see something.
const journalOf = ({ workspace, query, context }: AdminRequest): Journal =>
  query.unclaimed === 'true' && workspace ? context.workspaces.unclaimed : workspace.journal;

/** @throws AdminError 400 for a filter that no request passes: a wait for their absence would be content */
const filterOf = (
  { operation, method, path, status }: AdminRequest['query'],
  journal: Journal,
  where = 'query',
): RequestFilter => {
  const filter = { operation, method, path, status };
  const hopeless = hopelessFilter(filter, journal);
  if (hopeless) throw new AdminError(400, `${where}/${hopeless.name} ${hopeless.what}`, hopeless.hint);
  return filter;
};

const pageOf = (request: AdminRequest): object => {
  const { query } = request;
  const journal = journalOf(request);
  const range = { since: query.since, start: numberOf(query.start, 0), limit: numberOf(query.limit, 50) };
  return { ...journal.page(filterOf(query, journal), range), dropped: journal.dropped() };
};
