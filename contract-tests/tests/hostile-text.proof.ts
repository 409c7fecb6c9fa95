// A deployment that writes commands to terminals and to CI servers in every part of a response: none of them gets out.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runHealth } from '../../mock/cli/health.ts';
import { runMock } from '../../mock/cli/mock.ts';
import { createLog } from '../../mock/service/log.ts';
import { runContractCommand } from '../cli/contract.ts';
import { runExplainCommand } from '../cli/explain.ts';
import { runObserveCommand } from '../cli/observe.ts';
import { runPinCommand, runSpecCommand } from '../cli/profile.ts';
import type { Call, Mutation, RawResponse } from '../proof/server/types.ts';
import { type Command, runInProcess, serve, temporaryDirectory, withKey } from '../testing/command.ts';
import { startRaw, textReply } from '../testing/raw-server.ts';

const hostile =
  'x\n::error::owned\r\n  ::set-env name=A::owned\n##[error]owned ##vso[task.setvariable variable=A]owned ##teamcity[buildStop] \u001b[31mred\u202e\u0007';

const everything = ['--allow-writes', '--send-to', 'me@example.com', '--allow-unaddressed'];
const reports = ['--report', 'console,github,json,junit,html,markdown'];

/** A body with the text as a value, as a name of a field, and in ids. */
const poison = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => poison(item, name));
  if (value !== null && typeof value === 'object')
    return {
      ...Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, poison(inner, field)])),
      [hostile]: hostile,
    };
  return ['message', 'error', 'name', 'created_at', 'updated_at', 'body'].includes(name) && value !== ''
    ? `${value}${hostile}`
    : value;
};

const withBody = (raw: RawResponse, change: (json: unknown) => unknown): RawResponse => ({
  ...raw,
  headers: { ...raw.headers, 'x-note': '##vso[owned' },
  payload: Buffer.from(JSON.stringify(change(JSON.parse(raw.payload.toString('utf8'))))),
});

const refused: RawResponse = {
  status: 418,
  headers: { 'content-type': 'application/json' },
  payload: Buffer.from(JSON.stringify({ success: false, error: hostile, message: hostile })),
};

const mutations: Readonly<Record<string, Mutation>> = {
  'every field': { rewrite: (raw) => withBody(raw, (json) => poison(json)) },
  'ids that cannot be deleted': {
    rewrite: (raw, call) => {
      if (call.operation === 'deleteLead') return refused;
      return call.operation === 'addLead'
        ? withBody(raw, (json) => {
            const { data, ...rest } = json as { data?: object };
            return { ...rest, data: { ...data, lead_id: `${call.nth}${hostile}` } };
          })
        : raw;
    },
  },
  'every error response': { rewrite: (raw, _call, reply) => (reply.refused ? refused : raw) },
  'all after a while': { rewrite: (raw, call: Call) => (call.nth > 5 ? { ...refused, status: 402 } : raw) },
};

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});

const unseen = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/u;

/** Lines that a terminal or a CI server would obey. */
const commandsIn = (text: string): string[] =>
  text
    .split('\n')
    .filter(
      (line) =>
        unseen.test(line) ||
        /^\s*::(?!(error|warning|notice) (file=openapi\.yaml,line=\d+,)?title=)/.test(line) ||
        /##\w*\[/.test(line),
    );

/** Reports are data: what they hold is escaped by their own rules, but nothing in them steers a terminal. */
const unseenInFiles = (): string[] =>
  readdirSync(directory)
    .filter((name) => /\.(xml|html|md)$/.test(name))
    .map((name) => join(directory, name))
    .filter((file) => unseen.test(readFileSync(file, 'utf8')));

const expectHarmless = (printed: string): void => {
  expect(printed).not.toBe('');
  expect(commandsIn(printed)).toEqual([]);
  expect(unseenInFiles()).toEqual([]);
};

/** Runs a command and returns its exit code. */
const run = async (command: Command, ...flags: readonly string[]): Promise<number> => {
  const { code, text } = await runInProcess(command, flags, withKey);
  expectHarmless(text);
  return code;
};

