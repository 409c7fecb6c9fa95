// Runs the examples with every test runner, from a packed tarball in new folders, as in an app. Needs the npm registry.
//   npm run runners [-- RUNNER…]
import assert from 'node:assert/strict';
import { execSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { createServer } from 'vite';
import { adapterRequests } from '../mock/testing/adapter-requests.ts';

type Runner = {
  /** The folder of the example, below `scripts/examples`; an empty project by default. */
  readonly project?: string;
  /** Packages that the example does not name itself. */
  readonly packages?: readonly string[];
  /** `npm test` by default. */
  readonly command?: string;
  /** Files of `scripts/runners` that it runs too. */
  readonly sources?: readonly string[];
  readonly check?: (folder: string) => Promise<void>;
};

const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const notCode = 'openapi.yaml config.schema.json profile.schema.json report.schema.json seed.schema.json';

const runners: Readonly<Record<string, Runner>> = {
  package: {
    packages: ['publint', '@arethetypeswrong/cli'],
    command: `publint run node_modules/email-leads --strict && attw email-leads-*.tgz --exclude-entrypoints ${notCode}`,
  },
  jest: { project: 'jest' },
  node: { project: 'node' },
  vitest: { project: 'vitest' },
  msw: { project: 'msw', sources: ['alike.test.mjs'] },
  'msw-page': {
    project: 'msw',
    command: 'msw init . --no-save && vite build',
    check: (folder) => checkPage(folder),
  },
  playwright: { project: 'playwright' },
  // Only compiled: the program of Cypress is not in the npm registry.
  cypress: {
    project: 'cypress',
    command:
      'tsc --noEmit --strict --module nodenext --target es2022 --types cypress cypress/e2e/sign-up.cy.ts',
  },
};

type InPage = typeof globalThis & { readonly mock: import('../mock/index.ts').MockInProcess };

/** Checks the example page and its service worker in a browser. @param folder the folder with the example and MSW */
const checkPage = async (folder: string): Promise<void> => {
  const server = await createServer({
    root: folder,
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0 },
  });
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  try {
    await server.listen();
    const page = await browser.newPage();
    await page.goto(server.resolvedUrls?.local[0] ?? '');
    await page.waitForSelector('form');
    await checkForm(page);
  } finally {
    await browser.close();
    await server.close();
  }
};

const checkForm = async (page: Page): Promise<void> => {
  const submit = async (output: string): Promise<void> => {
    await page.fill('input', 'Lena');
    await page.click('button');
    await page.locator('output', { hasText: output }).waitFor();
  };
  await submit('Welcome, lead_000001');
  await page.evaluate(() => (globalThis as InPage).mock.faults.set({ fault: 'EMPTY_RESPONSE', times: 1 }));
  await submit('Failed to fetch');
  await page.evaluate(() => (globalThis as InPage).mock.answers.set({ 'lead.note': 'required' }));
  await submit('body/note is required');
  const statuses = await page.evaluate(() =>
    (globalThis as InPage).mock.requests.list().map(({ status }) => status),
  );
  assert.deepEqual(statuses, [400, 0, 200]);
};

const root = resolve('.');

/** Creates a folder with an example and installs the tarball, as a team would. */
const prepare = ({ project, packages = [], sources = [] }: Runner, tarball: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'email-leads-runner-'));
  if (project === undefined) writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  else cpSync(join(root, 'scripts/examples', project), folder, { recursive: true });
  for (const source of sources) cpSync(join(root, 'scripts/runners', source), join(folder, source));
  // MSW does not intercept requests to other paths.
  const requests = adapterRequests.filter(([, path]) => path.startsWith('/api/v1'));
  writeFileSync(join(folder, 'requests.json'), JSON.stringify(requests));
  cpSync(tarball, join(folder, 'email-leads-0.0.0.tgz'));
  // Without install scripts of packages, such as downloading a browser, which nothing here needs.
  const install = `npm install --save-dev --no-audit --no-fund --ignore-scripts ./email-leads-0.0.0.tgz ${packages.join(' ')}`;
  execSync(install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return folder;
};

const run = async (runner: Runner, tarball: string): Promise<void> => {
  const folder = prepare(runner, tarball);
  const path = [join(folder, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  try {
    execSync(runner.command ?? 'npm test', {
      cwd: folder,
      stdio: 'inherit',
      env: { ...process.env, PATH: path, CHROMIUM: chromiumPath },
    });
    await runner.check?.(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in runners));
if (unknown !== undefined)
  throw new Error(`no runner ${unknown}; there are ${Object.keys(runners).join(', ')}`);
const output = mkdtempSync(join(tmpdir(), 'email-leads-tarball-'));
const [{ filename }] = JSON.parse(
  execSync(`npm pack --json --ignore-scripts --pack-destination "${output}"`, { encoding: 'utf8' }),
) as [{ filename: string }];
const results: string[] = [];
for (const [name, runner] of Object.entries(runners)) {
  if (names.length > 0 && !names.includes(name)) continue;
  try {
    await run(runner, join(output, filename));
    results.push(`${name}: works`);
  } catch (error) {
    process.exitCode = 1;
    results.push(`${name}: ${(error as Error).message}`);
  }
}
rmSync(output, { recursive: true });
console.log(`\n${results.join('\n')}`);
