import type { Readable } from 'node:stream';
import { maxJudgedBytes, type ObservedBody, tooLarge } from '../traffic/exchanges/observed.ts';

export type Capture = {
  /** What came so far, or why it is not known. */
  readonly body: () => ObservedBody;
};

/** Keeps a copy of what passes, up to what is judged; beyond that nothing of it. */
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
      return ended
        ? { bytes: chunks.length > 1 ? Buffer.concat(chunks) : only }
        : { missing: 'cut off before their end' };
    },
  };
};
