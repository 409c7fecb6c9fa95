import type { IncomingHttpHeaders } from 'node:http';
import type { Redact } from '../../mock/contract/redaction.ts';
import { excerpt } from '../exchange/exchange.ts';
import { type ObservedBody, type ObservedExchange, shownHeaders } from '../traffic/exchanges/observed.ts';
import type { Judgement } from '../traffic/session.ts';

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

export const verdictOf = ({ findings, drift, skipped }: Judgement): ExchangeVerdict => {
  if (findings.some(({ check }) => check.level === 'documented')) return 'fail';
  if (findings.length > 0) return 'warn';
  if (drift.length > 0) return 'drift';
  return skipped === undefined ? 'pass' : 'skipped';
};

const maxPathLength = 2000;

/** An exchange in the format of the mock's journal, with its verdict: without headers and bodies, and without keys. */
export const summaryOf = (recorded: JournalExchange, redact: Redact) => {
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
export const entryOf = (recorded: JournalExchange, redact: Redact) => {
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
