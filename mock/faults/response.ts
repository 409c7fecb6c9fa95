import type { FaultRule } from './faults.ts';

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

/** What the error response of a fault without a body of its own says. */
export const plainTextOf = (status: number): readonly [error: string, message: string] => [
  statusTexts[status] ?? (status < 500 ? 'The request was refused' : 'The service failed'),
  status < 500 && status !== 429 ? 'Check the request and send it again.' : 'Try again later.',
];

// A text stands for the response of a gateway: an HTML page, or plain text.
const contentTypeOf = (body: unknown): string => {
  if (typeof body !== 'string') return 'application/json; charset=utf-8';
  return body.trimStart().startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
};

/** The response of a rule with a status; without a `body` the sender uses its own error response. */
export const responseOf = ({ status = 500, body, retry_after }: FaultRule) => ({
  status,
  headers: {
    ...(retry_after === undefined ? {} : { 'retry-after': String(retry_after) }),
    ...(body === undefined ? {} : { 'content-type': contentTypeOf(body) }),
  },
  body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
});
