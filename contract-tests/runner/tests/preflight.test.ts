// Reasons why a deployment cannot be tested, which are no broken promises: one line, and what to try.
import { expect, test } from 'vitest';
import { selfSigned } from '../../../mock/testing/self-signed.ts';
import { checks } from '../../checks/index.ts';
import { everythingPermitted } from '../../client/permissions.ts';
import { rewrite } from '../../proof/server/mutation.ts';
import { createService } from '../../proof/server/server.ts';
import { runContract } from '../../proof/suite-result.ts';
import { nobodyListens } from '../../testing/proxy.ts';
import type { Answer } from '../../testing/raw-server.ts';
import { emptyList, jsonReply, textReply, useRawServers, writing } from '../../testing/raw-server.ts';
import { runOn } from '../../testing/run-on.ts';
import { CannotTest } from '../preflight.ts';
import { summarise } from '../summary.ts';

const serving = useRawServers();

const readOnly = { writes: false, sendTo: undefined, unaddressed: false, maxSends: 0 };
const key = 'sk_live_4f9c1e7ab2d8';

const testing = (url: string, timeout = 30_000) =>
  runContract({ url, key, permissions: readOnly, checks, timeout }).then(
    (run) => `exit ${summarise(run, false).exitCode}`,
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  );

const saying = (text: string, status: number): Answer => writing(textReply(text, status));

const limited = textReply('', 429, ['Retry-After: 3600']);
const redirect = textReply('', 301, ['Location: https://elsewhere.test/api']);
const refusal = jsonReply({ success: false, error: 'no' });
const plainHttp = 'Client sent an HTTP request to an HTTPS server.';

test.concurrent.each<[string, Answer, RegExp]>([
  ['a key refused', writing(jsonReply({ error: 'no' }, 401)), /key refused: .*\(401 no\); check EMAIL_/],
  ['a refusal with 200', writing(refusal), /key refused: .*\(200 with success: false, no\)/],
  ['a redirect', writing(redirect), /redirects \(301\) to https:\/\/elsewhere\.test\/api, and .*--url/],
  ['a gateway', saying('<h1>Bad Gateway</h1>', 502), /gateway: .*\(502 a page: Bad Gateway\)/],
  ['a lasting rate limit', writing(limited), /limits the rate \(429, Retry-After 3600\).*--rate-limit/],
  ['a proxy in between', saying('', 407), /a proxy requires a password \(407\)/],
  ['silence', () => undefined, /not reachable: .*no complete response within 1\.5 s; raise --timeout/],
  ['a closed door', (_, socket) => socket.end(), /not reachable: .*closed without a response.*http or https/],
  ['another protocol', (_, socket) => socket.end('220 mail.test ESMTP\r\n'), /not this service: .*not HTTP/],
  ['a web site', writing(textReply('<h1>Welcome</h1>')), /not this service: .*check --url/],
  ['http in place of https', saying(plainHttp, 400), /expects https \(400 .*\): set --url to .* https:\/\/$/],
  ['another API', writing(jsonReply({ status: 'up' })), /not this service: .*check --url/],
  ['nothing but 404', saying('not found', 404), /not this service/],
])('tells %s', async (name, answer, message) => {
  const { url } = await serving(answer);
  const said = await testing(url, name === 'silence' ? 1500 : undefined);
  expect(said).toMatch(/^CannotTest: [^\n]+$/);
  expect(said).toMatch(message);
});

const target = { key, permissions: everythingPermitted };

const serverError = jsonReply({ success: false, error: 'internal', message: '' }, 500);

test.concurrent.each<[string, (path: string) => string]>([
  ['a static site', () => textReply('<h1>Not found</h1>', 404)],
  ['a login page at every path', () => textReply('<form>Log in</form>')],
  ['the path of each request', (path) => jsonReply({ url: path, data: '' })],
  ['404 with a message', () => jsonReply({ message: 'Not Found', documentation_url: '/docs' }, 404)],
  ['a server error in the form of the service', () => serverError],
])('another service gets only reads, whatever is allowed: %s', async (_site, reply) => {
  const { url, requests } = await serving(({ path }, socket) => socket.write(reply(path)));
  await expect(runContract({ ...target, url, checks })).rejects.toThrow(CannotTest);
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(requests.length).toBeLessThan(12);
});

test.concurrent('other operations are tested where the list of templates is broken', async () => {
  const page = { status: 404, headers: {}, payload: Buffer.from('<h1>Not Found</h1>') };
  const mutation = rewrite(
    ({ operation }, { refused }) => operation === 'listTemplates' && refused !== 'key',
    () => page,
  );
  const { service } = await runOn(['*.*.success'], { behaviour: { outsideService: 'html' }, mutation });
  expect(service.leads()).toBe(0);
  expect(service.mails()).not.toEqual([]);
});

test.concurrent('tells a certificate that nobody signed, before the key is sent', async () => {
  const server = await serving(writing(emptyList), selfSigned());
  expect(await testing(server.url)).toMatch(/TLS problem: .*self-signed certificate.*NODE_EXTRA_CA_CERTS/);
  expect(server.requests).toEqual([]);
});

test.concurrent('tells a port where nothing listens, or another protocol', async ({ onTestFinished }) => {
  expect(await testing(nobodyListens)).toMatch(/not reachable: .*ECONNREFUSED.*; check the address/);
  const { url, close } = await createService().start();
  onTestFinished(close);
  expect(await testing(url.replace('http:', 'https:'))).toMatch(/TLS problem: .*try http:\/\//);
  const secure = await serving(writing(emptyList), selfSigned());
  expect(await testing(secure.url.replace('https:', 'http:'))).toMatch(/not reachable: .*http or https/);
});
