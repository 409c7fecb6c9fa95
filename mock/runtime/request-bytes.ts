import type { IncomingMessage } from 'node:http';
import { createTransfer, limits, type TransferLimit } from './limits.ts';
import { startTimer, stopTimer } from './timers.ts';

/** Reads a body up to the limit in bytes. For a longer one `done` receives the error of `tooLarge`. */
export const readBytes = (
  request: IncomingMessage,
  limit: number,
  tooLarge: (limit: number) => Error,
  done: (error: Error | null, bytes: Buffer) => void,
): void => {
  if (Number(request.headers['content-length']) > limit) return done(tooLarge(limit), empty);
  const chunks: Buffer[] = [];
  let received = 0;
  const onData = (chunk: Buffer): void => {
    received += chunk.length;
    if (received > limit) return finish(tooLarge(limit));
    chunks.push(chunk);
  };
  const onEnd = (): void => finish(null);
  const onError = (error: Error): void => finish(Object.assign(error, { statusCode: 400 }));
  const finish = (error: Error | null): void => {
    request.off('data', onData).off('end', onEnd).off('error', onError);
    const [first = empty] = chunks;
    done(error, chunks.length < 2 ? first : Buffer.concat(chunks, received));
  };
  request.on('data', onData).on('end', onEnd).on('error', onError);
};

const empty = Buffer.alloc(0);

type Closing = { readonly once: (event: 'close', run: () => void) => unknown };

/**
 * Counts a large body until the exchange ends; without a Content-Length, the highest number of bytes that may arrive.
 * @throws TooMuchInTransfer if there is no memory for it
 */
export const countBody = (
  { 'content-length': length }: IncomingMessage['headers'],
  limit: number,
  transfers: TransferLimit,
  exchange: Closing,
): void => countUntilClosed(Math.min(Number(length ?? limit), limit), transfers, exchange);

/** Counts the bytes of a large body until the exchange ends. @throws TooMuchInTransfer if there is no memory for them */
export const countUntilClosed = (bytes: number, transfers: TransferLimit, exchange: Closing): void => {
  if (bytes <= limits.smallTransferBytes) return;
  const { add, end } = createTransfer(transfers);
  add(bytes);
  exchange.once('close', end);
};

const maxBytes = 64 * 1024 * 1024;
const maxMs = 10_000;

/**
 * Discards the rest of a refused body, so that the client can read the error response: closing the connection at once would
 * reset it, and the client would report a broken pipe instead of a 413. Ends the connection if the body does not end.
 */
export const discardBody = (request: IncomingMessage): void => {
  if (request.complete || request.destroyed) return;
  const closeConnection = (): void => void request.socket.destroy();
  const deadline = startTimer(closeConnection, maxMs).unref();
  let received = 0;
  request
    .on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > maxBytes) closeConnection();
    })
    .on('error', () => undefined)
    .once('close', () => stopTimer(deadline));
};
