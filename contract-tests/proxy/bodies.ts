import type { Readable, Writable } from 'node:stream';
import { maxJudgedBytes, type ObservedBody, tooLarge } from '../traffic/exchanges/observed.ts';

/** Why a body is unknown: its connection ended too early. */
export const cutOff = 'cut off before the end';

export type Capture = {
  /** The data received so far, or the reason why the body is unknown. */
  readonly body: () => ObservedBody;
};

/** Keeps a copy of a body as it passes. A body above the limit for checking is not kept at all. */
export const captureBody = (stream: Readable): Capture => {
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
  return {
    body: () => {
      if (size > maxJudgedBytes) return { missing: tooLarge };
      const [only = Buffer.alloc(0)] = chunks;
      return ended ? { bytes: chunks.length > 1 ? Buffer.concat(chunks) : only } : { missing: cutOff };
    },
  };
};

/** The beginning of a body, and whether it is complete. */
export type BufferedBody = { readonly chunks: readonly Buffer[]; readonly complete: boolean };

/** Reads a body up to the limit for checking; pauses the stream of a longer one. */
export const bufferBody = (stream: Readable): Promise<BufferedBody> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (complete: boolean): void => {
      stream.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve({ chunks, complete });
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

/** Sends the buffered data, then the rest of the stream. */
export const sendBuffered = ({ chunks, complete }: BufferedBody, from: Readable, to: Writable): void => {
  for (const chunk of chunks) to.write(chunk);
  if (complete) to.end();
  else from.pipe(to);
};
