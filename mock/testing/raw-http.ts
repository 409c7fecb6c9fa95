import { connect } from 'node:net';
import { startTimer, stopTimer } from '../runtime/timers.ts';

type RawReply = {
  /** Status codes of all replies, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
  /** The body of the last reply. */
  readonly body: unknown;
  /** How it ended: the server closed, nothing more came, or an error code. */
  readonly end: string;
};

/**
 * Writes bytes to a port as they are and collects what comes back, for tests.
 * @param quietMs how long nothing may come before the exchange counts as over
 * @param replies how many must have come before less time is enough
 */
export const rawExchange = (
  port: number,
  bytes: string | Buffer,
  { half = false, quietMs = 1500, replies = 1 }: { half?: boolean; quietMs?: number; replies?: number } = {},
): Promise<RawReply> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let quiet = startTimer(() => finish('quiet'), quietMs);
    const finish = (end: string): void => {
      stopTimer(quiet);
      socket.destroy();
      resolve({ ...read(text), text, end });
    };
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      stopTimer(quiet);
      // One whole reply is what most exchanges are about; another one comes at once or not at all.
      const isComplete = isWhole(text) && statusesIn(text).length >= replies;
      quiet = startTimer(() => finish('quiet'), isComplete ? 15 : quietMs);
    });
    socket.on('end', () => finish('closed'));
    socket.on('close', () => finish('closed'));
    socket.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? 'error'));
    socket.write(bytes);
    if (half) socket.end();
  });

const isWhole = (text: string): boolean => {
  const [head = '', ...body] = text.replace(/^HTTP\/1\.1 100 .*\r\n\r\n/, '').split('\r\n\r\n');
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return length !== undefined && Buffer.byteLength(body.join('\r\n\r\n')) >= Number(length);
};

const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));

const read = (text: string): { statuses: number[]; body: unknown } => {
  const last = text.slice(text.lastIndexOf('\r\n\r\n') + 4);
  return { statuses: statusesIn(text), body: last.startsWith('{') ? JSON.parse(last) : undefined };
};
