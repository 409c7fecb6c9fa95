// Ends connections without a response of Node.js: with the bytes of a fault, or with an error response to what is not HTTP.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionFault } from '../faults/faults.ts';
import { startTimer } from '../runtime/timers.ts';

// Long enough for a client to read the last bytes while it is still sending; an early reset would discard them.
const lingerMs = 500;

const endWith = (socket: Duplex, bytes: Uint8Array | string): void => {
  socket.end(bytes);
  startTimer(() => socket.destroy(), lingerMs).unref();
};

const headOf = (status: number, headers: object): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
};

/**
 * Answers a request that Node.js cannot parse, and closes its connection.
 * @returns whether the client was still there
 */
export const answerParserError = (
  { code }: NodeJS.ErrnoException,
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
  endWith(socket, headOf(status, fields) + body);
  return true;
};

// Bytes that are not HTTP; always the same.
const garbage = Buffer.from(
  "lskdu018973t09sylgasjkfg1][]'./.sdlv\u0000\u0001\u0002\u00ff\r\n\u0007",
  'latin1',
);

/**
 * Ends the connection of a request as a broken network or server would.
 * @param corsHeaders without them a browser would report a CORS error, and not the broken body
 */
export const breakConnection = (
  fault: ConnectionFault,
  socket: Socket,
  corsHeaders: Readonly<Record<string, string>>,
): void => {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  const head = headOf(200, { ...type, ...corsHeaders, 'transfer-encoding': 'chunked' });
  socket.on('error', () => undefined);
  if (fault === 'CONNECTION_RESET_BY_PEER') socket.resetAndDestroy();
  else if (fault === 'EMPTY_RESPONSE') endWith(socket, '');
  else if (fault === 'RANDOM_DATA_THEN_CLOSE') endWith(socket, garbage);
  else endWith(socket, Buffer.concat([Buffer.from(head, 'latin1'), garbage]));
};
