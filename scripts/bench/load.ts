import { connect, type Socket } from 'node:net';

/** A request to repeat. */
export type Shot = { readonly method: 'GET' | 'POST' | 'PUT'; readonly path: string; readonly body?: string };

/** Sends requests to one server over persistent connections. */
export type Load = {
  /**
   * Sends `count` requests, alternating between these, and returns the wall time in milliseconds.
   * @throws if a status is not 200
   */
  readonly send: (shots: Shot | readonly Shot[], count: number) => Promise<number>;
  /** The JSON of one response. */
  readonly ask: (shot: Shot) => Promise<unknown>;
  readonly close: () => void;
};

type Connection = {
  readonly ask: (request: Buffer, answered: (body: Buffer) => void, failed: (error: Error) => void) => void;
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
  const lanes = await Promise.all(
    Array.from({ length: connections }, () => openConnection(hostname, Number(port))),
  );
  const [first] = lanes;
  if (!first) throw new Error('no connection');
  return {
    send: async (shots, count) => {
      const requests = [shots].flat().map(bytesOf);
      const begin = performance.now();
      let left = count;
      const run = (lane: Connection): Promise<void> =>
        new Promise((resolve, reject) => {
          const next = (): void => {
            if (left <= 0) return resolve();
            left -= 1;
            lane.ask(requests[left % requests.length] ?? Buffer.alloc(0), next, reject);
          };
          next();
        });
      await Promise.all(lanes.map(run));
      return performance.now() - begin;
    },
    ask: (shot) =>
      new Promise((resolve, reject) =>
        first.ask(bytesOf(shot), (body) => resolve(JSON.parse(body.toString())), reject),
      ),
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

const openConnection = (host: string, port: number): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => resolve(converse(socket)));
  });

const converse = (socket: Socket): Connection => {
  let received: Buffer = Buffer.alloc(0);
  let answered: ((body: Buffer) => void) | undefined;
  let failed: ((error: Error) => void) | undefined;
  const fail = (error: Error): void => {
    socket.destroy();
    failed?.(error);
  };
  // A connection may be idle while another server is measured.
  socket.setTimeout(patience, () => failed && fail(new Error(`no answer within ${patience} ms`)));
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = received.toString('latin1', 0, end);
    const total = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (received.length < total) return;
    const body = received.subarray(end + 4, total);
    received = Buffer.alloc(0);
    const done = answered;
    if (head.startsWith('HTTP/1.1 200 ')) {
      failed = undefined;
      done?.(body);
    } else fail(new Error(`the server answered ${head.split('\r\n', 1)[0]}: ${body.toString()}`));
  });
  return {
    ask: (request, onAnswer, onFailure) => {
      if (socket.destroyed) return onFailure(new Error('the server closed the connection'));
      answered = onAnswer;
      failed = onFailure;
      socket.write(request);
    },
    close: () => {
      failed = undefined;
      socket.destroy();
    },
  };
};
