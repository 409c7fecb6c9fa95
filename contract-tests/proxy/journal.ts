import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Redact } from '../../mock/contract/redaction.ts';
import { createEvents } from '../../mock/nouns/events.ts';
import { statusTest, wordsTest } from '../../mock/nouns/journal.ts';
import { requestId } from '../../mock/store/ids.ts';
import { createLog, type Tests } from '../../mock/store/log.ts';
import { createMeter, limits } from '../../mock/store/store.ts';
import type { ObservedBody, ObservedExchange } from '../traffic/exchanges/observed.ts';
import type { Judgement } from '../traffic/session.ts';
import {
  type ExchangeEntry,
  type ExchangeSummary,
  type ExchangeVerdict,
  entryOf,
  summaryOf,
  verdictOf,
} from './journal-entry.ts';

export type ExchangeFilter = {
  readonly operation?: string | undefined;
  /** A status, a class like `4xx`, or `0` for exchanges without a response. */
  readonly status?: string | undefined;
  readonly verdict?: string | undefined;
  /** Words that occur in the method, path, operation, status or in a finding. */
  readonly q?: string | undefined;
};

type Recorded = {
  readonly id: string;
  readonly operation: OperationId | undefined;
  readonly status: number;
  readonly verdict: ExchangeVerdict;
  /** What a search reads. */
  readonly words: string;
  /** What else is kept in memory, for the limit of the journal. */
  readonly held: readonly unknown[];
  // Written on demand: most are never looked at.
  readonly summary: () => ExchangeSummary;
  readonly entry: () => ExchangeEntry;
};

/** The latest exchanges under `/api/v1`, for the live view: a log as the mock has one, within the same limits. */
export type ProxyJournal = ReturnType<typeof createProxyJournal>;

export type ExchangePage = ReturnType<ProxyJournal['list']>;

/** Number of pages that may be open at a time. */
const maxStreams = 50;

export const createProxyJournal = (redact: Redact) => {
  const waiting = { count: 0, max: maxStreams };
  const events = createEvents(waiting);
  const log = createLog<Recorded>({
    bounds: { count: limits.journalRequests, length: limits.journalLength },
    waiting,
    meter: createMeter(),
    publish: events.publisher('requests'),
    idOf: requestId,
    describe: ({ id, verdict }) => ({ id, verdict }),
  });
  return {
    events,
    record: (observed: ObservedExchange, judgement: Judgement, isHeldBack: boolean): void => {
      const exchange = { id: log.nextId(), observed, judgement, isHeldBack, recordedAtMs: Date.now() };
      const { target, requestHeaders, requestBody, responseHeaders, responseBody } = observed;
      log.add({
        id: exchange.id,
        operation: judgement.operation,
        status: observed.status,
        verdict: verdictOf(judgement),
        words: wordsOf(observed, judgement),
        held: [target, requestHeaders, textOf(requestBody), responseHeaders, textOf(responseBody)],
        summary: () => summaryOf(exchange, redact),
        entry: () => entryOf(exchange, redact),
      });
    },
    get: (id: string): ExchangeEntry | undefined => log.get(id)?.entry(),
    /** Newest first. */
    list: (filter: ExchangeFilter = {}, range: { readonly start?: number; readonly limit?: number } = {}) => {
      const { items, ...page } = log.page(testsOf(filter), range);
      return { requests: items.map(({ summary }) => summary()), ...page };
    },
    clear: log.clear,
  };
};

const textOf = (body: ObservedBody): string => ('missing' in body ? '' : body.rawText);

const testsOf = ({ operation, status = '', verdict, q = '' }: ExchangeFilter): Tests<Recorded> => {
  const [hasStatus, hasWords] = [statusTest(status), wordsTest(q)];
  return [
    ['operation', (recorded) => !operation || recorded.operation === operation],
    ['verdict', (recorded) => !verdict || recorded.verdict === verdict],
    ['status', (recorded) => status === '' || hasStatus(recorded.status)],
    ['q', ({ words }) => hasWords(words)],
  ];
};

const maxSearched = 2000;

const wordsOf = ({ method, target, status, injected }: ObservedExchange, judgement: Judgement): string => {
  const { operation = '', findings, requests, drift } = judgement;
  return [
    `${method} ${target.slice(0, maxSearched)} ${operation} ${status}`,
    ...findings.map(({ check, failure }) => `${check.id} ${failure.expected} ${failure.actual}`),
    ...requests.map(({ message }) => message),
    ...drift.map(({ question }) => question),
    injected?.what ?? '',
  ].join('\n');
};
