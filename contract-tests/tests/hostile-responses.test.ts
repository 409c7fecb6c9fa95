// What a deployment, a client or the environment may bring into an output: keys, and commands for a terminal or a CI server. That every
// spelling of a key is redacted holds `redaction.test.ts`.
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { placeholder } from '../../mock/contract/redaction.ts';
import { bin, runNode } from '../../mock/testing/cli-process.ts';
import { type Command, runInProcess } from '../../mock/testing/in-process.ts';
import { isWhole } from '../../mock/testing/scale.ts';
import { serve as serveHttp, useDirectory } from '../../mock/testing/temporary.ts';
import { usualChecks } from '../checks/index.ts';
import { runContractCommand } from '../cli/contract.ts';
import { runObserveCommand } from '../cli/observe.ts';
import { everythingPermitted } from '../client/permissions.ts';
import type { BehaviourOverrides } from '../proof/server/server.ts';
import type { Mutation, RawResponse } from '../proof/server/types.ts';
import { runContract, targetOf } from '../proof/suite-result.ts';
import { summarise } from '../runner/summary.ts';
import { filesIn, serve, startProxySession } from '../testing/command.ts';
import { ask } from '../testing/proxy.ts';
import { textReply, useRawServers, writing } from '../testing/raw-server.ts';

const serving = useRawServers();
const oddKey = 'k9.*Zq"7T\\n{x}$&w3/R+(pL=[%41<y>';

/** A key like a JSON Web Token, always the same for a length. */
const keyOf = (length: number): string => {
  const bytes = Array.from({ length }, (_, at) => (at * at * 31) % 251);
  return Buffer.from(bytes).toString('base64url').slice(0, length);
};

/** The parts of a key that a text shows. */
const shownParts = (key: string, given: string): string[] => {
  const text = given.replaceAll(placeholder, '').toLowerCase();
  const parts = Array.from({ length: Math.min(key.length, 999) - 5 }, (_, at) => key.slice(at, at + 6));
  return parts.filter((part) => text.includes(part.toLowerCase()));
};

const unseen = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/u;
/** What a terminal or a CI server would obey. */
const obeyed =
  /^.*(?:(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]|##\w*\[).*$|^\s*::(?!(?:error|warning|notice) (?:file=openapi\.yaml,line=\d+,)?title=).*$/gmu;

const fileOf = useDirectory();

const commands =
  '\n::error::owned\r\n  ::set-env name=A::owned\n##[error]owned ##vso[task.setvariable variable=A]owned \u001b[31mred\u202e\u0007';
const expectHarmless = (printed: string, key: string): void => {
  expect(printed).not.toBe('');
  expect(printed).not.toContain('the suite itself failed');
  expect(printed.match(obeyed)).toBeNull();
  expect(shownParts(key, printed)).toEqual([]);
  for (const [name, content] of filesIn(fileOf())) {
    expect(shownParts(key, content), name).toEqual([]);
    if (/\.(xml|html|md)$/.test(name)) expect(unseen.test(content), name).toBe(false);
  }
};

const run = async (command: Command, key: string, ...flags: readonly string[]): Promise<number> => {
  const { code, text } = await runInProcess(command, flags, { EMAIL_LEADS_API_KEY: key });
  expectHarmless(text, key);
  return code;
};

const reports = () => ['--report', 'console,json,junit,html,markdown,github', '--report-dir', fileOf()];
const everything = '--allow-writes --send-to me@example.com --allow-unaddressed --max-wait 300ms'.split(' ');

const everyString = (node: unknown, change: (text: string) => string): unknown => {
  if (typeof node === 'string') return change(node);
  if (Array.isArray(node)) return node.map((item) => everyString(item, change));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, everyString(value, change)]));
};

/** Changes the JSON of a response. */
const inJson =
  (change: (json: object) => unknown) =>
  (raw: RawResponse): RawResponse => ({
    ...raw,
    payload: Buffer.from(JSON.stringify(change(JSON.parse(raw.payload.toString())))),
  });
const inTexts = (change: (text: string) => string): Mutation => ({
  rewrite: inJson((json) => everyString(json, change)),
});
const json = { 'content-type': 'application/json' };
const refusal = (said: string): string => JSON.stringify({ success: false, error: said, message: said });

type Server = readonly [BehaviourOverrides, Mutation?];

/** As it is and as it was sent. */
const givenBack = (key: string): Mutation => ({
  rewrite: (raw, { headers: { authorization = '' } }, { refused }) => {
    const said = `${authorization} ${encodeURIComponent(authorization)}${commands}`;
    if (refused) return { status: 418, headers: json, payload: Buffer.from(refusal(said)) };
    return inJson((body) => ({ ...body, message: key, error: said }))(raw);
  },
});

const servers: Readonly<Record<string, (key: string) => Server>> = {
  'in every header, name of a field, id and template': (key) => [
    {
      headers: { 'x-key': key, server: key, 'retry-after': key, location: `/${key}`, 'x-a': '##vso[owned' },
      contentType: `application/json; key=${key}`,
      extras: { [key + commands]: 1 },
      dataExtras: { [key]: key },
      newId: (n) => `${key}-${n}${commands}`,
      templates: [
        { id: key, name: key, body: `{{${key}}}`, variables: [key], created_at: '2026-01-01T00:00:00Z' },
      ],
    },
    // No lead can be deleted, so that their ids are printed.
    { rewrite: (raw, call) => (call.operation === 'deleteLead' ? { ...raw, status: 418 } : raw) },
  ],
  'in other texts, and with what is refused': (key) => [{}, givenBack(key)],
  // A run waits for what it wrote to be shown.
  ...(isWhole && {
    'behind every text': (key: string) => [{}, inTexts((said) => `${said} ${key}${commands}`)] as const,
  }),
};

