import { jsonText, printableLine } from '../contract/printable.ts';
import { createKeyRedactor } from '../contract/redaction.ts';
import { nextTurn, timeNow } from '../runtime/timers.ts';
import type { MockOptions } from './options.ts';
import type { ApiRequest } from './request.ts';

type LoggedResponse = {
  readonly status: number;
  readonly ms: number;
  /** Why it is not a plain success. */
  readonly why?: string | undefined;
};

/** Logs one request. `undefined` if nothing is logged. */
export type RequestLog =
  | ((request: Pick<ApiRequest, 'method' | 'url'>, response: LoggedResponse) => void)
  | undefined;

/**
 * One line per request: time, method, path, status, duration. It never contains headers, bodies, a key in a query, or an
 * accepted key anywhere. Lines are collected and written once per turn of the event loop, after the response.
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
  return ({ method, url }, { why, ...response }) => {
    const shown = why === undefined ? response : { ...response, why: redact(why) };
    lines.push(line(method, truncateUrl(redact(url)), shown));
    if (lines.length === 1) nextTurn(flush);
  };
};

const maxUrlLength = 500;

// After redaction: a key cut in half would not be recognized.
const truncateUrl = (url: string): string =>
  url.length > maxUrlLength ? `${url.slice(0, maxUrlLength - 3)}...` : url;

type Line = (method: string, url: string, response: LoggedResponse) => string;

const jsonLine: Line = (method, url, { status, ms, why }) =>
  `${jsonText({ time: timeNow(), method, url, status, ms: Number(ms.toFixed(1)), why }, 0)}\n`;

const prettyLine: Line = (method, url, { status, ms, why }) => {
  const line = `${timeNow().slice(11, 23)} ${method.padEnd(6)} ${url} → ${status} ${ms.toFixed(1)} ms`;
  return `${printableLine(why === undefined ? line : `${line}  ${why}`)}\n`;
};
