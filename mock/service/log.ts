import { jsonText, printableLine } from '../contract/printable.ts';
import { createKeyRedactor } from '../contract/redaction.ts';
import { nextTurn, timeNow } from '../runtime/timers.ts';
import type { MockOptions } from './options.ts';

type LoggedRequest = { readonly method: string; readonly url: string };
type LoggedResponse = {
  readonly statusCode: number;
  readonly elapsedTime: number;
  /** Why it is not a plain success. */
  readonly why?: string | undefined;
};

/** Logs one request. `undefined` if nothing is logged. */
export type RequestLog = ((request: LoggedRequest, reply: LoggedResponse) => void) | undefined;

/**
 * One line per request: time, method, path, status, duration. It never contains headers, bodies, a key in a query, or an
 * accepted key anywhere. Lines are collected and written once per turn of the event loop, after the request.
 */
export const createLog = (
  style: NonNullable<MockOptions['log']>,
  write: (text: string) => void,
  acceptKeys: readonly string[] = [],
): RequestLog => {
  if (style === 'silent') return undefined;
  const line = style === 'json' ? jsonLine : prettyLine;
  const redact = createKeyRedactor(acceptKeys);
  let lines: string[] = [];
  const flush = (): void => {
    const text = lines.join('');
    lines = [];
    write(text);
  };
  return (request, { why, ...reply }) => {
    const shown = why === undefined ? reply : { ...reply, why: redact(why) };
    lines.push(line(request.method, truncateUrl(redact(request.url)), shown));
    if (lines.length === 1) nextTurn(flush);
  };
};

const maxUrlLength = 500;

// After redaction: a key cut in half would not be recognized.
const truncateUrl = (url: string): string =>
  url.length > maxUrlLength ? `${url.slice(0, maxUrlLength - 3)}...` : url;

type Line = (method: string, url: string, reply: LoggedResponse) => string;

const jsonLine: Line = (method, url, { statusCode, elapsedTime, why }) => {
  const ms = Number(elapsedTime.toFixed(1));
  return `${jsonText({ time: timeNow(), method, url, status: statusCode, ms, why }, 0)}\n`;
};

const prettyLine: Line = (method, url, { statusCode, elapsedTime, why }) => {
  const line = `${timeNow().slice(11, 23)} ${method.padEnd(6)} ${url} → ${statusCode} ${elapsedTime.toFixed(1)} ms`;
  return `${printableLine(why === undefined ? line : `${line}  ${why}`)}\n`;
};
