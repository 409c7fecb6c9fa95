import { type Explain, findIn, type LogView, logRoutes } from '../route/logs.ts';
import { type AdminRequest, requireItem } from '../route/noun.ts';
import {
  list,
  object,
  ref,
  requestBodyFilters,
  requestFilters,
  since,
  success,
  text,
  wholeNumber,
} from '../route/schemas.ts';
import { har, harEntry } from '../store/har.ts';
import { searchIn } from '../store/log.ts';
import { type Journal, type JournalEntry, requestTests, type Side, toSummary } from './journal.ts';
import type { MockStatus } from './mock.ts';

/** An exchange of a recording. A body that was cut is left out. */
const recorded = (base: string) => (entry: JournalEntry) => {
  const { method, path, status, created_at: startedAt, duration_ms: durationMs } = entry;
  const sideOf = ({ headers, body, body_cut: isCut }: Side) => ({
    headers,
    body: isCut ? undefined : (body ?? ''),
  });
  const [request, response] = [sideOf(entry.request), sideOf(entry.response)];
  return harEntry({ method, url: base + path, status, startedAt, durationMs, request, response });
};

type Parts = { readonly requests: Journal; readonly unclaimed: Journal; readonly explain: Explain };

export const requests: LogView<JournalEntry, Parts> = {
  item: 'request',
  log: ({ requests }) => requests,
  /** Unmatched requests are those of the workspace and unclaimed ones together: a mistake may lead to either. */
  search: ({ requests, unclaimed }, { unmatched }) =>
    unmatched ? searchIn([requests.source, unclaimed.source]) : requests,
  tests: requestTests,
  summary: toSummary,
  full: (entry) => entry,
};

const recording = {
  type: 'object',
  description: 'HAR 1.2: http://www.softwareishard.com/blog/har-12-spec/',
  properties: {
    log: { ...object({ version: text, entries: list({ type: 'object' }) }), additionalProperties: true },
  },
  required: ['log'],
};

/** The journal. */
export const requestRoutes = logRoutes<JournalEntry, Parts & { readonly mock: MockStatus }>(
  '/requests',
  requests,
  requestFilters,
  {
    list: 'All requests to the service with the key of this workspace, to unknown paths too, whatever the response. `why` gives the reason for an error response.',
    left: 'headers and bodies',
  },
  {
    'GET /requests.har': {
      id: 'exportRequests',
      summary: 'Export the journal as a recording (HAR 1.2), for `email-leads check` and browsers',
      description: 'Oldest request first. Keys are redacted; a body that was truncated is left out.',
      replies: success('The recording.', recording),
      run: ({ requests, mock }, { base }) =>
        har('email-leads mock', String(mock.health().version), requests.all().map(recorded(base))),
    },
    'GET /requests/{id}': {
      id: 'getRequest',
      summary: 'Get a request and its response (`latest` for the newest)',
      description:
        'With headers and bodies, exactly as the client sent them. `request.body` is `null` without a body. Keys are redacted: the Authorization header, `?key=`, and every accepted key.',
      replies: success(
        'The request and the response. Keys are redacted and long bodies are truncated.',
        ref('Request'),
      ),
      run: ({ requests, unclaimed }, { id }) =>
        requireItem(
          id === 'latest' ? requests.latest() : (requests.get(id) ?? unclaimed.get(id)),
          'there is no such request in this journal',
          'GET /__admin/requests lists them; another key has another journal, and the oldest are dropped.',
        ),
    },
    'POST /requests/count': {
      id: 'countRequests',
      summary: 'Count matching requests',
      description:
        'Takes the filters of the list in the body. Without a body it counts all requests in the journal.',
      body: {
        ...object({ ...requestBodyFilters, ...since }, ...Object.keys({ ...requestFilters, ...since })),
        examples: [{ operation: 'addLead', status: '4xx' }],
      },
      bodyRequired: false,
      replies: success('The number.', object({ count: wholeNumber })),
      run: (parts, { body }) => {
        const query = { ...(body as object | null), limit: 0 } as AdminRequest['query'];
        return { count: findIn(requests, parts, query).total };
      },
    },
  },
);
