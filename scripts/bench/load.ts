import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A request to repeat. */
export type Shot = { readonly method: 'GET' | 'POST' | 'PUT'; readonly path: string; readonly body?: string };

/** Sends requests to one server over persistent connections. */
export type Load = {
  /** Sends the request `count` times. @throws if a status is not 200 */
  readonly send: (shot: Shot, count: number) => Promise<void>;
  readonly close: () => void;
};

type Connection = {
  readonly ask: (request: Buffer) => Promise<void>;
  readonly close: () => void;
};

const connections = 24;
const patience = 10_000;

/**
 * Uses sockets, because an HTTP client takes as much time as the server. If client or server is sometimes
 * idle, the other one must wake it up, and the server pays for that: the faster of two servers then looks
 * faster than it is. This client always waits.
 */
export const createLoad = async (url: string): Promise<Load> => {
  const { hostname, port } = new URL(url);
  const open = async (): Promise<Connection> => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return converse(socket);
  };
  const lanes = await Promise.all(Array.from({ length: connections }, open));
  return {
    send: async (shot, count) => {
      const request = bytesOf(shot);
      let left = count;
      const run = async (lane: Connection): Promise<void> => {
        while (left > 0) {
          left -= 1;
          await lane.ask(request);
        }
      };
      await Promise.all(lanes.map(run));
    },
    close: () => {
      for (const lane of lanes) lane.close();
    },
  };
};

const bytesOf = ({ method, path, body }: Shot): Buffer => {
  const content =
    body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Authorization: Bearer test_bench',
    ...content,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`);
};

const converse = (socket: Socket): Connection => {
  let received: Buffer = Buffer.alloc(0);
  let pending: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  const fail = (reason: string): void => {
    socket.destroy();
    pending?.reject(new Error(reason));
    pending = undefined;
  };
  // A connection may be idle while another server is measured.
  socket.setTimeout(patience, () => pending && fail(`no answer within ${patience} ms`));
  socket.on('error', ({ message }) => fail(message));
  socket.on('close', () => fail('the server closed the connection'));
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = received.toString('latin1', 0, end);
    const total = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (received.length < total) return;
    if (!head.startsWith('HTTP/1.1 200 '))
      return fail(`the server answered ${head.split('\r\n', 1)[0]}: ${received.subarray(end + 4)}`);
    received = Buffer.alloc(0);
    pending?.resolve();
  });
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        pending = { resolve, reject };
        if (socket.destroyed) fail('the server closed the connection');
        else socket.write(request);
      }),
    close: () => {
      pending = undefined;
      socket.destroy();
    },
  };
};
