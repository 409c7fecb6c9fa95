import type { FastifyReply, FastifyRequest } from 'fastify';
import { timeNow } from './state.ts';

export type LogStyle = 'pretty' | 'json' | 'silent';
/** A Fastify `onResponse` hook, or nothing where nothing is logged. */
export type RequestLog =
  | ((request: FastifyRequest, reply: FastifyReply, done: () => void) => void)
  | undefined;

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
    if (lines.length === 1) setImmediate(flush);
    done();
  };
};

const longestUrl = 500;
// The name of the parameter may itself be percent-encoded.
const keyParameter = /([?&](?:k|%6b)(?:e|%65)(?:y|%79)=)[^&]*/gi;

const redacted = (url: string): string =>
  (url.length > longestUrl ? `${url.slice(0, longestUrl - 3)}...` : url).replace(keyParameter, '$1REDACTED');

const jsonLine = (request: FastifyRequest, reply: FastifyReply): string =>
  `${JSON.stringify({
    time: timeNow(),
    method: request.method,
    url: redacted(request.url),
    status: reply.statusCode,
    ms: Number(reply.elapsedTime.toFixed(1)),
  })}\n`;

const prettyLine = (request: FastifyRequest, reply: FastifyReply): string =>
  `${timeNow().slice(11, 23)} ${request.method.padEnd(6)} ${redacted(request.url)} → ${reply.statusCode} ${reply.elapsedTime.toFixed(1)} ms\n`;
