import type { IncomingMessage } from 'node:http';
import { headersForPages } from './cors.ts';
import type { ConnectionFault } from './faults.ts';
import { startTimer } from './real-time.ts';
import { discardRest } from './unread-body.ts';

// Bytes that are no HTTP; the same every time.
const garbage = Buffer.from(
  "lskdu018973t09sylgasjkfg1][]'./.sdlv\u0000\u0001\u0002\u00ff\r\n\u0007",
  'latin1',
);

// To be seen by a page too: its browser would say that CORS is wrong, and not that the body broke off.
const malformedChunk = (origin: string | undefined): Buffer => {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...headersForPages(origin),
    'transfer-encoding': 'chunked',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`, 'latin1'), garbage]);
};

// Long enough for a client to notice the end; then nothing is kept open for it.
const lingerMs = 500;

/** Ends the connection of a request as a broken network or server would. */
export const breakConnection = (fault: ConnectionFault, request: IncomingMessage): void => {
  const { socket } = request;
  socket.on('error', () => undefined);
  if (fault === 'CONNECTION_RESET_BY_PEER') return void socket.resetAndDestroy();
  // What is not read would turn the end into a reset.
  discardRest(request);
  if (fault === 'EMPTY_RESPONSE') socket.end();
  else socket.end(fault === 'MALFORMED_RESPONSE_CHUNK' ? malformedChunk(request.headers.origin) : garbage);
  startTimer(() => socket.destroy(), lingerMs).unref();
};
