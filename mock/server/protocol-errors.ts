import { maxHeaderSize } from 'node:http';
import type { Socket } from 'node:net';
import { answerParserError } from '../runtime/last-bytes.ts';
import { ApiError, toErrorResponse } from '../service/errors.ts';
import type { Context } from '../service/service.ts';

type ParserError = Error & { readonly code?: string; readonly rawPacket?: unknown };

/** Where the status is not 400. */
const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

// The first byte of a TLS handshake.
const tlsHandshake = 0x16;

/** The error for bytes that Node.js cannot parse. */
const describeParserError = ({ code = '', message, rawPacket }: ParserError): ApiError => {
  const isTls = Buffer.isBuffer(rawPacket) && rawPacket[0] === tlsHandshake;
  const [what, hint] = isTls
    ? [
        'the request is HTTPS, and this port speaks HTTP',
        'Write http:// in the address, or start the mock with --tls-cert and --tls-key.',
      ]
    : [
        `the request cannot be read: ${message.replace(/^Parse Error:? ?/, '') || code}`,
        `This port speaks HTTP/1.1, with at most ${maxHeaderSize} bytes of path and headers.`,
      ];
  return new ApiError('bad_request', what, hint, { status: statuses[code] ?? 400 });
};

/** Answers bytes that are not an HTTP request with a JSON error response, and closes the connection. */
export const respondToParserError = (error: ParserError, socket: Socket, context: Context): void => {
  const { contract, redact, log } = context;
  const { reply, why } = toErrorResponse(describeParserError(error), contract.answers, redact);
  const { status } = reply;
  const body = reply.body ?? '';
  const headers = { ...reply.headers, 'access-control-allow-origin': '*' };
  if (answerParserError(error, socket, { status, headers, body }))
    log?.({ method: '-', url: '(not HTTP)' }, { statusCode: status, elapsedTime: 0, why: why.what });
};
