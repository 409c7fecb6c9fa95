// Requests to a handler in the same process, in place of a connection.
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { RequestFailed } from './errors.ts';
import { deadlineFor, type RawReply, readAll, type Transport } from './transport.ts';

/** Responds to a request without a socket. */
export type Handler = (request: Request) => Promise<Response>;

/** A handler that throws: what serves it would respond like this. */
const thrown = (error: unknown): RawReply => ({
  status: 500,
  headers: {},
  bytes: Buffer.from(`the handler threw: ${error instanceof Error ? error.message : String(error)}`),
});

const bodyOf = ({ body }: Response): Readable =>
  body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream);

/** @param base the URL that the handler sees, without a trailing slash */
export const createHandlerTransport = (base: string, handle: Handler, usualTimeout: number): Transport => ({
  exchange: async ({ method, path, headers, body, maxBytes, timeout = usualTimeout }, signal) => {
    const requestLine = `${method} ${path}`;
    const deadline = deadlineFor(requestLine, timeout, signal);
    const respond = async (): Promise<RawReply> => {
      const request = new Request(base + path, {
        method,
        headers,
        // Bytes, because a text would set a Content-Type.
        body: body === undefined ? null : Buffer.from(body),
        signal: deadline.signal,
      });
      const response = await handle(request);
      const cookies = response.headers.getSetCookie();
      return {
        status: response.status,
        headers: {
          ...Object.fromEntries(response.headers),
          ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}),
        },
        ...(await readAll(bodyOf(response), maxBytes, requestLine)),
      };
    };
    try {
      return await Promise.race([
        respond().catch((error: unknown) => {
          if (error instanceof RequestFailed || deadline.signal.aborted) throw error;
          return thrown(error);
        }),
        deadline.passed,
      ]);
    } catch (error) {
      throw deadline.signal.aborted ? deadline.signal.reason : error;
    } finally {
      deadline.end();
    }
  },
  close: async () => undefined,
});
