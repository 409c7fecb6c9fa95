import type { Socket } from 'node:net';
import { endWith } from '../runtime/last-bytes.ts';
import type { ConnectionFault } from './faults.ts';

// Bytes that are not HTTP; always the same.
const garbage = Buffer.from(
  "lskdu018973t09sylgasjkfg1][]'./.sdlv\u0000\u0001\u0002\u00ff\r\n\u0007",
  'latin1',
);

const malformedChunkResponse = (corsHeaders: Readonly<Record<string, string>>): Buffer => {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...corsHeaders,
    'transfer-encoding': 'chunked',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`, 'latin1'), garbage]);
};

/**
 * Ends the connection of a request as a broken network or server would.
 * @param corsHeaders without them a browser would report a CORS error, and not the broken body
 */
export const breakConnection = (
  fault: ConnectionFault,
  socket: Socket,
  corsHeaders: Readonly<Record<string, string>>,
): void => {
  socket.on('error', () => undefined);
  if (fault === 'CONNECTION_RESET_BY_PEER') return void socket.resetAndDestroy();
  if (fault === 'EMPTY_RESPONSE') endWith(socket);
  else endWith(socket, fault === 'MALFORMED_RESPONSE_CHUNK' ? malformedChunkResponse(corsHeaders) : garbage);
};
