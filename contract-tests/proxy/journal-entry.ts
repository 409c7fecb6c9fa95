import type { IncomingHttpHeaders } from 'node:http';
import type { Redact } from '../../mock/contract/redaction.ts';
import { excerpt } from '../exchange/exchange.ts';
import {
  decodeBody,
  headerText,
  type ObservedBody,
  type ObservedExchange,
  shownHeader,
} from '../traffic/exchanges/observed.ts';
import type { Judgement } from '../traffic/session.ts';

/** An exchange that passed the proxy, with its result; it is formatted only on demand. */
export type JournalExchange = {
  readonly number: number;
  readonly observed: ObservedExchange;
  readonly judgement: Judgement;
  /** Whether the proxy replaced it by its own error response (`--enforce`). */
  readonly isHeldBack: boolean;
  /** Milliseconds since 1970. */
  readonly recordedAtMs: number;
};

export type ExchangeVerdict = 'fail' | 'warn' | 'drift' | 'pass' | 'skipped';

/** An exchange in the format of the mock's journal, with its verdict. */
export type ExchangeSummary = {
  readonly id: string;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly created_at: string;
  readonly duration_ms: number;
  readonly why: null;
  readonly verdict: ExchangeVerdict;
  readonly held_back: boolean;
  /** The fault rule of the proxy that changed it, and how. */
  readonly injected: string | null;
  /** Claims that it breaks. */
  readonly findings: readonly {
    readonly check: string;
    readonly section: string;
    readonly level: 'documented' | 'derived';
    readonly expected: string;
    readonly actual: string;
  }[];
  /** Pinned answers of the profile that it contradicts. */
  readonly drift: readonly {
    readonly question: string;
    readonly pinned: string | number;
    readonly actual: string | number;
  }[];
  /** Deviations of the request from the document. */
  readonly request_findings: readonly {
    readonly kind: string;
    readonly message: string;
    readonly section: string;
    readonly question: string | null;
  }[];
  /** Why the response was not checked. */
  readonly skipped: string | null;
};

export type ExchangeSide = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly body_cut: boolean;
  /** Why the body is unknown. */
  readonly body_missing: string | null;
};

export type ExchangeEntry = ExchangeSummary & {
  readonly request: ExchangeSide;
  readonly response: ExchangeSide;
};

export const verdictOf = ({ judgement }: Pick<JournalExchange, 'judgement'>): ExchangeVerdict => {
  const { findings, drift, skipped } = judgement;
  if (findings.some(({ check }) => check.level === 'documented')) return 'fail';
  if (findings.length > 0) return 'warn';
  if (drift.length > 0) return 'drift';
  return skipped === undefined ? 'pass' : 'skipped';
};

const maxPathLength = 2000;

export const idOf = ({ number }: Pick<JournalExchange, 'number'>): string =>
  `exchange_${String(number).padStart(6, '0')}`;

/** Formats an exchange without headers and bodies, and without keys. */
export const summaryOf = (recorded: JournalExchange, redact: Redact): ExchangeSummary => {
  const { observed, judgement, isHeldBack, recordedAtMs } = recorded;
  const durationMs = Math.round(observed.endedAt - observed.startedAt);
  const { findings, drift, requests, skipped, operation } = judgement;
  return {
    id: idOf(recorded),
    operation: operation ?? null,
    method: redact(observed.method),
    path: excerpt(redact(observed.target), maxPathLength),
    status: observed.status,
    created_at: new Date(recordedAtMs - durationMs).toISOString(),
    duration_ms: durationMs,
    why: null,
    verdict: verdictOf(recorded),
    held_back: isHeldBack,
    injected: observed.injected?.what ?? null,
    // Findings are already redacted.
    findings: findings.map(({ check, failure: { expected, actual } }) => ({
      check: check.id,
      section: check.section,
      level: check.level,
      expected,
      actual,
    })),
    drift,
    request_findings: requests.map(({ kind, message, section, question = null }) => ({
      kind,
      message: redact(message),
      section,
      question,
    })),
    skipped: skipped === undefined ? null : redact(skipped),
  };
};

export const entryOf = (recorded: JournalExchange, redact: Redact): ExchangeEntry => {
  const { requestHeaders, requestBody, responseHeaders, responseBody } = recorded.observed;
  return {
    ...summaryOf(recorded, redact),
    request: sideOf(requestHeaders, requestBody, redact),
    response: sideOf(responseHeaders, responseBody, redact),
  };
};

/** Maximum number of characters of a body that are shown. */
const maxShownLength = 64 * 1024;

const sideOf = (headers: IncomingHttpHeaders, body: ObservedBody, redact: Redact): ExchangeSide => {
  const decoded = decodeBody(body, headerText(headers['content-encoding']));
  const shownHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      redact(name),
      shownHeader(name, headerText(value), redact),
    ]),
  );
  if ('missing' in decoded)
    return { headers: shownHeaders, body: null, body_cut: false, body_missing: redact(decoded.missing) };
  const { rawText } = decoded;
  const isCut = rawText.length > maxShownLength;
  return {
    headers: shownHeaders,
    // The ellipsis tells the redactor that the text may end within a key.
    body: rawText === '' ? null : redact(isCut ? `${rawText.slice(0, maxShownLength)}…` : rawText),
    body_cut: isCut,
    body_missing: null,
  };
};
