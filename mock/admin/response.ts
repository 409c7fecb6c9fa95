import { validateHeaderValue } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describeFault, printError } from '../contract/printable.ts';
import { withSuggestion } from '../contract/questions.ts';
import type { Context } from '../http/context.ts';
import { ApiError, capacityError } from '../http/errors.ts';
import { encodeInSteps, toJsonParts } from '../runtime/json-parts.ts';
import { createTransfer, type Transfer, textBytes } from '../runtime/limits.ts';
import { createRedactor } from '../runtime/redaction.ts';
import { discardBody } from '../runtime/request-bytes.ts';
import { runInSteps } from '../runtime/timers.ts';
import { AdminError, type AdminReply } from './route.ts';

/** Highest number of bytes in a body, unless a route has its own limit. */
export const defaultBodyLimit = 1024 * 1024;

type AdminErrorResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly error: string;
  readonly hint: string;
  readonly details?: object;
};

type Thrown = Error & { readonly code?: string; readonly statusCode?: number };

/** The error response to an error of the admin API, the JSON parser or Fastify, or to a defect of the mock. */
const toAdminErrorResponse = (error: Thrown, bodyLimit: number): AdminErrorResponse => {
  if (error instanceof AdminError)
    return {
      status: error.status,
      headers: error.headers,
      error: error.message,
      hint: error.hint,
      details: error.details,
    };
  if (error instanceof ApiError)
    return { status: error.status ?? 400, headers: {}, error: error.message, hint: error.hint };
  const refusal = capacityError(error);
  if (refusal) {
    const { status = 503, headers, message, hint } = refusal;
    return { status, headers, error: message, hint };
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return {
      status: 413,
      headers: {},
      error: `body is larger than ${bodyLimit} bytes`,
      hint: 'Nothing was done.',
    };
  const status = error.statusCode ?? 500;
  return {
    status,
    headers: {},
    error: status < 500 ? error.message : `the mock failed: ${error.message}`,
    hint:
      status < 500
        ? 'Nothing was done. The headers of the request are not those of one that can be read.'
        : 'This is a defect of the mock. Its stack is on stderr.',
  };
};

const send = (reply: FastifyReply, { status = 200, headers = {}, body }: AdminReply): FastifyReply => {
  // Fastify would report an invalid header too late for an error response.
  for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value);
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...headers })
    .send(body);
};

/**
 * Sends JSON and serializes long lists in steps: a thousand messages with long subjects are megabytes.
 * @throws TooMuchInTransfer if there is no memory for all of it
 */
export const sendInSteps = async (
  reply: FastifyReply,
  response: AdminReply,
  { add }: Transfer,
): Promise<FastifyReply> => {
  const { body } = response;
  if (typeof body === 'string') add(textBytes(body));
  if (typeof body === 'string' || Symbol.asyncIterator in body) return send(reply, response);
  const chunks = await runInSteps(encodeInSteps(toJsonParts(body), add));
  const [first = Buffer.of(), ...rest] = chunks;
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return send(reply, {
    ...response,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(length),
      ...response.headers,
    },
    body: rest.length === 0 ? first : Readable.from(chunks, { objectMode: false }),
  });
};

export const sendAdminError = (
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  { reasons, workspaces: { secrets } }: Context,
): Promise<FastifyReply> => {
  const {
    status,
    headers,
    error: problem,
    hint,
    details,
  } = toAdminErrorResponse(error, request.routeOptions.bodyLimit ?? defaultBodyLimit);
  if (![503, 507].includes(status) && status >= 500 && !(error instanceof AdminError))
    printError(describeFault(error));
  discardBody(request.raw);
  // The quoted part of the request may be a key in the wrong place.
  const { message } = createRedactor(secrets, request.headers.authorization);
  reasons.set(request.raw, withSuggestion(message(problem), message(hint)));
  const uncounted = createTransfer({ held: 0, max: Number.POSITIVE_INFINITY });
  const response = {
    status,
    headers,
    body: { error: message(problem), message: message(hint), ...details },
  };
  return sendInSteps(reply.removeHeader('connection'), response, uncounted);
};
