// Runs the examples with every test runner, from a packed tarball in new folders, as in an app. Needs the npm registry.
//   npm run runners [-- RUNNER…]
import { execSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { checkPage, checkSpec, serviceRequests } from './runners/page.ts';

type Runner = {
  readonly packages: readonly string[];
  readonly command: string;
  /** Additional files. */
  readonly files?: Readonly<Record<string, string>>;
  readonly check?: (folder: string) => Promise<void>;
};

const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const notCode = 'openapi.yaml profile.schema.json report.schema.json seed.schema.json';
const typedOnly = "testMatch: ['**/typed.spec.ts']";
const presets = "[['@babel/preset-env', { targets: { node: 'current' } }], '@babel/preset-typescript']";

const runners: Readonly<Record<string, Runner>> = {
  package: {
    packages: ['publint', '@arethetypeswrong/cli'],
    command: `publint run node_modules/email-leads --strict && attw email-leads-*.tgz --exclude-entrypoints ${notCode}`,
  },
  jest: { packages: ['jest', 'jest-environment-jsdom'], command: 'jest jest/' },
  'ts-jest': {
    packages: ['jest', 'ts-jest', 'typescript@5', '@types/jest', '@types/node'],
    command: 'jest',
    files: {
      'jest.config.cjs': `module.exports = { preset: 'ts-jest', ${typedOnly} };`,
      'tsconfig.json':
        '{ "compilerOptions": { "module": "commonjs", "target": "es2022", "strict": true, "esModuleInterop": true } }',
    },
  },
  'babel-jest': {
    packages: ['jest', '@babel/core', '@babel/preset-env', '@babel/preset-typescript'],
    command: 'jest',
    files: {
      'jest.config.cjs': `module.exports = { ${typedOnly} };`,
      'babel.config.cjs': `module.exports = { presets: ${presets} };`,
    },
  },
  mocha: { packages: ['mocha'], command: 'mocha mocha/sign-up.spec.cjs' },
  node: { packages: [], command: 'node --test node/sign-up.test.mjs' },
  vitest: { packages: ['vitest', 'openapi-fetch'], command: 'vitest run vitest.test.ts' },
  msw: { packages: ['vitest', 'msw@2'], command: 'vitest run msw/sign-up.test.mjs alike.test.mjs' },
  'msw-page': {
    packages: ['msw@2'],
    command: 'node --version',
    check: (folder) => checkPage(folder, chromiumPath),
  },
  playwright: {
    packages: ['@playwright/test'],
    command: 'playwright test --config playwright/playwright.config.ts',
  },
  cypress: {
    packages: ['cypress', 'typescript@5'],
    command: 'tsc -p tsconfig.json',
    files: {
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2022',
          strict: true,
          noEmit: true,
          types: ['cypress'],
        },
        files: ['cypress/sign-up.cy.ts'],
      }),
    },
    check: (folder) => checkSpec(folder, chromiumPath),
  },
};

const root = resolve('.');

/** Creates a folder with the examples, the tarball and a runner. */
const prepare = ({ packages, files = {} }: Runner, tarball: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'email-leads-runner-'));
  const all = {
    'package.json': '{ "private": true }',
    'requests.json': JSON.stringify(serviceRequests),
    ...files,
  };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  for (const source of ['examples', 'runners'])
    cpSync(join(root, 'scripts', source), folder, {
      recursive: true,
      filter: (path) => !path.endsWith('.proof.ts'),
    });
  cpSync(tarball, join(folder, 'email-leads-0.0.0.tgz'));
  // Without install scripts of packages, such as downloading a browser, which nothing here needs.
  const install = `npm install --no-audit --no-fund --ignore-scripts ./email-leads-0.0.0.tgz ${packages.join(' ')}`;
  execSync(install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return folder;
};

const run = async (runner: Runner, tarball: string): Promise<void> => {
  const folder = prepare(runner, tarball);
  const path = [join(folder, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  try {
    execSync(runner.command, {
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
