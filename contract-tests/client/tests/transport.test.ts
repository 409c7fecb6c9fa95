import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { clientOf, listTemplates as list } from '../../testing/calls.ts';
import { emptyList, startRaw, textReply } from '../../testing/raw-server.ts';
import { selfSigned } from '../../testing/self-signed.ts';
import { ConfigurationError, RequestFailed } from '../errors.ts';
import { isLoopback, proxiesFrom } from '../transport.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const asking = async (base: string, environment: NodeJS.ProcessEnv) => {
  const client = clientOf(base, { environment });
  closers.push(client.close);
  return client.send(list).catch((error: RequestFailed) => error);
};

const proxy = async (reply = emptyList) => {
  const server = await startRaw((_, socket) => socket.write(reply));
  closers.push(server.close);
  return server;
};

test('a plain request is handed to the proxy as it is, with its password; http:// before it may be missing', async () => {
  const { url, requests } = await proxy();
  const named = url.replace('http://', 'me:se%20cret@');
  const answer = await asking('http://service.test/crm', { HTTP_PROXY: named });
  expect(answer).toMatchObject({ outcome: 'success' });
  const { head = '' } = { ...requests[0] };
  expect(head).toMatch(/^GET http:\/\/service\.test\/crm\/api\/v1\/email\/templates HTTP/);
  expect(head).toMatch(/^host: service\.test\r?$/im);
  const basic = Buffer.from('me:se cret').toString('base64');
  expect(head).toContain(`proxy-authorization: Basic ${basic}`);
});

test('an https request goes through a tunnel, and its certificate is looked at', async () => {
  const service = await startRaw((_, socket) => socket.write(emptyList), selfSigned('service.test'));
  closers.push(service.close);
  const asked: string[] = [];
  const tunnel: Server = createServer().on('connect', (request, socket) => {
    asked.push(String(request.url));
    const onward = connect(service.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [onward, socket]) end.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => tunnel.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    tunnel.closeAllConnections();
    tunnel.close();
  });
  const { port } = tunnel.address() as AddressInfo;
  const answer = await asking('https://service.test', { HTTPS_PROXY: `http://127.0.0.1:${port}` });
  expect(asked).toEqual(['service.test:443']);
  expect(answer).toMatchObject({ kind: 'tls' });
  expect(service.requests).toEqual([]);
});

test.each([
  ['a proxy that wants a password', textReply('', 407), 'http://service.test'],
  ['a proxy that lets nobody through', textReply('', 403), 'https://service.test'],
])('%s is reported as the proxy, without its password', async (_name, reply, base) => {
  const { url } = await proxy(reply);
  const named = url.replace('http://', 'http://me:secret@');
  const answer = await asking(base, { HTTP_PROXY: named, HTTPS_PROXY: named });
  expect(answer).toBeInstanceOf(RequestFailed);
  expect(answer).toMatchObject({ kind: 'proxy', unsent: true });
  expect((answer as RequestFailed).message).toContain(new URL(url).host);
  expect((answer as RequestFailed).message).not.toContain('secret');
});

test('this machine is never reached through a proxy, nor is what NO_PROXY names', async () => {
  const [service, unused] = [await proxy(), await proxy()];
  for (const base of [service.url, service.url.replace('127.0.0.1', 'localhost')])
    expect(await asking(base, { HTTP_PROXY: unused.url })).toMatchObject({ outcome: 'success' });
  const excluded = { HTTP_PROXY: unused.url, NO_PROXY: 'other.test,.invalid' };
  expect(await asking('http://service.invalid', excluded)).toMatchObject({ kind: 'unreachable' });
  // A proxy for the other protocol is none.
  for (const [protocol, name] of [['http', 'HTTPS_PROXY'] as const, ['https', 'HTTP_PROXY'] as const])
    expect(await asking(`${protocol}://service.invalid`, { [name]: unused.url })).toMatchObject({
      kind: 'unreachable',
    });
  expect(unused.requests).toEqual([]);
});

test('small letters win, as with curl, and nonsense is refused', () => {
  expect(proxiesFrom({ http_proxy: 'http://a:1', HTTP_PROXY: 'http://b:1' }).http).toBe('http://a:1');
  for (const value of ['socks5://p:1', 'http://', '::']) {
    expect(() => proxiesFrom({ HTTPS_PROXY: value })).toThrow(ConfigurationError);
  }
});

test.each([
  ['localhost', true],
  ['mock.localhost', true],
  ['127.9.9.9', true],
  ['[::1]', true],
  ['localhost.test', false],
  ['10.0.0.1', false],
])('%s is this machine: %s', (host, is) => expect(isLoopback(host)).toBe(is));
