import { expect, test } from 'vitest';
import { startMock } from '../index.ts';
import { runInProcess } from '../testing/in-process.ts';
import { exchange } from '../testing/mock-server.ts';
import { serve } from '../testing/temporary.ts';
import { runHealth } from './health.ts';

const health = async (flags: readonly string[], env: Record<string, string> = {}) => {
  const { code, text: said } = await runInProcess(runHealth, flags, env);
  return { code, said };
};

/** Somebody else's server. */
const stranger = (text: string) => serve((_, reply) => reply.end(text));

test.each([{}, { admin: false }, { acceptKeys: ['sk_live_1'] }])('ready with %j', async (options) => {
  await using mock = await startMock(options);
  expect(await health(['--url', `${mock.url}/`])).toEqual({ code: 0, said: `ready: ${mock.url}` });
});

test('ready as JSON for programs, and why if it is not', async () => {
  await using mock = await startMock();
  const ready = await health(['--url', mock.url, '--json']);
  expect([ready.code, JSON.parse(ready.said)]).toEqual([0, { url: mock.url, ready: true, reason: null }]);
  const other = await stranger('hello');
  const not = await health(['--url', other, '--json']);
  const reason = `${other} responds with 200, but is not this mock`;
  expect([not.code, JSON.parse(not.said)]).toEqual([1, { url: other, ready: false, reason }]);
});

test('ready from its environment twins, and from the port of a mock beside it', async () => {
  await using mock = await startMock();
  const { url, port } = mock;
  expect(await health([], { EMAIL_LEADS_URL: url, EMAIL_LEADS_WAIT: '20s' })).toMatchObject({ code: 0 });
  expect(await health([], { EMAIL_LEADS_PORT: String(port) })).toMatchObject({ code: 0 });
  const empty = { EMAIL_LEADS_URL: '', EMAIL_LEADS_WAIT: '', EMAIL_LEADS_PORT: String(port) };
  expect(await health([], empty)).toMatchObject({ code: 0 });
});

test('ready once it is there', async () => {
  await using mock = await startMock();
  let asked = 0;
  const url = await serve(async (request, response) => {
    asked += 1;
    if (asked === 1) return request.socket.destroy();
    const { status, text } = await exchange(mock.url + request.url, 'GET');
    return response.writeHead(status).end(text);
  });
  expect(await health(['--url', url, '--wait', '10s'])).toEqual({ code: 0, said: `ready: ${url}` });
});

test('not ready where nothing listens, in the time given', async () => {
  const { url, close } = await startMock();
  await close();
  const said = `email-leads: not ready: nothing listens at ${url}`;
  expect(await health(['--url', url])).toEqual({ code: 1, said });
  const late = { code: 1, said: expect.stringContaining('not ready within 0.5 s') };
  expect(await health(['--url', url, '--wait', '500ms'])).toMatchObject(late);
});

const others = ['null', '{"openapi":"3.1.0","info":{"title":"Another service"}}'];

test.each(others)('not ready where somebody else answers %s', async (text) => {
  const url = await stranger(text);
  const said = expect.stringContaining('responds with 200, but is not this mock');
  expect(await health(['--url', url])).toMatchObject({ code: 1, said });
});

test("a variable that is almost one of this program is named, and somebody else's is not", async () => {
  await using mock = await startMock();
  const env = { EMAIL_LEADS_WIAT: 'secret', EMAIL_LEADS_TEAM: 'ours' };
  expect(await health(['--url', mock.url], env)).toEqual({
    code: 0,
    said: `warning: the environment variable EMAIL_LEADS_WIAT is not known and has no effect; did you mean EMAIL_LEADS_WAIT?\nready: ${mock.url}`,
  });
});
