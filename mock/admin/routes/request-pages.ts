import { lazily } from '../../runtime/json-parts.ts';
import { findUnknownFilterValue } from '../../validation/request-filter.ts';
import type { Journal } from '../../workspace/journal.ts';
import {
  createRequestSearch,
  type JournalSummary,
  type RequestFilter,
} from '../../workspace/journal-entry.ts';
import { rangeOf } from '../input.ts';
import { AdminError, type AdminRequest } from '../route.ts';
import type { WaitedPage } from './wait.ts';

/**
 * The journal of the workspace, or of unclaimed requests.
 * @throws AdminError 401 without an accepted key, which unclaimed requests need as well
 */
export const journalOf = (request: AdminRequest): Journal => {
  if (request.query.unclaimed !== 'true') return request.workspace.journal;
  request.requireKey();
  return request.context.workspaces.unclaimed;
};

/** @throws AdminError 400 for a filter that no request can match: a wait for absence would always succeed */
export const filterOf = (
  { operation, method, path, status }: AdminRequest['query'],
  journal: Journal,
  where = 'query',
): RequestFilter => {
  const filter = { operation, method, path, status };
  const unknownValue = findUnknownFilterValue(filter, journal);
  if (unknownValue)
    throw new AdminError(400, `${where}/${unknownValue.name} ${unknownValue.problem}`, unknownValue.hint);
  return filter;
};

const searchOf = (query: string | undefined) => (query ? createRequestSearch(query) : undefined);

/** The page of the journal for a query. */
export function* pageInSteps(request: AdminRequest): Generator<undefined, WaitedPage> {
  const { query } = request;
  if (query.unmatched === 'true') return yield* unmatchedPageInSteps(request);
  const journal = journalOf(request);
  const filter = { ...filterOf(query, journal), search: searchOf(query.q) };
  const page = yield* journal.pageInSteps(filter, rangeOf(query));
  return { ...page, dropped: journal.dropped(), dropped_by: journal.droppedBy() };
}

/** Unmatched requests of the workspace and unclaimed ones together: a mistake may lead to either. */
function* unmatchedPageInSteps({
  workspace,
  query,
  context,
}: AdminRequest): Generator<undefined, WaitedPage> {
  const { journal } = workspace;
  const { unclaimed } = context.workspaces;
  const filter = { ...filterOf(query, journal), unmatched: true, search: searchOf(query.q) };
  const range = { since: query.since, limit: maxUnmatched };
  const requests: (JournalSummary & { readonly unclaimed?: true })[] = [];
  const own = yield* journal.pageInSteps(filter, range);
  if (query.unclaimed !== 'true') yield* collect(own.requests, requests);
  const unclaimedPage = yield* unclaimed.pageInSteps(filter, { limit: maxUnmatched });
  yield* collect(lazily(unclaimedPage.requests, markUnclaimed), requests);
  requests.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const { start, limit } = rangeOf(query);
  return {
    requests: requests.slice(start, start + limit),
    total: requests.length,
    cursor: own.cursor,
    dropped: journal.dropped(),
    dropped_by: journal.droppedBy(),
  };
}

const markUnclaimed = (request: JournalSummary) => ({ ...request, unclaimed: true as const });

function* collect<Item>(items: Iterable<Item>, into: Item[]): Generator<undefined, void> {
  for (const item of items) {
    into.push(item);
    yield;
  }
}

const maxUnmatched = 1000;
