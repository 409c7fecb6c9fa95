import { nextTurn } from './real-time.ts';
import { timeNow } from './state.ts';

export type LogStyle = 'pretty' | 'json' | 'silent';

type Asked = { readonly method: string; readonly url: string };
type Answered = { readonly statusCode: number; readonly elapsedTime: number };

/** Logs one request; fits as Fastify's `onResponse` hook. `undefined` where nothing is logged. */
export type RequestLog = ((request: Asked, reply: Answered, done?: () => void) => void) | undefined;

/**
 * One line per request: time, method, path, status, duration. Headers and bodies never reach it, nor a key in a query.
 * Lines are collected and written once per turn of the event loop, off the path of the request.
 */
export const createLog = (style: LogStyle, write: (text: string) => void): RequestLog => {
  if (style === 'silent') return undefined;
  const line = style === 'json' ? jsonLine : prettyLine;
  let lines: string[] = [];
  const flush = (): void => {
    const text = lines.join('');
    lines = [];
    write(text);
  };
  return (request, reply, done) => {
    lines.push(line(request, reply));
    if (lines.length === 1) nextTurn(flush);
    done?.();
  };
};

const longestUrl = 500;
// The name of the parameter may itself be percent-encoded.
const keyParameter = /([?&](?:k|%6b)(?:e|%65)(?:y|%79)=)[^&]*/gi;

const redacted = (url: string): string =>
  (url.length > longestUrl ? `${url.slice(0, longestUrl - 3)}...` : url).replace(keyParameter, '$1REDACTED');

const jsonLine = (request: Asked, reply: Answered): string =>
  `${JSON.stringify({
    time: timeNow(),
    method: request.method,
    url: redacted(request.url),
    status: reply.statusCode,
    ms: Number(reply.elapsedTime.toFixed(1)),
  })}\n`;

const prettyLine = (request: Asked, reply: Answered): string =>
  `${timeNow().slice(11, 23)} ${request.method.padEnd(6)} ${redacted(request.url)} → ${reply.statusCode} ${reply.elapsedTime.toFixed(1)} ms\n`;
