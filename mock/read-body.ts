import type { FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';
import { readJson } from './json-body.ts';
import type { Answers } from './questions.ts';

type Done = (error: Error | null, body?: unknown) => void;

const limits: Readonly<Record<Answers['limits.body-size'], number>> = {
  '1MiB': 1024 * 1024,
  '64KiB': 64 * 1024,
  '100KiB': 100 * 1024,
  // Unlimited for a client; still not a way to fill the memory of the machine.
  unlimited: 64 * 1024 * 1024,
};

/** Bytes a body may have under these answers. */
export const bodyLimit = (answers: Answers): number => limits[answers['limits.body-size']];

/**
 * Reads the body of a request to the service, no further than its workspace takes (§8): Fastify's own limit is a route's,
 * the same for everybody.
 */
export const readBody = (request: FastifyRequest, stream: NodeJS.ReadableStream, done: Done): void => {
  const limit = request.view ? bodyLimit(request.view.answers) : limits['1MiB'];
  if (Number(request.headers['content-length']) > limit) return done(tooLarge(limit));
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
    stream.off('data', onData).off('end', onEnd).off('error', onError);
    if (error) return done(error);
    // A DELETE may carry a JSON type and no body (§4.7); what it carries is not looked at.
    if (!request.takesBody) return done(null, undefined);
    const [first] = chunks;
    readJson(request, chunks.length === 1 && first ? first : Buffer.concat(chunks, received), done);
  };
  stream.on('data', onData).on('end', onEnd).on('error', onError);
};

const tooLarge = (limit: number): ApiError =>
  new ApiError(
    'body_too_large',
    `body is larger than ${limit} bytes`,
    'Nothing was done. Send less; how much a deployment takes is the open question limits.body-size.',
  );