const target = (url: string): string[] => [
  ...['--url', url, ...everything, '--report-dir', directory, '--max-wait', '2s'],
];

describe.each(Object.entries(mutations))('%s', (_, mutation) => {
  test('contract', async () => {
    const { url } = await serve(mutation);
    await run(runContractCommand, ...target(url), ...reports);
  });

  test('observe, then contract with the profile', async () => {
    const profile = join(directory, 'profile.json');
    await run(runObserveCommand, ...target((await serve(mutation)).url), '--output', profile);
    // The questions of the profile are asked whichever checks run.
    const flags = ['--profile', profile, '--only', 'templates.list.success'];
    await run(runContractCommand, ...target((await serve(mutation)).url), ...flags);
  });
});

const latin = '\u009b31m##[error]owned';

const startReplying = async (reply: string): Promise<string> => {
  const server = await startRaw((_request, socket) => socket.write(Buffer.from(reply, 'latin1')));
  onTestFinished(server.close);
  return server.url;
};

test.each([
  ['a redirect', textReply('', 302, [`Location: http://a/${latin}`])],
  ['a rate limit', textReply('', 429, [`Retry-After: ${latin}`])],
  ['a refusal of everything', textReply(hostile, 403)],
  ['a gateway', textReply(hostile, 502, [`Server: ${latin}`])],
])('what stops a run before it starts: %s', async (_, reply) => {
  const url = await startReplying(reply);
  await run(runContractCommand, ...target(url), ...reports);
  await run(runObserveCommand, ...target(url));
});

test('a ledger with such ids', async () => {
  const { url } = await serve();
  const ledger = join(directory, 'ledger-0a1b2c3d.jsonl');
  const lines = [{ email_leads_ledger: 1, url, run_id: hostile }, { added: hostile }];
  writeFileSync(ledger, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await run(runContractCommand, '--clean', ledger, '--url', url);
});

describe('what every other command says of a file, a flag or a server', () => {
  const profile = JSON.stringify({
    deployment: hostile,
    questions_digest: hostile,
    answers: { [hostile]: { answer: hostile } },
  });

  /** FILE among the flags is a file with a content. */
  test.each<[string, Command, string[], string?]>([
    ['mock with a flag', runMock, [`--${hostile}`]],
    ['mock with a value', runMock, ['--answer', hostile]],
    ['mock with a seed', runMock, ['--seed', 'FILE'], JSON.stringify({ [hostile]: hostile })],
    ['mock with a seed in YAML', runMock, ['--seed', 'FILE'], 'a: [\u001b[31m\n::error::x'],
    ['mock with a profile', runMock, ['--profile', 'FILE'], profile],
    ['health of an address', runHealth, ['--url', `http://${hostile}`]],
    [
      'contract with a waiver',
      runContractCommand,
      ['--waivers', 'FILE'],
      JSON.stringify([{ check: hostile }]),
    ],
    ['contract with a profile', runContractCommand, ['--profile', 'FILE'], profile],
    ['contract with a filter', runContractCommand, ['--only', hostile]],
    ['pin', runPinCommand, ['FILE', hostile, '--reason', hostile], profile],
    ['spec', runSpecCommand, ['--profile', 'FILE'], profile],
    ['explain', runExplainCommand, [hostile]],
  ])('%s', async (name, command, flags, content = '') => {
    const file = join(directory, name.endsWith('YAML') ? 'file.yaml' : 'file.json');
    writeFileSync(file, content);
    expect(await run(command, ...flags.map((flag) => (flag === 'FILE' ? file : flag)))).not.toBe(0);
  });

  test('health of somebody else', async () => {
    expect(await run(runHealth, '--url', await startReplying(textReply(hostile)))).toBe(1);
  });

  test.each(['pretty', 'json'] as const)('the %s log of a mock', async (style) => {
    let printed = '';
    const log = createLog(style, (text) => {
      printed += text;
    });
    log?.({ method: 'GET', url: `/${latin}\n::error::owned` }, { statusCode: 404, elapsedTime: 1 });
    await expect.poll(() => printed).not.toBe('');
    expectHarmless(printed);
  });
});
