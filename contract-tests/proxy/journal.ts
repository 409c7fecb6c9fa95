import type { IncomingHttpHeaders } from 'node:http';
import type { Redact } from '../../mock/contract/redaction.ts';
import { createEvents } from '../../mock/nouns/events.ts';
import { statusTest, wordsTest } from '../../mock/nouns/journal.ts';
import { requestId } from '../../mock/store/ids.ts';
import { createLog, type Range, testsOf } from '../../mock/store/log.ts';
import { createMeter, limits } from '../../mock/store/store.ts';
import { excerpt } from '../exchange/exchange.ts';
import { type ObservedBody, type ObservedExchange, shownHeaders } from '../traffic/exchanges/observed.ts';
import type { TrafficJudgement } from '../traffic/session.ts';

export const exchangeVerdicts = ['fail', 'warn', 'pass', 'skipped'] as const;

export type ExchangeVerdict = (typeof exchangeVerdicts)[number];

const verdictOf = ({ findings, skipped }: TrafficJudgement): ExchangeVerdict => {
  if (findings.some(({ check }) => check.level === 'documented')) return 'fail';
  if (findings.length > 0) return 'warn';
  return skipped === undefined ? 'pass' : 'skipped';
};

const maxPathLength = 2000;

/** Maximum number of characters of a body that are shown. */
const maxShownLength = 64 * 1024;

/** An exchange in the format of the mock's journal, with its verdict, and without keys. */
const entryOf = (
  id: string,
  observed: ObservedExchange,
  judgement: TrafficJudgement,
  isHeldBack: boolean,
  redact: Redact,
) => {
  const { method, target, status, startedAt, endedAt, injected } = observed;
  const { findings, deviations, skipped, operation } = judgement;
  const durationMs = Math.round(endedAt - startedAt);
  return {
    id,
    operation: operation ?? null,
    method: redact(method),
    path: excerpt(redact(target), maxPathLength),
    status,
    created_at: new Date(Date.now() - durationMs).toISOString(),
    duration_ms: durationMs,
    why: null,
    verdict: verdictOf(judgement),
    /** Whether the proxy replaced it by its own error response (`--enforce`). */
    held_back: isHeldBack || injected?.effect === 'refused',
    /** The fault rule of the proxy that changed it, and how. */
    injected: injected && injected.effect !== 'refused' ? injected.what : null,
    /** Claims that it breaks; they are already redacted. */
    findings: findings.map(({ check: { id: check, section, level }, failure: { expected, actual } }) => ({
      ...{ check, section, level, expected, actual },
    })),
    /** How the request deviates from the document. */
    request_findings: deviations.map(({ kind, message, section, question = null }) => ({
      ...{ kind, message: redact(message), section, question },
    })),
    /** Why the response was not checked. */
    skipped: skipped === undefined ? null : redact(skipped),
    request: sideOf(observed.requestHeaders, observed.requestBody, redact),
    response: sideOf(observed.responseHeaders, observed.responseBody, redact),
  };
};

export type ExchangeSide = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly body_cut: boolean;
  /** Why the body is unknown. */
  readonly body_missing: string | null;
};

const sideOf = (headers: IncomingHttpHeaders, body: ObservedBody, redact: Redact): ExchangeSide => {
  const shown = { headers: shownHeaders(headers, redact), body: null, body_cut: false, body_missing: null };
  if ('missing' in body) return { ...shown, body_missing: redact(body.missing) };
  const { rawText } = body;
  if (rawText.length <= maxShownLength) return { ...shown, body: rawText === '' ? null : redact(rawText) };
  // The ellipsis tells the redactor that the text may end within a key.
  return { ...shown, body: redact(`${rawText.slice(0, maxShownLength)}…`), body_cut: true };
};

export type ExchangeEntry = ReturnType<typeof entryOf>;

export type ExchangeSummary = Omit<ExchangeEntry, 'request' | 'response'>;

const toSummary = ({ request: _, response: __, ...summary }: ExchangeEntry): ExchangeSummary => summary;

type Test = (entry: ExchangeEntry) => boolean;

const tests = {
  operation: (expected) => (entry) => entry.operation === expected,
  verdict: (expected) => (entry) => entry.verdict === expected,
  status: (expected) => {
    const isMeant = statusTest(expected);
    return ({ status }) => isMeant(status);
  },
  q: (query) => {
    const hasWords = wordsTest(query);
    return (entry) => hasWords(wordsIn(entry));
  },
} satisfies Readonly<Record<string, (expected: string) => Test>>;

export type ExchangeFilter = { readonly [Name in keyof typeof tests]?: string };

/** What a search reads: the request line, the status, the fault rule, and the findings. */
const wordsIn = (entry: ExchangeEntry): string => {
  const { method, path, operation, status, findings, request_findings: deviations, injected } = entry;
  return [
    `${method} ${path} ${operation ?? ''} ${status} ${injected ?? ''}`,
    ...findings.map(({ check, expected, actual }) => `${check} ${expected} ${actual}`),
    ...deviations.map(({ message }) => message),
  ].join('\n');
};

/** The latest exchanges under `/api/v1`, for the live view: a log as the mock has one, within the same limits. */
export type ProxyJournal = ReturnType<typeof createProxyJournal>;

export type ExchangePage = ReturnType<ProxyJournal['list']>;

/** Number of pages that may be open at a time. */
const maxStreams = 50;

export const createProxyJournal = (redact: Redact) => {
  const waiting = { count: 0, max: maxStreams };
  const events = createEvents(waiting);
  const bounds = { count: limits.journalRequests, length: limits.journalLength };
  const publish = events.publisher('requests');
  const log = createLog<ExchangeEntry>({ bounds, waiting, meter: createMeter(), publish, idOf: requestId });
  return {
    events,
    record: (observed: ObservedExchange, judgement: TrafficJudgement, isHeldBack: boolean): void =>
      void log.add(entryOf(log.nextId(), observed, judgement, isHeldBack, redact)),
    get: log.get,
    /** Newest first. */
    list: (filter: ExchangeFilter = {}, range: Range = {}) => {
      const { items, ...page } = log.page(testsOf(tests, filter), range);
      return { requests: items.map(toSummary), ...page };
    },
    clear: log.clear,
  };
};
