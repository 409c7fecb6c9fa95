import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';
import { cutBody } from './journal-entry.ts';

type Done = (error: Error | null, body?: unknown) => void;

/** Stands for a body that cannot be judged where answers say that it is accepted all the same: an empty object, held to no rule. */
export const unjudged: Readonly<Record<string, never>> = Object.freeze({});

/**
 * Reads a request body as JSON in UTF-8, whatever its label: the media type was judged on admission.
 * Values stay exactly as sent; `__proto__` is an ordinary name.
 */
export const readJson = (request: FastifyRequest, bytes: Buffer, done: Done): void => {
  if (bytes.length === 0) return done(null, undefined);
  let body: unknown;
  try {
    const text = bytes.toString('utf8');
    if (request.trace) request.trace.sent = cutBody(text);
    body = parse(bytes, text);
  } catch (error) {
    if (request.view?.answers['failure.malformed-json-status'] !== 'accepted') return done(error as Error);
    body = unjudged;
  }
  done(null, body);
};

const parse = (bytes: Buffer, text: string): unknown => {
  if (!isUtf8(bytes)) throw malformed('it is not UTF-8');
  if (bytes[0] === 0xef && bytes[1] === 0xbb) throw malformed('it begins with a byte order mark');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed((error as Error).message);
  }
};

const malformed = (why: string): ApiError =>
  new ApiError(
    'json_malformed',
    `body is not JSON: ${why}`,
    'Nothing was done. Send one JSON object, in UTF-8.',
  );
