import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { RunningDeployment } from '../server/types.ts';
import type { Action, FrontRequest, Outage } from './outage.ts';

type Passed = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
};

const pass = (base: string, request: IncomingMessage, body: Buffer): Promise<Passed> =>
  new Promise((resolve, reject) => {
    const { origin } = new URL(base);
    const { host: _, ...headers } = request.headers;
    const passed = send(
      `${origin}${request.url}`,
      { method: request.method ?? 'GET', headers, agent: false },
      (response) => {
        buffer(response).then(
          (received) =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received }),
          reject,
        );
      },
    );
    passed.on('error', reject).end(body);
  });

/** Something in front of a deployment that stops answering for it. Everything else is the deployment's own. */
export const startFront = async (
  deployment: RunningDeployment,
  outage: Outage,
  start: number,
): Promise<RunningDeployment> => {
  let nth = 0;
  let wrongKeys = 0;
  let added = 0;

  const look = (request: IncomingMessage, body: string): FrontRequest => {
    nth += 1;
    const hasKey = String(request.headers.authorization ?? '')
      .trim()
      .endsWith(` ${deployment.key}`);
    if (!hasKey) wrongKeys += 1;
    return { nth, method: request.method ?? '', path: request.url ?? '', body, hasKey, wrongKeys, added };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const seen = look(request, body.toString('utf8'));
    const action: Action = outage.act(seen, start);
    if (action.do === 'hang') return;
    if (action.do === 'reset') return void request.socket.resetAndDestroy();
    if (action.do === 'answer')
      return void response.writeHead(action.status, action.headers).end(action.body);
    const before = deployment.leads();
    const passed = await pass(deployment.url, request, body);
    if (deployment.leads() > before) added += 1;
    if (action.do === 'reset after the effect') return void request.socket.resetAndDestroy();
    if (action.do === 'answer after the effect')
      return void response.writeHead(action.status, action.headers).end(action.body);
    response.writeHead(passed.status, passed.headers).end(passed.body);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { pathname } = new URL(deployment.url);
  return {
    ...deployment,
    url: `http://127.0.0.1:${port}${pathname === '/' ? '' : pathname}`,
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await deployment.close();
    },
  };
};
