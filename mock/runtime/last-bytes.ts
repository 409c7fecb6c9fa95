import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { startTimer } from './timers.ts';

// Long enough for a client to read the last bytes while it is still sending; an early reset would discard them.
const lingerMs = 500;

/** Ends a connection with these bytes. */
export const endWith = (socket: Duplex, bytes: Uint8Array | string = ''): void => {
  socket.end(bytes);
  startTimer(() => socket.destroy(), lingerMs).unref();
};

type ParserError = Error & { readonly code?: string };

/**
 * Answers a request that Node.js cannot parse, and closes its connection.
 * @returns whether the client was still there
 */
export const answerParserError = (
  { code }: ParserError,
  socket: Duplex,
  { status, headers, body }: { readonly status: number; readonly headers: object; readonly body: string },
): boolean => {
  // The parser reports an error for every further packet, after the client has been answered.
  if (socket.writableEnded) return false;
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return false;
  }
  const fields = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  endWith(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'));
  return true;
};
