import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from './context.ts';
import { ApiError } from './errors.ts';
import { renderRefusal, sendRefusal } from './refusals.ts';

/** Answers a request whose path cannot be routed, e.g. `%zz`: no hook has run, so CORS is answered here. */
export const refuseUnroutable = (
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
): void => {
  const { origin } = request.headers;
  if (origin !== undefined) reply.headers({ 'access-control-allow-origin': origin, vary: 'Origin' });
  const cause = new ApiError(
    'bad_request',
    `the path cannot be decoded: ${error.message}`,
    'Percent-encode ids in the path.',
  );
  sendRefusal(cause, request, reply, context);
};

type ParserError = Error & { readonly code?: string };

const statuses: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** Answers bytes that are not an HTTP request, in the same JSON as every refusal, and closes the connection. */
export const answerUnparsable = (error: ParserError, socket: Socket, { view }: Context): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason] = statuses[error.code ?? ''] ?? [400, 'Bad Request'];
  const cause = new ApiError(
    'bad_request',
    `the request is not HTTP: ${error.message}`,
    'The connection is closed.',
    { status },
  );
  const body = JSON.stringify(renderRefusal(cause, view.answers).body);
  socket.end(
    [
      `HTTP/1.1 ${status} ${reason}`,
      'Content-Type: application/json; charset=utf-8',
      'Access-Control-Allow-Origin: *',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
};
