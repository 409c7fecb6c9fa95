import type { IncomingMessage } from 'node:http';
import { ApiError, quoted } from './errors.ts';

/** What `Prefer` asks of this one request (RFC 7240). */
export type Preferences = {
  /** Refuse with this status, 400 to 599. */
  readonly code?: number;
  /** Wait this long before answering, in milliseconds. */
  readonly delay?: number;
};

const longestDelay = 60_000;
const longestHeader = 1000;

// Commas separate preferences, except within quotes.
const eachPreference = /(?:"(?:[^"\\]|\\.)*"|[^,])+/g;

/**
 * Reads `Prefer: code=503, delay=200`. Other preferences are ignored, as the RFC wants.
 * @throws ApiError for a `code` or `delay` that cannot be followed: silence would look like a mock that ignores it.
 */
export const readPreferences = (header: string): Preferences => {
  const preferences: { code?: number; delay?: number } = {};
  for (const [part] of header.slice(0, longestHeader).matchAll(eachPreference)) {
    const [name = '', ...rest] = (part.split(';')[0] ?? '').split('=');
    const preference = name.trim().toLowerCase();
    const value = rest
      .join('=')
      .trim()
      .replace(/^"(.*)"$/, '$1');
    if (preference === 'code') preferences.code ??= whole(preference, value, 400, 599);
    if (preference === 'delay') preferences.delay ??= whole(preference, value, 0, longestDelay);
  }
  return preferences;
};

/** The same for a request. */
export const preferencesOf = ({ headers }: Pick<IncomingMessage, 'headers'>): Preferences =>
  readPreferences([headers.prefer ?? []].flat().join());

const whole = (name: string, value: string, least: number, most: number): number => {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new ApiError(
    'bad_request',
    `header/Prefer: ${name} must be a whole number from ${least} to ${most}, not ${quoted(value)}`,
    `Write for example "Prefer: ${name}=${name === 'code' ? 503 : 250}".`,
  );
};
