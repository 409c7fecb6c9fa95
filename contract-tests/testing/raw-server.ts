// For tests: a server that writes raw bytes, to send malformed HTTP.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { afterAll } from 'vitest';

type Whole = NonNullable<ReturnType<typeof requestIn>>;
export type Answer = (request: Whole['request'], socket: Socket) => unknown;

/** Starts servers that run until all tests of the file have ended. */
export const useRawServers = () => {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  afterAll(() => {
    for (const server of servers) server.close();
    for (const socket of sockets) socket.destroy();
  });

  /** Listens on a free port of 127.0.0.1 and hands every request over as soon as it is whole. The URL ends without a slash. */
  return async (answer: Answer, tls?: TlsOptions) => {
    const requests: Whole['request'][] = [];
    const accept = (socket: Socket): void => {
      let text = '';
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk;
        const next = () => requestIn(text, requests.length + 1);
        for (let whole = next(); whole; whole = next()) {
          text = text.slice(whole.length);
          requests.push(whole.request);
          answer(whole.request, socket);
        }
      });
    };

    const server = tls ? createTlsServer(tls, accept) : createServer(accept);
    servers.push(server);
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, port, requests };
  };
};

/** Writes the same to every request. */
export const writing =
  (reply: string | Buffer): Answer =>
  (_, socket) =>
    socket.write(reply);

/** The request that a text begins with, once it is whole: its line and headers are its head; `nth` of its server, from 1. */
const requestIn = (text: string, nth: number) => {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const size = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const length = end + 4 + size;
  if (text.length < length) return undefined;
  const [method = '', path = ''] = head.split(' ', 2);
  const body = text.slice(end + 4, length);
  return { length, request: { method, path, head, body, nth, at: performance.now() } };
};

/** A reply in the service's terms, as bytes. */
export const jsonReply = (json: unknown, status = 200): string =>
  textReply(JSON.stringify(json), status, ['Content-Type: application/json']);

export const textReply = (text: string, status = 200, headers: readonly string[] = []): string =>
  [`HTTP/1.1 ${status} X`, `Content-Length: ${Buffer.byteLength(text)}`, ...headers, '', text].join('\r\n');

/** A list without templates. */
export const emptyList = jsonReply({ success: true, error: '', data: [], message: '' });
