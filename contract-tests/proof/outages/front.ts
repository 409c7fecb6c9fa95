import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createTime } from '../server/time.ts';
import type { Deployment, RunningDeployment } from '../server/types.ts';
import type { Action, FrontRequest, Outage } from './outage.ts';

const pass = async (base: string, request: IncomingMessage, body: Buffer) => {
  const { host: _, ...headers } = request.headers;
  const url = `${new URL(base).origin}${request.url}`;
  const passed = send(url, { method: request.method ?? 'GET', headers, agent: false }).end(body);
  passed.on('error', () => undefined); // after the response has begun, its body ends with the same error
  const [response] = (await once(passed, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
};

/** Something in front of a deployment that stops answering for it. Everything else is the deployment's own. */
export const startFront = async (
  { start: startDeployment }: Pick<Deployment, 'start'>,
  outage: Outage,
  start: number,
): Promise<RunningDeployment> => {
  let deployment = await startDeployment();
  const time = createTime();
  let nth = 0;
  let wrongKeys = 0;
  let added = 0;
  let isClosed = false;

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
    if (action.do === 'restart') return await restart();
    const before = deployment.leads();
    const takesEffect = action.do === 'forward' || action.afterEffect;
    const passed = takesEffect ? await pass(deployment.url, request, body) : undefined;
    if (deployment.leads() > before) added += 1;
    if (action.do === 'reset') return void request.socket.resetAndDestroy();
    const { status = 502, headers, body: shown } = action.do === 'answer' ? action : { ...passed };
    response.sendDate = false; // what it passes on has the date of the service, if any
    response.writeHead(status, headers).end(shown);
  };

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;

  const stop = async (): Promise<void> => {
    server.close().closeAllConnections();
    await once(server, 'close');
    await deployment.close();
  };

  const restart = async (): Promise<void> => {
    await stop();
    deployment = await startDeployment();
    time.after(1000, () => {
      if (!isClosed) server.listen(port, '127.0.0.1');
    });
  };

  const { pathname } = new URL(deployment.url);
  return {
    ...deployment,
    leads: () => deployment.leads(),
    // The run waits in real time where the deployment does.
    ...(deployment.advance && {
      advance: (ms: number) => {
        deployment.advance?.(ms);
        time.advance(ms);
      },
    }),
    url: `http://127.0.0.1:${port}${pathname === '/' ? '' : pathname}`,
    close: () => {
      isClosed = true;
      return stop();
    },
  };
};
