import type { IncomingMessage } from 'node:http';
import { startTimer, stopTimer } from './real-time.ts';

const mostBytes = 64 * 1024 * 1024;
const longestMs = 10_000;

/**
 * Throws away what a refused client is still sending, so that it gets to read the refusal: closing the connection at once
 * would reset it, and the client would report a broken pipe instead of a 413. Whoever sends on and on is cut off.
 */
export const discardRest = (request: IncomingMessage): void => {
  if (request.complete || request.destroyed) return;
  const cutOff = (): void => void request.socket.destroy();
  const deadline = startTimer(cutOff, longestMs).unref();
  let received = 0;
  request
    .on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > mostBytes) cutOff();
    })
    .on('error', () => undefined)
    .once('close', () => stopTimer(deadline));
};
