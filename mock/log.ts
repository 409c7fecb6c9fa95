import { nextTurn } from './real-time.ts';
import { createRedactor, secretsAmong } from './redaction.ts';
import { timeNow } from './state.ts';

export type LogStyle = 'pretty' | 'json' | 'silent';

type Asked = { readonly method: string; readonly url: string };
type Answered = { readonly statusCode: number; readonly elapsedTime: number };

/** Logs one request; fits as Fastify's `onResponse` hook. `undefined` where nothing is logged. */
export type RequestLog = ((request: Asked, reply: Answered, done?: () => void) => void) | undefined;

/**
 * One line per request: time, method, path, status, duration. Headers and bodies never reach it, nor a key in a query or an accepted one anywhere.
 * Lines are collected and written once per turn of the event loop, off the path of the request.
 */
export const createLog = (
  style: LogStyle,
  write: (text: string) => void,
  acceptKeys: readonly string[] = [],
): RequestLog => {
  if (style === 'silent') return undefined;
  const line = style === 'json' ? jsonLine : prettyLine;
  const { url: redacted } = createRedactor(secretsAmong(acceptKeys));
  let lines: string[] = [];
  const flush = (): void => {
    const text = lines.join('');
    lines = [];
    write(text);
  };
  return (request, reply, done) => {
    lines.push(line(request.method, shortened(redacted(request.url)), reply));
    if (lines.length === 1) nextTurn(flush);
    done?.();
  };
};

const longestUrl = 500;

// After the keys were taken out: half a key would not be known for one.
const shortened = (url: string): string =>
  url.length > longestUrl ? `${url.slice(0, longestUrl - 3)}...` : url;

type Line = (method: string, url: string, reply: Answered) => string;

const jsonLine: Line = (method, url, { statusCode, elapsedTime }) =>
  `${JSON.stringify({ time: timeNow(), method, url, status: statusCode, ms: Number(elapsedTime.toFixed(1)) })}\n`;

const prettyLine: Line = (method, url, { statusCode, elapsedTime }) =>
  `${timeNow().slice(11, 23)} ${method.padEnd(6)} ${url} → ${statusCode} ${elapsedTime.toFixed(1)} ms\n`;
