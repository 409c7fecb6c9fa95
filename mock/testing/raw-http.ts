import { connect } from 'node:net';

type RawReply = {
  /** Status codes of all replies, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
  /** The body of the last reply. */
  readonly body: unknown;
  /** How it ended: the server closed, it did not, or an error code. */
  readonly end: string;
};

// Only a server that hangs takes as long, even on a busy machine.
const quietMs = 20_000;

/**
 * Writes bytes to a port as they are and collects what comes back until the server closes the connection, for tests.
 * @param half whether the client says that it sends no more; without it the request must ask for the end of the connection
 */
export const rawExchange = (port: number, bytes: string | Buffer, { half = false } = {}): Promise<RawReply> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const finish = (end: string): void => {
      socket.destroy();
      const last = text.slice(text.lastIndexOf('\r\n\r\n') + 4);
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
      resolve({ statuses, body: last.startsWith('{') ? JSON.parse(last) : undefined, text, end });
    };
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? 'error'));
    socket.on('close', () => finish('closed')).setTimeout(quietMs, () => finish('quiet'));
    socket.write(bytes);
    if (half) socket.end();
  });
