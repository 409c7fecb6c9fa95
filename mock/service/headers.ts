import { quoted } from '../contract/questions.ts';
import { isTestKey } from '../contract/redaction.ts';
import type { Headers } from './body.ts';
import { ApiError } from './errors.ts';

const exposedHeaders =
  'Allow, Deprecation, Preference-Applied, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Sunset, ' +
  'WWW-Authenticate';

type CorsHeaders = Readonly<Record<string, string>>;

/**
 * Headers that let a page of any origin read a response, with cookies too, as some clients always send them: no cookie gives
 * access to anything here. Written by hand, because @fastify/cors takes longer per request than the validation.
 */
export const corsHeaders = (origin = '*'): CorsHeaders => ({
  'access-control-allow-origin': origin,
  ...(origin === '*' ? {} : { 'access-control-allow-credentials': 'true' }),
  'access-control-expose-headers': exposedHeaders,
  vary: 'Origin',
  // A browser silently repeats a request if a reused connection breaks without a response. With one connection per request
  // the page sees every connection fault.
  connection: 'close',
});

/**
 * CORS headers for requests of pages; `undefined` for all others.
 * @param allowed if there are any, pages of other origins get none
 */
export const responseCorsHeaders = (
  { origin }: Headers,
  allowed: readonly string[],
): CorsHeaders | undefined => {
  if (origin === undefined) return undefined;
  return allowed.length === 0 || allowed.includes(origin) ? corsHeaders(origin) : { vary: 'Origin' };
};

/**
 * The headers of the 204 to any OPTIONS request, which allow everything. Sent before authentication, because a preflight
 * carries no key.
 */
export const preflightHeaders = (headers: Headers, allowed: readonly string[]): CorsHeaders => {
  const cors = responseCorsHeaders(headers, allowed) ?? corsHeaders();
  if (!('access-control-allow-origin' in cors)) return cors;
  return { ...cors, ...permissions(headers), vary: 'Origin, Access-Control-Request-Headers' };
};

/** The methods and headers that a page may send. Lists the header names, because "*" does not cover Authorization. */
const permissions = ({ 'access-control-request-headers': names }: Headers): CorsHeaders => ({
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  ...(names === undefined ? {} : { 'access-control-allow-headers': String(names) }),
});

/** CORS headers of the admin API, for pages of the origins in `--allowed-origin` only. Without the flag there are none. */
export const adminCorsHeaders = (headers: Headers, allowed: readonly string[]): CorsHeaders => {
  const { origin } = headers;
  if (allowed.length === 0) return {};
  if (origin === undefined || !allowed.includes(origin)) return { vary: 'Origin' };
  const readable = { 'access-control-allow-origin': origin, 'access-control-expose-headers': '*' };
  return { vary: 'Origin', ...readable, ...permissions(headers) };
};

/** Whether a request is a CORS preflight. */
export const isPreflight = (method: string, headers: Headers): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

const prefix = 'Bearer ';

/** The key in an `Authorization` header (§5.1); `undefined` for a header that is missing or malformed. */
export const keyOf = (header = ''): string | undefined => {
  const key = header.startsWith(prefix) ? header.slice(prefix.length).trim() : '';
  return key === '' || key.includes(' ') ? undefined : key;
};

const challenge = { headers: { 'www-authenticate': 'Bearer' } };

/** The error for a request without an accepted key. It repeats no header, which may hold a real key; only a test key. */
export const authenticationError = (header: string, rule: string): ApiError => {
  if (keyOf(header) !== undefined)
    return new ApiError(
      'key_unknown',
      'header/Authorization carries a key that is not accepted',
      rule,
      challenge,
    );
  if (header === '') {
    const hint = `Send "Authorization: Bearer <API_KEY>". ${rule}`;
    return new ApiError('authentication_missing', 'header/Authorization is missing', hint, challenge);
  }
  const key = header.slice(0, 1000).split(/\s+/).find(isTestKey) ?? '<API_KEY>';
  return new ApiError(
    'authentication_malformed',
    'header/Authorization must be the word Bearer, one space and the key',
    `Write "Authorization: Bearer ${key}". ${rule}`,
    challenge,
  );
};

const maxDelayMs = 60_000;
const maxHeaderLength = 1000;

/**
 * Reads the preferences `Prefer: code=503, delay=200` (RFC 7240): the status to refuse with, and the milliseconds to wait before.
 * Others are ignored, as the RFC requires.
 * @throws ApiError for an invalid `code` or `delay`, which must not be ignored silently
 */
export const readPreferences = (header: string): { readonly code?: number; readonly delay?: number } => {
  const preferences: { code?: number; delay?: number } = {};
  for (const part of header.slice(0, maxHeaderLength).split(',')) {
    const [, name = '', value = ''] = /^\s*(\w+)\s*(?:=\s*"?([^";]*))?/.exec(part) ?? [];
    const preference = name.toLowerCase();
    if (preference === 'code') preferences.code ??= parseWholeNumber(preference, value.trim(), 400, 599);
    if (preference === 'delay')
      preferences.delay ??= parseWholeNumber(preference, value.trim(), 0, maxDelayMs);
  }
  return preferences;
};

const parseWholeNumber = (name: string, value: string, min: number, max: number): number => {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new ApiError(
    'bad_request',
    `header/Prefer: ${name} must be a whole number from ${min} to ${max}, not ${quoted(value)}`,
    `Write for example "Prefer: ${name}=${name === 'code' ? 503 : 250}".`,
  );
};

/** The error for a status that the request itself asked for. */
export const preferredError = (status: number, delay: number | undefined): ApiError => {
  const applied = delay === undefined ? `code=${status}` : `code=${status}, delay=${delay}`;
  return new ApiError(
    'asked_for',
    `refused with ${status} because the request asked for it`,
    'Leave "code" out of the Prefer header for the real reply.',
    { status, headers: { 'preference-applied': applied } },
  );
};
