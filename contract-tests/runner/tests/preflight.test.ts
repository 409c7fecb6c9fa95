// Reasons why a deployment cannot be tested, which are no broken promises: one line, and what to try.
import type { Socket } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import { everythingPermitted } from '../../client/permissions.ts';
import { createService } from '../../proof/server/server.ts';
import type { RawResponse } from '../../proof/server/types.ts';
import { observe } from '../../questions/observe.ts';
import { probes } from '../../questions/probes/index.ts';
import { emptyList, jsonReply, type RawRequest, startRaw, textReply } from '../../testing/raw-server.ts';
import { selfSigned } from '../../testing/self-signed.ts';
import { CannotTest } from '../preflight.ts';
import { inRun, type Progress, runContract, type TargetOptions } from '../run.ts';
import { summarise } from '../summary.ts';

// The runs wait for most of their time, and run concurrently.
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

const readOnly = { writes: false, sendTo: undefined, unaddressed: false, maxSends: 0 };
const key = 'sk_live_4f9c1e7ab2d8';

const testing = (url: string) =>
  runContract({ url, key, permissions: readOnly, checks, timeout: 1500 }).then(
    (run) => `exit ${summarise(run, false).exitCode}`,
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  );

type Answer = (request: RawRequest, socket: Socket) => unknown;

const serving = async (answer: Answer, tls?: { key: string; cert: string }) => {
  const server = await startRaw(answer, tls);
  closers.push(server.close);
  return server;
};

const writing =
  (reply: string): Answer =>
  (_, socket) =>
    socket.write(reply);

test.concurrent.each<[string, Answer, RegExp]>([
  [
    'a key refused',
    writing(jsonReply({ error: 'no' }, 401)),
    /^CannotTest: key refused: .*\(401 no\); check EMAIL_LEADS_API_KEY/,
  ],
  [
    'a key refused as the document fails',
    writing(jsonReply({ success: false, error: 'no' })),
    /key refused: .*\(200 no\)/,
  ],
  [
    'a redirect',
    writing(textReply('', 301, ['Location: https://elsewhere.test/api'])),
    /^CannotTest: the deployment redirects \(301\) to https:\/\/elsewhere\.test\/api, and the key is not sent there: .*--url/,
  ],
  [
    'a gateway',
    writing(textReply('<h1>Bad Gateway</h1>', 502)),
    /^CannotTest: gateway: .*\(502 a page: Bad Gateway\)/,
  ],
  [
    'a lasting rate limit',
    writing(textReply('', 429, ['Retry-After: 3600'])),
    /limits the rate \(429, Retry-After 3600\).*--rate-limit/,
  ],
  ['a proxy in between', writing(textReply('', 407)), /a proxy requires a password \(407\)/],
  [
    'silence',
    () => undefined,
    /^CannotTest: not reachable: .*no complete response within 1\.5 s; raise --timeout/,
  ],
  [
    'a closed door',
    (_, socket) => socket.end(),
    /^CannotTest: not reachable: .*closed without a response.*http or https/,
  ],
  [
    'another protocol',
    (_, socket) => socket.end('220 mail.test ESMTP\r\n'),
    /^CannotTest: not this service: .*not HTTP/,
  ],
  ['a web site', writing(textReply('<h1>Welcome</h1>')), /^CannotTest: not this service: .*check --url/],
  ['another API', writing(jsonReply({ status: 'up' })), /^CannotTest: not this service: .*check --url/],
  ['nothing but 404', writing(textReply('not found', 404)), /^CannotTest: not this service/],
])('tells %s', async (_name, answer, message) => {
  const { url } = await serving(answer);
  const said = await testing(url);
  expect(said).toMatch(message);
  expect(said.split('\n')).toHaveLength(1);
});

const asJson = (status: number, json: object): RawResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  payload: Buffer.from(JSON.stringify(json)),
});

const serveService = async (...args: Parameters<typeof createService>) => {
  const service = await createService(...args).start();
  closers.push(service.close);
  return service;
};

type Start = (target: TargetOptions) => Promise<unknown>;

/** Checks of every operation. */
const someChecks = checks.filter(({ id }) => id.endsWith('.success'));

const starts: readonly [string, Start][] = [
  ['contract', (target) => runContract({ ...target, checks: someChecks })],
  ['observe', (target) => inRun(target, 'observe', (shared) => observe(shared, probes))],
];

