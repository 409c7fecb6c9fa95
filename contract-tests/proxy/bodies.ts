import type { IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { maxJudgedBytes, type ObservedBody, readObserved, tooLarge } from '../traffic/exchanges/observed.ts';

/** Why a body is unknown: its connection ended too early. */
export const cutOff = 'cut off before the end';

/** Keeps a copy of a body as it passes, and returns what is known of it so far. One above the limit for checking is not kept. */
export const captureBody = (stream: IncomingMessage): (() => ObservedBody) => {
  let chunks: Buffer[] = [];
  let size = 0;
  let ended = false;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxJudgedBytes) chunks.push(chunk);
    else chunks = [];
  });
  stream.once('end', () => {
    ended = true;
  });
  return () => bodyOf(stream, chunks, size, ended);
};

const bodyOf = (
  { headers }: IncomingMessage,
  chunks: readonly Buffer[],
  size: number,
  ended: boolean,
): ObservedBody => {
  if (size > maxJudgedBytes) return { missing: tooLarge };
  return ended ? readObserved(Buffer.concat(chunks), headers) : { missing: cutOff };
};

/** A body that is read before any of it is passed on. */
export type HeldBody = {
  /** The whole body, or its beginning. */
  readonly chunks: readonly Buffer[];
  readonly isWhole: boolean;
  readonly body: ObservedBody;
};

/** Reads a body up to the limit for checking; pauses the stream of a longer one. */
export const holdBody = (stream: IncomingMessage): Promise<HeldBody> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (isWhole: boolean): void => {
      stream.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve({ chunks, isWhole, body: bodyOf(stream, chunks, size, isWhole) });
    };
    const onEnd = (): void => done(true);
    const onClose = (): void => done(false);
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxJudgedBytes) return;
      stream.pause();
      done(false);
    };
    stream.on('data', onData).once('end', onEnd).once('close', onClose);
  });

/** Passes on what was held, then the rest of the stream. */
export const passHeld = ({ chunks, isWhole }: HeldBody, from: Readable, to: Writable): void => {
  for (const chunk of chunks) to.write(chunk);
  if (isWhole) to.end();
  else from.pipe(to);
};
