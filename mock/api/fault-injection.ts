import { pathOf } from '../contract/path-template.ts';
import { quoted } from '../contract/questions.ts';
import { ApiError } from '../http/errors.ts';
import type { FaultedRequest, MatchedFault } from '../workspace/faults.ts';
import type { ApiRequest, Exchange, Outcome } from './exchange.ts';

/** The preferences in a `Prefer` header (RFC 7240). */
type Preferences = {
  /** Refuse with this status, 400 to 599. */
  readonly code?: number;
  /** Wait this long before answering, in milliseconds. */
  readonly delay?: number;
};

const maxDelayMs = 60_000;
const maxHeaderLength = 1000;

// Commas separate preferences, except within quotes.
const eachPreference = /(?:"(?:[^"\\]|\\.)*"|[^,])+/g;

/**
 * Reads `Prefer: code=503, delay=200`. Other preferences are ignored, as the RFC requires.
 * @throws ApiError for an invalid `code` or `delay`, which must not be ignored silently
 */
export const readPreferences = (header: string): Preferences => {
  const preferences: { code?: number; delay?: number } = {};
  for (const [part] of header.slice(0, maxHeaderLength).matchAll(eachPreference)) {
    const [name = '', ...rest] = (part.split(';')[0] ?? '').split('=');
    const preference = name.trim().toLowerCase();
    const value = rest
      .join('=')
      .trim()
      .replace(/^"(.*)"$/, '$1');
    if (preference === 'code') preferences.code ??= parseWholeNumber(preference, value, 400, 599);
    if (preference === 'delay') preferences.delay ??= parseWholeNumber(preference, value, 0, maxDelayMs);
  }
  return preferences;
};

/** Reads the `Prefer` header of a request. */
const preferencesOf = ({ headers }: Pick<ApiRequest, 'headers'>): Preferences =>
  readPreferences([headers.prefer ?? []].flat().join());

const parseWholeNumber = (name: string, value: string, min: number, max: number): number => {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new ApiError(
    'bad_request',
    `header/Prefer: ${name} must be a whole number from ${min} to ${max}, not ${quoted(value)}`,
    `Write for example "Prefer: ${name}=${name === 'code' ? 503 : 250}".`,
  );
};

/** Refuses, breaks or delays as the request itself (`Prefer`), a fault rule, or `--delay` asks for. */
export const injectBeforeBody = (exchange: Exchange): Outcome | undefined => {
  const { request, context, workspace } = exchange;
  const hasRules = workspace?.faults.hasRules() === true;
  if (request.headers.prefer === undefined && context.delay === 0 && !hasRules) return undefined;
  const { code, delay } = preferencesOf(request);
  if (delay !== undefined) exchange.headers = { ...exchange.headers, 'preference-applied': `delay=${delay}` };
  // Matched when the request arrives, so that parallel requests never share one use of a rule.
  const matchedFault = code === undefined && hasRules ? matchFault(exchange) : undefined;
  exchange.delayMs = delay ?? matchedFault?.delay ?? context.delay;
  if (code !== undefined) throw preferredError(code, delay);
  return applyBeforeEffect(exchange, matchedFault);
};

const preferredError = (status: number, delay: number | undefined): ApiError =>
  new ApiError(
    'asked_for',
    `refused with ${status} because the request asked for it`,
    'Leave "code" out of the Prefer header for the real reply.',
    {
      status,
      headers: {
        'preference-applied': delay === undefined ? `code=${status}` : `code=${status}, delay=${delay}`,
      },
    },
  );

/** The matching rule before the body is read, if any. */
const matchFault = (exchange: Exchange): MatchedFault | undefined => {
  const faults = exchange.workspace?.faults;
  const request = toFaultedRequest(exchange);
  exchange.needsBodyFaultMatch = faults?.needsBody(request) === true;
  return exchange.needsBodyFaultMatch ? undefined : faults?.match(request);
};

/** Applies fault rules with conditions on the body, which is known only now. */
export const injectAfterBody = (exchange: Exchange): Outcome | undefined => {
  if (!exchange.needsBodyFaultMatch) return undefined;
  const matchedFault = exchange.workspace?.faults.match({
    ...toFaultedRequest(exchange),
    body: exchange.body,
  });
  exchange.delayMs = preferencesOf(exchange.request).delay ?? matchedFault?.delay ?? exchange.delayMs;
  return applyBeforeEffect(exchange, matchedFault);
};

const toFaultedRequest = ({ operation, request: { method, url } }: Exchange): FaultedRequest => ({
  operation: operation?.id ?? '',
  method,
  path: pathOf(url),
});

/** Applies a fault now, or keeps it for later if its rule has `take_effect`. */
const applyBeforeEffect = (
  exchange: Exchange,
  matchedFault: MatchedFault | undefined,
): Outcome | undefined => {
  if (!matchedFault) return undefined;
  if (!matchedFault.rule.take_effect) return applyFault(exchange, matchedFault);
  exchange.faultAfterEffect = matchedFault;
  return undefined;
};

/** Replaces the response of an operation that took effect. */
export const injectAfterEffect = (exchange: Exchange): Outcome | undefined =>
  exchange.faultAfterEffect && applyFault(exchange, exchange.faultAfterEffect);

/** The outcome that the rule asks for; `undefined` for a rule that only delays. */
const applyFault = (exchange: Exchange, { rule, position }: MatchedFault): Outcome | undefined => {
  const { status, fault, body, retry_after } = rule;
  const ruleName = `fault rule ${position} of this workspace`;
  const because = (effect: string): void => {
    exchange.entry.why = { code: 'fault', what: `${ruleName}: ${effect}` };
  };
  if (fault !== undefined) {
    because(fault);
    return { connectionFault: fault };
  }
  if (status === undefined) {
    because('delayed');
    return undefined;
  }
  const headers = retry_after === undefined ? {} : { 'retry-after': String(retry_after) };
  if (body === undefined) throw faultError(ruleName, status, headers);
  because(`${status} with a body of its own`);
  return {
    status,
    headers: { ...exchange.headers, ...headers, 'content-type': contentTypeOf(body) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
};

// Plain status texts, so that a client sees no difference to a real service.
const statusTexts: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  408: 'Request timeout',
  409: 'Conflict',
  413: 'Payload too large',
  422: 'Unprocessable content',
  429: 'Too many requests',
  500: 'Internal server error',
  502: 'Bad gateway',
  503: 'Service unavailable',
  504: 'Gateway timeout',
};

const faultError = (ruleName: string, status: number, headers: Record<string, string>): ApiError =>
  new ApiError(
    'fault',
    statusTexts[status] ?? (status < 500 ? 'The request was refused' : 'The service failed'),
    status < 500 && status !== 429 ? 'Check the request and send it again.' : 'Try again later.',
    { status, headers, reason: `${ruleName} answers ${status}` },
  );

// A text stands for the response of a gateway: an HTML page, or plain text.
const contentTypeOf = (body: unknown): string => {
  if (typeof body !== 'string') return 'application/json; charset=utf-8';
  return body.trimStart().startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
};