describe.concurrent.each(starts)('%s with every permission', (command, start) => {
  const target = { key, permissions: everythingPermitted, timeout: 1500 };

  test.each<[string, (path: string) => string]>([
    ['a static site', () => textReply('<h1>Not found</h1>', 404)],
    ['a login page at every path', () => textReply('<form>Log in</form>')],
    ['an empty object at every path', () => jsonReply({})],
    ['a status at every path', () => jsonReply({ status: 'up' })],
    ['a message at every path', () => jsonReply({ message: 'Welcome' })],
    ['the path of each request', (path) => jsonReply({ url: path, data: '' })],
    ['404 with a message', () => jsonReply({ message: 'Not Found', documentation_url: '/docs' }, 404)],
    ['404 with an error', (path) => jsonReply({ status: 404, error: 'Not Found', path }, 404)],
    ['404 with an error about the resource', (path) => jsonReply({ error: `no ${path.split('/')[3]}` }, 404)],
    ['a server error', () => jsonReply({ error: 'Internal Server Error' }, 500)],
  ])('sends only reads to another service: %s', async (_site, reply) => {
    const server = await serving(({ path }, socket) => socket.write(reply(path)));
    await expect(start({ ...target, url: server.url })).rejects.toThrow(CannotTest);
    expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(server.requests.length).toBeLessThan(12);
  });

  const lists: readonly [string, RawResponse][] = [
    ['404 as the service', asJson(404, { success: false, error: 'not found', message: '' })],
    ['404 as the framework', asJson(404, { error: 'Not Found' })],
    ['a 404 page', { status: 404, headers: {}, payload: Buffer.from('<h1>Not Found</h1>') }],
    ['a server error', asJson(500, { error: 'Internal Server Error' })],
    ['a page about a server error', { status: 500, headers: {}, payload: Buffer.from('<h1>Error</h1>') }],
    ['200 without the fields', asJson(200, { items: [] })],
  ];
  // Both commands begin with the same discovery.
  test.each(command === 'contract' ? lists : lists.slice(0, 1))(
    'tests the other operations where the list is broken: %s',
    async (_reply, list) => {
      const service = await serveService(
        { outsideService: 'html' },
        {
          rewrite: (raw, { operation }, { refused }) =>
            operation === 'listTemplates' && refused !== 'key' ? list : raw,
        },
      );
      await start({ ...target, timeout: 10_000, ...service });
      expect(service.leads()).toBe(0);
      expect(service.mails()).not.toEqual([]);
    },
  );
});

test.concurrent('tells a port where nothing listens', async () => {
  const { url, close } = await startRaw(() => undefined);
  await close();
  expect(await testing(url)).toMatch(/^CannotTest: not reachable: .*ECONNREFUSED.*; check the address/);
});

test.concurrent('tells a certificate that nobody signed, before the key is sent', async () => {
  const server = await serving(writing(emptyList), selfSigned());
  expect(await testing(server.url)).toMatch(
    /^CannotTest: TLS problem: .*self-signed certificate.*NODE_EXTRA_CA_CERTS/,
  );
  expect(server.requests).toEqual([]);
});

test.concurrent('tells https spoken to a plain port', async () => {
  const { url } = await serveService();
  expect(await testing(url.replace('http:', 'https:'))).toMatch(/^CannotTest: TLS problem: .*try http:\/\//);
});

test.concurrent('tells http spoken to a TLS port', async () => {
  const { port } = await serving(writing(emptyList), selfSigned());
  expect(await testing(`http://127.0.0.1:${port}`)).toMatch(/^CannotTest: not reachable: .*http or https/);
});

test.concurrent.each([
  '<title>400 The plain HTTP request was sent to HTTPS port</title>',
  'Client sent an HTTP request to an HTTPS server.',
  "Reason: You're speaking plain HTTP to an SSL-enabled server port.",
])('tells http spoken to a web server that says so: %s', async (text) => {
  const { url } = await serving(writing(textReply(text, 400)));
  expect(await testing(url)).toMatch(
    /^CannotTest: the port expects https \(400 .*\): set --url to .* https:\/\/$/,
  );
});

test.concurrent('takes one list form that redirects for no obstacle', async () => {
  const { url } = await serving(({ path, head }, socket) =>
    socket.write(
      !head.includes(`Bearer ${key}\r`) && !head.endsWith(`Bearer ${key}`)
        ? jsonReply({ success: false, error: 'no' }, 401)
        : path.endsWith('/templates')
          ? emptyList
          : textReply('', 302, ['Location: /login']),
    ),
  );
  expect(await testing(url)).toBe('exit 0');
});

test.concurrent('an operation that redirects could not be tested, and is a refusal without words', async () => {
  const service = await serveService({}, { rewrite: (letter, call) => redirected(letter, call.operation) });
  const run = await runContract({
    ...service,
    permissions: { ...readOnly, writes: true },
    checks,
  });
  expect(run.discovery.get('addLead')?.inconclusive).toMatch(
    /refused a complete request: 307 redirecting to \/elsewhere, which/,
  );
  const findings = run.verdicts.filter(({ status }) => ['fail', 'warn', 'unstable'].includes(status));
  expect(findings.map(({ check, status }) => `${status} ${check.id}`)).toEqual(['unstable failures.error']);
});

const redirected = <Letter extends object>(letter: Letter, operation: string | undefined) =>
  operation === 'addLead'
    ? { ...letter, status: 307, headers: { location: '/elsewhere?token=secret' }, payload: Buffer.alloc(0) }
    : letter;

test.concurrent('a long run says how far it is', async () => {
  const { url } = await serving((_, socket) => void setTimeout(() => socket.write(emptyList), 20));
  const counts: number[] = [];
  const onProgress = ({ requests }: Progress): void => void counts.push(requests);
  await runContract({ url, key, permissions: readOnly, checks, onProgress, progressMs: 50 });
  expect(counts.length).toBeGreaterThan(1);
  expect(counts).toEqual(counts.toSorted((left, right) => left - right));
  expect(counts.at(-1)).toBeGreaterThan(0);
});
