import { connect } from 'node:net';

// Only a server that hangs takes as long, even on a busy machine.
const quietMs = 20_000;

/**
 * Writes bytes to a port as they are and collects what comes back until the server closes the connection, for tests: all of it, the
 * status codes of all replies, the body of the last one, and how it ended: the server closed, it did not, or an error code.
 * @param half whether the client says that it sends no more; without it the request must ask for the end of the connection
 */
export const rawExchange = async (port: number, bytes: string | Buffer, { half = false } = {}) => {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  socket.write(bytes);
  if (half) socket.end();
  const end = await new Promise<string>((resolve) => {
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    socket.on('close', () => resolve('closed')).setTimeout(quietMs, () => resolve('quiet'));
  });
  socket.destroy();
  const last = text.slice(text.lastIndexOf('\r\n\r\n') + 4);
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
  return { statuses, body: last.startsWith('{') ? JSON.parse(last) : undefined, text, end };
};
