import type { Readable, Writable } from 'node:stream';
import { maxJudgedBytes, type ObservedExchange } from '../traffic/exchanges/observed.ts';

/** A request before there is a response to it. */
export type ObservedRequest = Pick<ObservedExchange, 'method' | 'target' | 'requestHeaders' | 'requestBody'>;

/** What is judged before it passes, and not beside it. */
export type Enforcement = {
  /** Whether requests of this kind are judged first. */
  readonly applies: (request: Pick<ObservedRequest, 'method' | 'target'>) => boolean;
  /** Why a request does not pass, or nothing. */
  readonly refuse: (request: ObservedRequest) => string | undefined;
};

/** The beginning of a body, and whether that is all of it. */
export type Held = { readonly chunks: readonly Buffer[]; readonly complete: boolean };

/** Reads a body up to what is judged; a longer one waits where it is. */
export const hold = (stream: Readable): Promise<Held> =>
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

/** Sends what was held, then the rest. */
export const release = ({ chunks, complete }: Held, from: Readable, to: Writable): void => {
  for (const chunk of chunks) to.write(chunk);
  if (complete) to.end();
  else from.pipe(to);
};
