// A deployment that writes commands to terminals and to CI servers in every part of a response: none of them gets out.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runHealth } from '../../mock/cli/health.ts';
import { runMock } from '../../mock/cli/mock.ts';
import { createLog } from '../../mock/service/log.ts';
import { runContractCommand } from '../cli/contract.ts';
import { runExplainCommand } from '../cli/explain.ts';
import { runObserveCommand } from '../cli/observe.ts';
import { runPinCommand, runSpecCommand } from '../cli/profile.ts';
import { createService } from '../proof/server/server.ts';
import type { Call, Mutation, RawResponse } from '../proof/server/types.ts';
import { startRaw, textReply } from '../testing/raw-server.ts';

const hostile =
  'x\n::error::owned\r\n  ::set-env name=A::owned\n##[error]owned ##vso[task.setvariable variable=A]owned ##teamcity[buildStop] \u001b[31mred\u202e\u0007';

const key = 'sk_live_4f9c1e7ab2d8463095be';
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

let directory = '';
let printed = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'email-leads-hostile-'));
  printed = '';
  vi.stubEnv('EMAIL_LEADS_API_KEY', key);
  vi.stubEnv('GITHUB_STEP_SUMMARY', '');
  const take = (text: unknown): boolean => {
    printed += String(text);
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(take);
  vi.spyOn(process.stderr, 'write').mockImplementation(take);
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((text: unknown) => void take(`${text}\n`));
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
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

const expectHarmless = (): void => {
  expect(printed).not.toBe('');
  expect(commandsIn(printed)).toEqual([]);
  expect(unseenInFiles()).toEqual([]);
};

const serving = async (mutation: Mutation, run: (url: string) => Promise<unknown>): Promise<void> => {
  const running = await createService({ key }, mutation).start();
  try {
    await run(running.url);
  } finally {
    await running.close();
  }
};

const target = (url: string): string[] => [
  ...['--url', url, ...everything, '--report-dir', directory, '--max-wait', '2s'],
];

describe.each(Object.entries(mutations))('%s', (_, mutation) => {
  test('contract', async () => {
    await serving(mutation, (url) => runContractCommand([...target(url), ...reports]));
    expectHarmless();
  });

  test('observe, then contract with the profile', async () => {
    const profile = join(directory, 'profile.json');
    await serving(mutation, (url) => runObserveCommand([...target(url), '--output', profile]));
    // The questions of the profile are asked whichever checks run.
    const flags = ['--profile', profile, '--only', 'templates.list.success'];
    await serving(mutation, (url) => runContractCommand([...target(url), ...flags]));
    expectHarmless();
  });
});

const latin = '\u009b31m##[error]owned';

test.each([
  ['a redirect', textReply('', 302, [`Location: http://a/${latin}`])],
  ['a rate limit', textReply('', 429, [`Retry-After: ${latin}`])],
  ['a refusal of everything', textReply(hostile, 403, [])],
  ['a gateway', textReply(hostile, 502, [`Server: ${latin}`])],
])('what stops a run before it starts: %s', async (_, reply) => {
  const server = await startRaw((_request, socket) => socket.write(Buffer.from(reply, 'latin1')));
  await runContractCommand([...target(server.url), ...reports]);
  await runObserveCommand(target(server.url));
  await server.close();
  expectHarmless();
});

test('a ledger with such ids', async () => {
  await serving({}, async (url) => {
    const ledger = join(directory, 'ledger-0a1b2c3d.jsonl');
    const lines = [{ email_leads_ledger: 1, url, run_id: hostile }, { added: hostile }];
    writeFileSync(ledger, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await runContractCommand(['--clean', ledger, '--url', url]);
  });
  expectHarmless();
});

describe('what every other command says of a file, a flag or a server', () => {
  const file = (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  const profile = JSON.stringify({
    deployment: hostile,
    questions_digest: hostile,
    answers: { [hostile]: { answer: hostile } },
  });

  test.each<[string, () => Promise<number>]>([
    ['mock with a flag', () => runMock([`--${hostile}`])],
    ['mock with a value', () => runMock(['--answer', hostile])],
    [
      'mock with a seed',
      () => runMock(['--seed', file('seed.json', JSON.stringify({ [hostile]: hostile }))]),
    ],
    ['mock with a seed in YAML', () => runMock(['--seed', file('seed.yaml', `a: [\u001b[31m\n::error::x`)])],
    ['mock with a profile', () => runMock(['--profile', file('profile.json', profile)])],
    ['health of an address', () => runHealth(['--url', `http://${hostile}`])],
    [
      'contract with a waiver',
      () => runContractCommand(['--waivers', file('w.json', JSON.stringify([{ check: hostile }]))]),
    ],
    ['contract with a profile', () => runContractCommand(['--profile', file('profile.json', profile)])],
    ['contract with a filter', () => runContractCommand(['--only', hostile])],
    ['pin', () => runPinCommand([file('profile.json', profile), hostile, '--reason', hostile])],
    ['spec', () => runSpecCommand(['--profile', file('profile.json', profile)])],
    ['explain', () => runExplainCommand([hostile])],
  ])('%s', async (_, command) => {
    expect(await command()).not.toBe(0);
    expectHarmless();
  });

  test('health of somebody else', async () => {
    const server = await startRaw((_request, socket) =>
      socket.write(Buffer.from(textReply(hostile, 200, []), 'latin1')),
    );
    expect(await runHealth(['--url', server.url])).toBe(1);
    await server.close();
    expectHarmless();
  });

  test.each(['pretty', 'json'] as const)('the %s log of a mock', async (style) => {
    const log = createLog(style, (text) => void process.stdout.write(text));
    log?.({ method: 'GET', url: `/${latin}\n::error::owned` }, { statusCode: 404, elapsedTime: 1 });
    await vi.waitFor(() => expect(printed).not.toBe(''));
    expectHarmless();
  });
});
