import { runInSteps } from '../../runtime/timers.ts';
import { filterText, paging, requireItem, since, success, tagged, waiting } from '../route.ts';
import { dropLimit, list, object, ref, text, wholeNumber } from '../schemas.ts';
import { harOf } from './har.ts';
import { filterOf, journalOf, pageInSteps } from './request-pages.ts';
import { waitFor, waitReplies } from './wait.ts';

const tag = {
  name: 'Requests',
  description: 'The journal: requests, responses, and the reason for each error response.',
};

const filters = {
  operation: filterText('The operation id of the contract; both path forms have the same id.'),
  method: filterText('The HTTP method.'),
  path: filterText(
    'The path without its query, either as requested or as a path template: /api/v1/leads/{id}.',
  ),
  status: {
    type: 'string',
    pattern: '^([1-5]\\d\\d|[1-5][xX][xX]|0)$',
    'x-form': 'a status like 503, a class like 5xx, or 0 for no response',
    description:
      'A status like 503, a class like 5xx, or 0 for a request without a response (connection fault).',
  },
};

const unclaimed = {
  unclaimed: {
    type: 'boolean',
    default: false,
    description: 'Only requests without an accepted key; they belong to no workspace.',
  },
};

const unmatched = {
  unmatched: {
    type: 'boolean',
    default: false,
    description:
      'Only requests that reached no operation: an unknown path or method, no key, or a key that is not accepted. Those without an accepted key are included and marked `unclaimed`; the latest 1,000 are listed.',
  },
};

const search = {
  q: filterText(
    'Words; each must occur in the method, path, operation, status, reason or request body. `"a phrase"`, `to:`, `from:` and `subject:` before a word for a field of the body, and `-word` to exclude it. At most 50 words, each of which counts up to its 256th character.',
  ),
};

const page = object({
  requests: list(ref('RequestSummary')),
  total: wholeNumber,
  cursor: text,
  dropped: wholeNumber,
  dropped_by: dropLimit,
});

// In a body, unlike in a query, a status may be a number.
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

const recording = {
  type: 'object',
  description: 'HAR 1.2: http://www.softwareishard.com/blog/har-12-spec/',
  properties: {
    log: {
      type: 'object',
      properties: { version: { type: 'string' }, entries: { type: 'array', items: { type: 'object' } } },
      required: ['version', 'entries'],
    },
  },
  required: ['log'],
};

/** The journal: requests, responses and the reasons for error responses. */
export const requestRoutes = tagged(tag, [
  {
    method: 'GET',
    path: '/requests',
    doc: {
      id: 'listRequests',
      summary: 'List the requests, newest first, without headers and bodies',
      description:
        'All requests under `/api/v1` with the key of this workspace, whatever the response. `why` gives the reason for an error response. A filter that can never match is rejected.',
      query: { ...filters, ...since, ...paging, ...unclaimed, ...unmatched, ...search },
      replies: success(
        'A page of requests. `dropped` counts requests removed because the journal was full, `dropped_by` is the limit: `count`, `bytes`, or `total_bytes` of the whole mock.',
        page,
      ),
    },
    run: async (request) => ({ body: await runInSteps(pageInSteps(request)) }),
  },
  {
    method: 'GET',
    path: '/requests/wait',
    longLived: true,
    doc: {
      id: 'waitForRequests',
      summary: 'Wait for matching requests',
      description:
        'Responds like the list as soon as `count` requests match the filters; earlier requests count too. With `since`, only requests after that cursor count.',
      query: { ...filters, ...since, ...paging, ...waiting, ...unclaimed },
      replies: waitReplies(
        'The matching requests, as in the list; with `absent`, fewer than `count` matched.',
        'request',
        ref('RequestSummary'),
        page,
      ),
    },
    run: (request) => {
      const journal = journalOf(request);
      const filter = filterOf(request.query, journal);
      return waitFor(request, {
        itemName: 'requests',
        singular: 'request',
        wait: (options) => journal.wait(filter, options),
        pageInSteps: () => pageInSteps(request),
        *nearMissesInSteps() {
          const misses = yield* journal.nearMissesInSteps(filter, request.query.since);
          return misses.map(({ item, failed }) => ({ request: item, failed }));
        },
      });
    },
  },
  {
    method: 'GET',
    path: '/requests.har',
    doc: {
      id: 'exportRequests',
      summary: 'Export the journal as a recording (HAR 1.2), for `email-leads check` and browsers',
      description: 'Oldest request first. Keys are redacted; a body that was truncated is left out.',
      replies: success('The recording.', recording),
    },
    run: (request) => ({ body: harOf(request) }),
  },
  {
    method: 'GET',
    path: '/requests/:id',
    doc: {
      id: 'getRequest',
      summary: 'Get a request and its response (`latest` for the newest)',
      description:
        'With headers and bodies, exactly as the client sent them. `request.body` is `null` without a body, and where the headers alone decided the response (unknown path or method, no accepted key, wrong media type): it is not read then. Keys are redacted wherever they occur.',
      query: unclaimed,
      replies: success(
        'The request and the response. Keys are redacted and long bodies are truncated.',
        ref('Request'),
      ),
    },
    run: (request) => {
      const journal = journalOf(request);
      const { id = '' } = request.params;
      return {
        body: requireItem(
          id === 'latest' ? journal.latest() : journal.get(id),
          'there is no such request in this journal',
          'GET /__admin/requests lists them; another key has another journal, and the oldest are dropped.',
        ),
      };
    },
  },
  {
    method: 'POST',
    path: '/requests/count',
    readOnly: true,
    doc: {
      id: 'countRequests',
      summary: 'Count matching requests',
      description:
        'Takes the filters of the list in the body. Without a body it counts all requests in the journal.',
      query: unclaimed,
      body: countBody,
      bodyRequired: false,
      replies: success('The number.', object({ count: wholeNumber })),
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
      summary: 'Delete all journal entries (requires `{"all": true}`)',
      description: 'The body must be `{"all": true}`. Ids continue from the last one.',
      query: unclaimed,
      body: ref('All'),
      replies: success('The number of deleted entries.', ref('Deleted')),
    },
    run: (request) => {
      const journal = journalOf(request);
      const deleted = journal.size();
      journal.clear();
      return { body: { deleted } };
    },
  },
]);
