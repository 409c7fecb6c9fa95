// What the pages say is true: links lead somewhere, commands are understood, recipes work.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import configSchema from '../../mock/cli/config.schema.json' with { type: 'json' };
import { listQuestions } from '../../mock/contract/questions.ts';
import { createMock, startMock } from '../../mock/index.ts';
import { bin } from '../../mock/testing/cli-process.ts';
import { temporaryDirectory } from '../../mock/testing/temporary-directory.ts';
import { loadDefinitions } from '../commands.ts';
import { anchorsOf, blocksOf, commandsOf, linksOf, pages, readPage } from '../testing/pages.ts';

const definitions = await loadDefinitions();

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
describe.each(pages)('%s', (page) => {
  test('has links that lead to files and headings that exist', () => {
    const broken = linksOf(page).filter(
      ({ path, anchor }) => !existsSync(path) || (anchor !== undefined && !anchorsOf(path).includes(anchor)),
    );
    expect(broken.map(({ link }) => link)).toEqual([]);
  });

  test('names scripts that exist', () => {
    const names = [...readPage(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    const local = names.filter((name) => name !== 'e2e');
    expect(local.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });

  test('has settings and data that can be read', () => {
    const readers: Readonly<Record<string, (text: string) => unknown>> = { yaml: parse, json: JSON.parse };
    for (const { language, code } of blocksOf(page))
      expect(() => readers[language]?.(code), code).not.toThrow();
  });
});

test('the configuration file of the example is one', () => {
  const { code = '' } =
    blocksOf('contract-tests/README.md').find(({ heading }) => heading === 'Configuration file') ?? {};
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(configSchema);
  expect(validate(parse(code)), JSON.stringify(validate.errors)).toBe(true);
});

test('README.md is one page', () => {
  const text = readPage('README.md');
  const lines = text.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(110);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(400);
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(1000);
  expect(text).toContain(`email-leads mock ${manifest.version}: `);
  expect(text).toContain(`email-leads-${manifest.version}.tgz`);
});

const ownCommands = pages.flatMap((page) =>
  [
    ...readPage(page)
      .replaceAll('\\\n', ' ')
      .matchAll(/npx email-leads (\w[^\n`]*)/g),
  ]
    .map(([, line = '']) => line.replace(/\s#\s.*$|\s&$|\s>\s.*$|…$/, '').trim())
    .map((line) => [line, page] as const),
);

test.each(ownCommands)('the command line understands: %s (%s)', (line) => {
  const words = (line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll(/["']/g, ''));
  const [name = '', ...argv] = words.map((word) =>
    word.replace(/^\$STAGING_URL$|^…$/, 'https://staging.example.com'),
  );
  expect(Object.keys(definitions)).toContain(name);
  expect(() => definitions[name]?.().parse(argv, { from: 'user' })).not.toThrow();
});

test.each(['README.md', 'mock/README.md'])(
  'the requests in %s succeed, one after the other',
  async (page) => {
    const mock = await startMock();
    const requests = commandsOf(page).filter((line) => line.startsWith('curl '));
    expect(requests.length).toBeGreaterThan(1);
    for (const line of requests) {
      const own = line
        .replaceAll('http://127.0.0.1:4010', mock.url)
        .replace('curl', 'curl --silent --show-error --fail');
      await expect(promisify(execFile)('sh', ['-c', own]), line).resolves.toBeDefined();
    }
    await mock.close();
  },
);

const faultRows = [...readPage('mock/README.md').matchAll(/^\| (`[^|]+) \| (`[^|]+) \| [^|]+ \|$/gm)]
  .map(([, names = '', examples = '']) => [names.split(', '), examples.match(/`[^`]+`/g) ?? []] as const)
  .filter(
    ([[name]]) =>
      name !== undefined &&
      /^`(operation|method|to|when|nth|status|body|retry_after|delay_ms|fault|take_effect|times)`$/.test(
        name,
      ),
  );

test('the fields of fault rules are those of the table, with examples that are accepted', () => {
  const mock = createMock();
  expect(faultRows.length).toBe(12);
  for (const [names, examples] of faultRows)
    for (const [index, name] of names.entries()) {
      const field = name.replaceAll('`', '');
      const value = JSON.parse((examples[index] ?? '').replaceAll('`', ''));
      const rule = { ...(['fault', 'delay_ms'].includes(field) ? {} : { status: 503 }), [field]: value };
      expect(() => mock.faults.set(rule), field).not.toThrow();
    }
});

test('the members in the table of the SDK exist', () => {
  const mock = createMock() as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const [, table = ''] = /Each workspace has:\n\n([\s\S]*?)\n\n/.exec(readPage('mock/README.md')) ?? [];
  const members = [...table.matchAll(/`(\w+)\.(\w+)\(?/g)].map(
    ([, part = '', name = '']) => [part, name] as const,
  );
  expect(members.length).toBeGreaterThan(10);
  for (const [part, name] of members) expect(mock[part]?.[name], `${part}.${name}`).toBeTypeOf('function');
});

test('every open question can be linked to', () => {
  const anchors = anchorsOf('contract-tests/open-questions.md');
  expect(listQuestions().filter(({ id }) => !anchors.includes(id))).toEqual([]);
});

test('files that the pages name in their trees exist', () => {
  for (const [page, folder] of [
    ['mock/README.md', 'mock'],
    ['contract-tests/README.md', 'contract-tests'],
  ] as const) {
    const tree = blocksOf(page).find(({ code }) => code.startsWith(`${folder}/\n`))?.code ?? '';
    const names = [...tree.matchAll(/^ {2}((?:[\w.-]+\/?(?:, )?)+) {2,}/gm)].flatMap(([, list = '']) =>
      list.split(', '),
    );
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !statSync(join(folder, name), { throwIfNoEntry: false }))).toEqual([]);
  }
});

// There may be no container engine where the tests run; the workflow builds the image and runs it.
type Service = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: object;
};

test('the Compose example starts what the image has, and waits until it is healthy', () => {
  const file = readFileSync('scripts/examples/compose/compose.yaml', 'utf8');
  const { services } = parse(file) as { readonly services: Readonly<Record<string, Service>> };
  const own = Object.values(services).filter(({ image }) => image === 'email-leads');
  for (const { command = [] } of own) {
    const [name = '', ...words] = command;
    expect(() => definitions[name]?.().parse(words, { from: 'user' }), name).not.toThrow();
  }
  expect(own.map(({ command }) => command?.[0])).toEqual(['mock', 'contract']);
  expect(services.app?.depends_on).toEqual({ 'email-leads': { condition: 'service_healthy' } });
  expect(services.app?.environment).toMatchObject({ EMAIL_LEADS_URL: 'http://email-leads:4010' });
  expect(existsSync(join('scripts/examples/compose', services.app?.command?.[1] ?? ''))).toBe(true);
});

// AGENTS.md as a coding agent uses it: its commands in their order, in the folder of an app.
const folder = temporaryDirectory();
const written = (name: string): string => readFileSync(join(folder, name), 'utf8');
writeFileSync(join(folder, 'npx'), `#!/bin/sh\nshift; exec "${process.execPath}" "${bin}" "$@"\n`, {
  mode: 0o755,
});

/** What each command prints, in the order of the page. */
const expected: readonly (readonly [begin: string, output: RegExp])[] = [
  ['npx email-leads health', /ready/],
  ['curl -s -X POST http://127.0.0.1:4010/api/v1/email/send', /"success":true/],
  ['curl -s "http://127.0.0.1:4010/__admin/outbox/wait', /"total":1,/],
  ['curl -s http://127.0.0.1:4010/__admin/outbox/latest', /"codes":\["123456"\]/],
  ['curl -s http://127.0.0.1:4010/__admin/leads', /"total":0/],
  ['curl -s "http://127.0.0.1:4010/__admin/requests?status=4xx"', /"total":0/],
  ['curl -s "http://127.0.0.1:4010/__admin/requests?unmatched=true"', /"total":0/],
  ['curl -s -X PUT http://127.0.0.1:4010/__admin/faults', /"status":503/],
  ['curl -s -X POST http://127.0.0.1:4010/api/v1/leads', /"success":false/],
  ['curl -s -X DELETE http://127.0.0.1:4010/__admin/faults', /"rules":\[\]/],
  ['curl -s -X POST http://127.0.0.1:4010/__admin/reset', /"status":"reset"/],
  ['npx email-leads contract', /Verdict: conforms/],
  ['EMAIL_LEADS_API_KEY=test_key npx email-leads contract', /0 undecided/],
  ['kill ', /^$/],
];

test('its commands work, one after the other, and leave no process', async () => {
  const run = async (command: string, env = {}) => {
    const path = [folder, process.env.PATH].join(delimiter);
    const options = { cwd: folder, env: { PATH: path, EMAIL_LEADS_PORT: '0', ...env } };
    return (await promisify(execFile)('sh', ['-c', command], options)).stdout;
  };
  const [start = '', keep = '', ...commands] = commandsOf('AGENTS.md');
  expect(start).toMatch(/^npx email-leads mock > email-leads\.log 2>&1 &$/);
  expect(commands.map((command, at) => command.startsWith(expected[at]?.[0] ?? '?') || command)).toEqual(
    expected.map(() => true),
  );
  await run(`${start}\n${keep}`);
  const pid = Number(written('email-leads.pid'));
  try {
    await expect.poll(() => written('email-leads.log')).toMatch(/Base URL {3}http/);
    const [, url = ''] = /Base URL {3}(\S+)/.exec(written('email-leads.log')) ?? [];
    for (const [at, command] of commands.entries()) {
      // Other tests run all checks.
      const env = command.includes(' health') ? { EMAIL_LEADS_URL: url } : { EMAIL_LEADS_ONLY: 'templates' };
      const output = await run(command.replaceAll('http://127.0.0.1:4010', url), env);
      expect(output, command).toMatch(expected[at]?.[1] ?? /^$/);
    }
    await expect.poll(() => isRunning(pid)).toBe(false);
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  }
});

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('it is one page', () => {
  const lines = readPage('AGENTS.md').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(90);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(200);
});
