import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createMock } from '../../mock/index.ts';
import { serve } from '../../mock/testing/temporary.ts';
import { createHandlerTransport } from '../client/transport.ts';
import { deploymentTarget, intervalFor } from '../session/target.ts';
import { type ContractEvent, contractTests, runContract } from './index.ts';

afterEach(() => void vi.restoreAllMocks());

const everything = { allowWrites: true, sendTo: 'qa@example.com', allowUnaddressed: true, maxSends: 90 };

/** A mock without a socket. */
const handler = () => {
  const mock = createMock({ acceptKeys: ['sk_live_4f9c1e7ab2d8463095be'] });
  onTestFinished(mock.close);
  return { fetch: (request: Request) => mock.fetch(request), apiKey: mock.apiKey };
};

test('a handler in the process is checked without a port, and nothing is printed', async () => {
  const printed = (['log', 'error', 'warn'] as const).map((stream) => vi.spyOn(console, stream));
  const events: ContractEvent[] = [];
  const report = await runContract({
    ...handler(),
    ...everything,
    only: ['templates.list', 'leads.add.success', 'failures', 'replies'],
    strict: true,
    onEvent: (event) => events.push(event),
  });
  expect(report.verdict).toMatch(/^conforms/);
  expect(report).toMatchObject({ exitCode: 0, findings: [], leftovers: [] });
  expect(report.checks.filter(({ status }) => status === 'pass').length).toBeGreaterThan(20);
  expect(events[0]).toMatchObject({ type: 'started', url: 'http://localhost' });
  expect(events.at(-1)).toEqual({ type: 'finished', exitCode: 0, verdict: report.verdict });
  for (const spy of printed) expect(spy).not.toHaveBeenCalled();
});

test('a handler that throws, or never responds', async () => {
  const request = { method: 'GET', path: '/api/v1/leads', headers: {}, maxBytes: 1000, timeout: 50 };
  const ask = (handle: () => Promise<Response>) =>
    createHandlerTransport('http://localhost', handle).exchange(request);
  expect(await ask(() => Promise.reject(new Error('out of order')))).toMatchObject({ status: 500 });
  await expect(ask(() => new Promise(() => undefined))).rejects.toMatchObject({ kind: 'timeout' });
  await expect(ask(async () => new Response('x'.repeat(2000)))).rejects.toMatchObject({ kind: 'too large' });
  const failing = new ReadableStream({ start: (body) => body.error(new Error('out of order')) });
  await expect(ask(async () => new Response(failing))).rejects.toMatchObject({ kind: 'closed' });
});

test('what cannot be tested is a report, and what cannot work an error', async () => {
  let asked = 0;
  const url = await serve((_, res) => {
    asked += 1;
    res.end('<html>');
  });
  const report = await runContract({ url, apiKey: 'k' });
  expect(report).toMatchObject({ exitCode: 3, requests: asked });
  await expect(runContract({ url })).rejects.toThrow('apiKey is missing');
  await expect(runContract({ only: ['lead'] })).rejects.toThrow('lead');
  await expect(runContract({ rateLimit: '5' })).rejects.toThrow('rateLimit must be a rate');
  const invalid = (options: object) => expect(runContract(options)).rejects;
  await invalid({ url, apiKey: undefined }).toThrow('apiKey is missing');
  const subject = 'of the options of the contract';
  await invalid({ only: 'foo' }).toThrow(new TypeError(`only ${subject} must be array, not "foo"`));
  await invalid({ allowWrite: true }).toThrow(`${subject} is not known here; did you mean allowWrites?`);
  await invalid({ allowWrites: 'no' }).toThrow(`allowWrites ${subject} must be boolean, not "no"`);
  for (const address of [{ sendTo: 'bad' }, { from: 'Me <me@a.test>' }])
    await invalid(address).toThrow(`${subject} must be one address like me@example.com`);
  for (const number of [{ maxSends: -1 }, { timeoutMs: 0 }, { maxWaitMs: -1 }])
    await invalid(number).toThrow(/must be >= [01], not/);
  await invalid({ url, apiKey: 'k', allowUnaddressed: true }).toThrow('allowUnaddressed needs sendTo');
  for (const secret of [{ apiKey: ['sk_1'] }, { headers: 'X-Key: sk_1' }])
    await invalid(secret).toThrow(/must be (string|object)$/);
  await invalid({ url, apiKey: 'k', headers: { authorization: 'x' } }).toThrow(
    'must not replace authorization',
  );
  for (const waiver of ['x', { check: 'leads' }, { check: 'lead', reason: 'y' }])
    await invalid({ waivers: [waiver] }).toThrow(
      /^the option waivers, waiver 1: ("check"|"reason"|there is no check)/,
    );
  const stopped = await runContract({ url, apiKey: 'k', signal: AbortSignal.abort() });
  expect(stopped.exitCode).toBe(130);
});

test('only another machine has a rate by default', () => {
  const [far, near] = [deploymentTarget('https://a.test', 'k'), deploymentTarget('http://127.0.0.1', 'k')];
  const intervals = [far, near, { ...far, fetch: handler().fetch }].map((target) =>
    intervalFor(target, undefined),
  );
  expect(intervals).toEqual([50, undefined, undefined]);
});

test.each([
  ['vitest, node:test', 0],
  ['Playwright', 1],
])('one test for each check, skipped with the reason: %s', async (_runner, fixtures) => {
  const { fetch, apiKey } = handler();
  const broken = async (request: Request): Promise<Response> => {
    const response = await fetch(request);
    // Wrong error responses would be asked for again later.
    if (!response.ok || !request.url.endsWith('/email/templates')) return response;
    return Response.json({ ...((await response.json()) as object), error: 7 });
  };
  const tests: [name: string, run: (...contexts: unknown[]) => Promise<void>][] = [];
  const register = (...test: (typeof tests)[number]): void => void tests.push(test);
  const test = Object.assign(register, { skip: register });
  contractTests({ test, fetch: broken, apiKey, only: ['templates.list', 'leads.add.echoes-fields'] });
  const check = 'templates.list.error';
  contractTests({ test, fetch, apiKey, only: [check], waivers: [{ check, reason: 'mended' }] });
  const said: string[] = [];
  for (const [name, run] of tests) {
    // Playwright hands over what a function names; its context comes behind the fixtures.
    expect(run).toHaveLength(0);
    const skip = (...reason: unknown[]): void => void said.push(`${name}: skipped: ${reason.at(-1)}`);
    const contexts = [...Array(fixtures).fill({}), { skip }];
    await run(...contexts).catch(({ message }) => said.push(`${name}: ${message}`));
  }
  expect(said).toContainEqual(expect.stringMatching(/templates\.list.*: [\s\S]*expected: .*\nactual: /));
  expect(said).toContainEqual(expect.stringMatching(/leads\.add.*: skipped: .*--allow-writes/));
  const unneeded = expect.stringMatching(/: 1 waiver is no longer needed: templates\.list\.error$/);
  expect(said.filter((line) => line.includes('(run.verdict)'))).toEqual([unneeded]);
});

test('in Jest, what is not permitted is skipped before it runs', () => {
  const registered: string[] = [];
  const skipped: string[] = [];
  const jest = Object.assign((name: string) => registered.push(name), {
    skip: (name: string) => skipped.push(name),
    concurrent: () => undefined,
  });
  contractTests({ test: jest, url: 'https://a.test', apiKey: 'k', only: ['leads', 'templates'] });
  expect(registered.length).toBeGreaterThan(0);
  expect(skipped.every((name) => name.includes('(leads.'))).toBe(true);
  expect(skipped.length).toBeGreaterThan(0);
});