const keys = [oddKey, 'sk_live_4f9c1e7ab2d8463095be'];
const rows = Object.entries(servers).map(
  ([place, server], at) => [place, server, keys[at % 2] ?? ''] as const,
);

// `npm test` runs some checks of responses, of leads and of error responses.
const some = 'templates.list,leads.add.echoes-fields,leads.update.success,failures';
const only = isWhole ? [] : ['--only', some, '--skip', 'templates.list.auth'];

test.each(rows)('a key is given back: %s', async (_, serverOf, key) => {
  const [choices, mutation] = serverOf(key);
  const { url } = await serve(mutation, { ...choices, key });
  const target = ['--url', url, ...everything];
  expect([0, 1, 3]).toContain(await run(runContractCommand, key, ...target, ...only, ...reports()));
});

test('a key is given back to observe, and to contract with its profile', async () => {
  const { url } = await serve(givenBack(oddKey), { key: oddKey });
  const target = ['--url', url, ...everything];
  const profile = fileOf('profile.json');
  const questions = isWhole ? [] : ['--only', 'failure', '--only', 'lead.id-format'];
  const output = ['--output', profile, ...questions];
  expect([0, 3]).toContain(await run(runObserveCommand, oddKey, ...target, ...output));
  const gated = ['--profile', profile, '--only', 'templates.list.success'];
  expect([0, 1, 3]).toContain(await run(runContractCommand, oddKey, ...target, ...gated));
});

const latin = '\u009b31m##[error]owned';

test.each([
  ['a redirect', textReply('', 302, [`Location: http://a/${encodeURIComponent(oddKey)}${latin}`])],
  ['a rate limit', textReply('', 429, [`Retry-After: ${latin}`])],
  ['a refusal of everything', textReply(oddKey + commands, 403)],
  ['a gateway', textReply(commands, 502, [`Server: ${latin}`])],
  ['what is not JSON', textReply(`{"success": true, "message": "${oddKey}`)],
  ['a page', textReply(`<h1>${oddKey}</h1>`, 500)],
])('what stops a run before it starts: %s', async (_, reply) => {
  const server = await serving(writing(Buffer.from(reply, 'latin1')));
  const target = ['--url', server.url, ...everything];
  expect(await run(runContractCommand, oddKey, ...target, ...reports())).toBe(3);
  expect(await run(runObserveCommand, oddKey, ...target)).toBe(3);
});

test('a ledger with such ids', async () => {
  const { url } = await serve();
  const ledger = fileOf('ledger-0a1b2c3d.jsonl');
  const content = { email_leads_ledger: 2, url, run_id: commands, open: [commands], unnamed: 0 };
  writeFileSync(ledger, JSON.stringify(content));
  await run(runContractCommand, oddKey, '--clean', ledger, '--url', url);
});

test('keys in the traffic of the proxy, in any header that Node.js accepts', async () => {
  const upstream = await serveHttp(
    ({ headers, url }, response) => {
      const said = `${headers.authorization} ${url}`;
      const list = { success: true, error: '', message: said, data: [{ id: said, [said]: said }] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list));
    },
    { maxHeaderSize: 2 ** 20 },
  );
  const { url, end, ended, text: printed } = await startProxySession(upstream, reports());
  const [key, other] = [keyOf(120_000), keyOf(5000)];
  const fields = [`Bearer ${key}`, 'Bearer', `Basic ${key}`, 'Bearer é\tü ~', key];
  const sent = [...fields.map((field) => [field, 'email/templates']), [`Bearer ${other}`, other]];
  for (const [authorization, path] of sent)
    await ask(`${url}/api/v1/${path}`, { headers: { authorization } });
  await end();
  expect([1, 3]).toContain(await ended);
  const outputs = [['what is printed', printed()] as const, ...filesIn(fileOf())];
  expect(outputs.length).toBeGreaterThan(4);
  for (const [name, output] of outputs)
    for (const secret of [key, other]) expect(shownParts(secret, output), name).toEqual([]);
});

// Thrown outside of every promise, as soon as the command handles such errors.
const fault = `data:text/javascript,${encodeURIComponent(`
  const timer = setInterval(() => {
    if (process.listenerCount('uncaughtException') === 0) return;
    clearInterval(timer);
    throw new Error('of ' + process.env.EMAIL_LEADS_API_KEY);
  }, 1);`)}`;
const failing = ['--import', fault, bin];

test.each([
  ['an unknown command', 2, [bin, keyOf(60)]],
  ['an uncaught error of proxy', 3, [...failing, 'proxy', '--upstream', 'http://a.test', '--port', '0']],
  ['an uncaught error of mock', 1, [...failing, 'mock', '--port', '0']],
])('the key in %s', async (_, code, args) => {
  const child = runNode(args, { PATH: process.env.PATH ?? '', EMAIL_LEADS_API_KEY: keyOf(60) });
  expect(await child.ended).toBe(code);
  const printed = child.stdout() + child.stderr();
  expect(printed).toContain(placeholder);
  expect(shownParts(keyOf(60), printed)).toEqual([]);
});

test.each(['success', '"'])('a key that is part of other texts changes no verdict: %s', async (key) => {
  const service = await serve({}, { key });
  const ofLongKeys =
    /near-miss|other-case|shortened|other-last|other-first|dash-underscore|keeps-|survives|lasts|removes/;
  const some = usualChecks.filter(({ id }) => !ofLongKeys.test(id));
  const target = { ...targetOf(service), permissions: everythingPermitted };
  const result = await runContract({ ...target, checks: some });
  const others = result.verdicts.filter(({ status }) => status !== 'pass');
  expect(others.map(({ check, reason }) => [check.id, reason])).toEqual([]);
  expect(summarise(result, true).exitCode).toBe(0);
});
