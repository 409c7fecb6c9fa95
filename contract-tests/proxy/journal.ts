import type { IncomingHttpHeaders } from 'node:http';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Redact } from '../../mock/contract/redaction.ts';
import { createEvents } from '../../mock/nouns/events.ts';
import { statusTest, wordsTest } from '../../mock/nouns/journal.ts';
import { requestId } from '../../mock/store/ids.ts';
import { createLog, type Tests } from '../../mock/store/log.ts';
import { createMeter, limits } from '../../mock/store/store.ts';
import { excerpt } from '../exchange/exchange.ts';
import { type ObservedBody, type ObservedExchange, shownHeaders } from '../traffic/exchanges/observed.ts';
import type { Judgement } from '../traffic/session.ts';

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

/** An exchange that passed the proxy, with its result; it is formatted only on demand. */
type JournalExchange = {
  readonly id: string;
  readonly observed: ObservedExchange;
  readonly judgement: Judgement;
  /** Whether the proxy replaced it by its own error response (`--enforce`). */
  readonly isHeldBack: boolean;
  /** Milliseconds since 1970. */
  readonly recordedAtMs: number;
};

export const exchangeVerdicts = ['fail', 'warn', 'drift', 'pass', 'skipped'] as const;

export type ExchangeVerdict = (typeof exchangeVerdicts)[number];

const verdictOf = ({ findings, drift, skipped }: Judgement): ExchangeVerdict => {
  if (findings.some(({ check }) => check.level === 'documented')) return 'fail';
  if (findings.length > 0) return 'warn';
  if (drift.length > 0) return 'drift';
  return skipped === undefined ? 'pass' : 'skipped';
};

const maxPathLength = 2000;

/** An exchange in the format of the mock's journal, with its verdict: without headers and bodies, and without keys. */
const summaryOf = (recorded: JournalExchange, redact: Redact) => {
  const { observed, judgement, isHeldBack, recordedAtMs } = recorded;
  const durationMs = Math.round(observed.endedAt - observed.startedAt);
  const { findings, drift, requests, skipped, operation } = judgement;
  return {
    id: recorded.id,
    operation: operation ?? null,
    method: redact(observed.method),
    path: excerpt(redact(observed.target), maxPathLength),
    status: observed.status,
    created_at: new Date(recordedAtMs - durationMs).toISOString(),
    duration_ms: durationMs,
    why: null,
    verdict: verdictOf(judgement),
    held_back: isHeldBack,
    /** The fault rule of the proxy that changed it, and how. */
    injected: observed.injected?.what ?? null,
    /** Claims that it breaks; they are already redacted. */
    findings: findings.map(({ check, failure: { expected, actual } }) => ({
      check: check.id,
      section: check.section,
      level: check.level,
      expected,
      actual,
    })),
    /** Pinned answers of the profile that it contradicts. */
    drift,
    /** Deviations of the request from the document. */
    request_findings: requests.map(({ kind, message, section, question = null }) => ({
      kind,
      message: redact(message),
      section,
      question,
    })),
    /** Why the response was not checked. */
    skipped: skipped === undefined ? null : redact(skipped),
  };
};

export type ExchangeSummary = ReturnType<typeof summaryOf>;

/** The same with headers and bodies. */
const entryOf = (recorded: JournalExchange, redact: Redact) => {
  const { requestHeaders, requestBody, responseHeaders, responseBody } = recorded.observed;
  return {
    ...summaryOf(recorded, redact),
    request: sideOf(requestHeaders, requestBody, redact),
    response: sideOf(responseHeaders, responseBody, redact),
  };
};

export type ExchangeEntry = ReturnType<typeof entryOf>;

/** Maximum number of characters of a body that are shown. */
const maxShownLength = 64 * 1024;

export type ExchangeSide = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly body_cut: boolean;
  /** Why the body is unknown. */
  readonly body_missing: string | null;
};

const sideOf = (headers: IncomingHttpHeaders, body: ObservedBody, redact: Redact): ExchangeSide => {
  const shown = { headers: shownHeaders(headers, redact) };
  if ('missing' in body) return { ...shown, body: null, body_cut: false, body_missing: redact(body.missing) };
  const { rawText } = body;
  const isCut = rawText.length > maxShownLength;
  return {
    ...shown,
    // The ellipsis tells the redactor that the text may end within a key.
    body: rawText === '' ? null : redact(isCut ? `${rawText.slice(0, maxShownLength)}…` : rawText),
    body_cut: isCut,
    body_missing: null,
  };
};
