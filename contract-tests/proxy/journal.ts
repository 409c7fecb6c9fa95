import type { Redact } from '../../mock/contract/redaction.ts';
import { bodyLength, headersLength, type ObservedExchange } from '../traffic/exchanges/observed.ts';
import type { Judgement } from '../traffic/session.ts';
import {
  type ExchangeEntry,
  entryOf,
  idOf,
  type JournalExchange,
  summaryOf,
  verdictOf,
} from './journal-entry.ts';

type ExchangeFilter = {
  readonly operation?: string | undefined;
  /** A status, a class like `4xx`, or `0` for exchanges without a response. */
  readonly status?: string | undefined;
  readonly verdict?: string | undefined;
  /** Words that occur in the method, path, operation, status or in a finding. */
  readonly q?: string | undefined;
};

/** The latest exchanges under `/api/v1`, for the live view; limited in number and size. */
export type ProxyJournal = ReturnType<typeof createProxyJournal>;

export type ExchangePage = ReturnType<ProxyJournal['page']>;

const maxExchanges = 1000;
const maxBytes = 16 * 2 ** 20;

export const createProxyJournal = (redact: Redact) => {
  let recorded: JournalExchange[] = [];
  const listeners = new Set<() => void>();
  let number = 0;
  let held = 0;
  let dropped = 0;
  let droppedBy: 'count' | 'bytes' | null = null;

  const dropOldest = (): void => {
    const oldest = recorded.shift();
    if (!oldest) return;
    droppedBy = recorded.length >= maxExchanges ? 'count' : 'bytes';
    held -= bytesOf(oldest.observed);
    dropped += 1;
  };
  const notify = (): void => {
    for (const listener of listeners) listener();
  };

  return {
    add: (observed: ObservedExchange, judgement: Judgement, isHeldBack: boolean): void => {
      number += 1;
      recorded.push({ number, observed, judgement, isHeldBack, recordedAtMs: Date.now() });
      held += bytesOf(observed);
      while (recorded.length > maxExchanges || (held > maxBytes && recorded.length > 1)) dropOldest();
      notify();
    },
    get: (id: string): ExchangeEntry | undefined => {
      const exchange = recorded.find((candidate) => idOf(candidate) === id);
      return exchange && entryOf(exchange, redact);
    },
    /** Newest first. */
    page: (filter: ExchangeFilter, start: number, limit: number) => {
      const matching = recorded.filter((exchange) => matches(exchange, filter)).reverse();
      return {
        requests: matching.slice(start, start + limit).map((exchange) => summaryOf(exchange, redact)),
        total: matching.length,
        /** Number of exchanges dropped because the journal was full, and the limit that was reached last. */
        dropped,
        dropped_by: droppedBy,
      };
    },
    /** Returns the number of deleted exchanges. */
    clear: (): number => {
      const cleared = recorded.length;
      recorded = [];
      held = 0;
      dropped = 0;
      droppedBy = null;
      notify();
      return cleared;
    },
    /** Calls the listener after every change, until the returned function is called. */
    watch: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

// Estimated memory of an exchange in addition to its texts, in bytes.
const overhead = 2000;

const bytesOf = (observed: ObservedExchange): number => {
  const { target, requestHeaders, responseHeaders, requestBody, responseBody } = observed;
  const texts = target.length + headersLength(requestHeaders) + headersLength(responseHeaders);
  return overhead + 2 * texts + bodyLength(requestBody) + bodyLength(responseBody);
};

const matches = (recorded: JournalExchange, { operation, status, verdict, q }: ExchangeFilter): boolean =>
  (operation === undefined || recorded.judgement.operation === operation) &&
  (verdict === undefined || verdictOf(recorded) === verdict) &&
  (status === undefined || hasStatus(recorded.observed.status, status)) &&
  (q === undefined || hasText(recorded, q));

const hasStatus = (actual: number, filter: string): boolean =>
  /^[1-5]xx$/i.test(filter) ? Math.floor(actual / 100) === Number(filter[0]) : String(actual) === filter;

const maxSearched = 2000;

const hasText = ({ observed, judgement }: JournalExchange, q: string): boolean => {
  const { operation = '', findings, requests, drift } = judgement;
  const text = [
    `${observed.method} ${observed.target.slice(0, maxSearched)} ${operation} ${observed.status}`,
    ...findings.map(({ check, failure }) => `${check.id} ${failure.expected} ${failure.actual}`),
    ...requests.map(({ message }) => message),
    ...drift.map(({ question }) => question),
    observed.injected?.what ?? '',
  ]
    .join('\n')
    .toLowerCase();
  const words = q.toLowerCase().split(/\s+/);
  return words.every((word) => (/^-./.test(word) ? !text.includes(word.slice(1)) : text.includes(word)));
};
