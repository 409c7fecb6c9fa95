import type { ConnectionFault, MatchedFault } from '../nouns/faults.ts';
import type { Why } from '../nouns/journal.ts';
import { ApiError, type Reply } from './errors.ts';
import { authenticationError } from './headers.ts';

/** A response or a broken connection in place of that of the operation. */
export type Fault = Reply | { readonly connectionFault: ConnectionFault };

/** What a fault rule asks for; without a `fault` it only delays. */
export type FaultEffect = { readonly fault?: Fault; readonly why: Why };

/** @throws ApiError for a rule with a status and without a body of its own */
export const effectOf = ({ rule, position }: MatchedFault): FaultEffect => {
  const { status, fault, body, retry_after } = rule;
  const ruleName = `fault rule ${position} of this workspace`;
  const because = (effect: string): Why => ({ code: 'fault', what: `${ruleName}: ${effect}` });
  if (fault !== undefined) return { fault: { connectionFault: fault }, why: because(fault) };
  if (status === undefined) return { why: because('delayed') };
  const headers: Record<string, string> =
    retry_after === undefined ? {} : { 'retry-after': String(retry_after) };
  if (body === undefined) throw faultError(ruleName, status, headers);
  return {
    fault: {
      status,
      headers: { ...headers, 'content-type': contentTypeOf(body) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    },
    why: because(`${status} with a body of its own`),
  };
};

// Plain status texts, so that a client sees no difference to a real service.
const statusTexts: Readonly<Record<number, string>> = {
  400: 'Bad request',
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

const faultError = (ruleName: string, status: number, headers: Record<string, string>): ApiError => {
  const reason = `${ruleName} answers ${status}`;
  // As the deployment refuses a key that has expired.
  if (status === 401) {
    const {
      message,
      hint,
      headers: challenge,
    } = authenticationError({ key: '' }, 'Use a key that is valid.');
    return new ApiError('fault', message, hint, { status, headers: { ...challenge, ...headers }, reason });
  }
  return new ApiError(
    'fault',
    statusTexts[status] ?? (status < 500 ? 'The request was refused' : 'The service failed'),
    status < 500 && status !== 429 ? 'Check the request and send it again.' : 'Try again later.',
    { status, headers, reason },
  );
};

// A text stands for the response of a gateway: an HTML page, or plain text.
const contentTypeOf = (body: unknown): string => {
  if (typeof body !== 'string') return 'application/json; charset=utf-8';
  return body.trimStart().startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
};
