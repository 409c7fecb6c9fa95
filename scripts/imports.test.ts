// Who may import what: the architecture as a test. A new file that needs an exception needs a better place first.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.includes('/generated/'));

const isTest = (file: string): boolean => /\.test\.ts$/.test(file);
const sources = ['mock', 'contract-tests', 'scripts'].flatMap(filesBelow);
const product = sources.filter((file) => !isTest(file));

/** What a file imports, packages by name and files by path from the top; `import type` counts too. */
const importsOf = (file: string): string[] =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\b[^'";]*?from '([^']+)'|\bimport\('([^']+)'\)/gm,
    ),
  ].map(([, named, loaded]) => {
    const name = named ?? loaded ?? '';
    return name.startsWith('.') ? normalize(join(dirname(file), name)) : name;
  });

const offenders = (
  files: readonly string[],
  allowed: (imported: string, file: string) => boolean,
): string[] =>
  files.flatMap((file) =>
    importsOf(file)
      .filter((imported) => !allowed(imported, file))
      .map((imported) => `${file} → ${imported}`),
  );

const within = (directory: string): string[] => product.filter((file) => file.startsWith(`${directory}/`));

test('there are sources to look at', () => {
  expect(product.length).toBeGreaterThan(50);
});

test('a handler knows its types, errors, state and pure functions, and no other tag', () => {
  const tags = within('mock/handlers').filter((file) => !/\/(index|handler)\.ts$/.test(file));
  const known = /^mock\/(handlers\/handler|errors|state|substitute|questions|generated\/.+)\.ts$/;
  expect(offenders(tags, (imported) => known.test(imported))).toEqual([]);
});

test('a noun of the admin API knows its route type and the state, not Fastify and not the app', () => {
  const nouns = within('mock/admin').filter((file) => !/\/index\.ts$/.test(file));
  expect(offenders(nouns, (imported) => !/^(@?fastify|mock\/(app|service)\.ts)/.test(imported))).toEqual([]);
});

test('only a target starts the mock', () => {
  const suite = within('contract-tests').filter((file) => file !== 'contract-tests/target.ts');
  expect(offenders(suite, (imported) => imported !== 'mock/index.ts')).toEqual([]);
});

test('the suite judges by the contract and its questions, never by code of the mock', () => {
  const suite = within('contract-tests').filter((file) => file !== 'contract-tests/target.ts');
  const known = /^mock\/(spec|questions|profile|contract-view|flags|generated\/.+)\.ts$/;
  expect(offenders(suite, (imported) => !imported.startsWith('mock/') || known.test(imported))).toEqual([]);
});

test('the deployments share nothing with the mock, nor with the suite that judges them', () => {
  // These run the suite on them; `short-walk.ts` is a test's.
  const servers = within('contract-tests/deployments').filter(
    (file) => !/\/(matrix|catchers|choose-catchers|short-walk)\.ts$/.test(file),
  );
  const own = (imported: string): boolean =>
    imported.startsWith('contract-tests/deployments/') || imported.startsWith('node:');
  expect(offenders(servers, own)).toEqual([]);
});

test('the page is a program of its own: itself and its view library, imported by nobody', () => {
  const page = within('mock/page');
  expect(page.length).toBeGreaterThan(20);
  const own = (imported: string): boolean => /^(mock\/page\/|preact(\/|$))/.test(imported);
  expect(offenders(page, own)).toEqual([]);
  const others = sources.filter((file) => !file.startsWith('mock/page/'));
  expect(offenders(others, (imported) => !imported.startsWith('mock/page/'))).toEqual([]);
});

test('nobody imports scripts', () => {
  const others = product.filter((file) => !file.startsWith('scripts/'));
  expect(offenders(others, (imported) => !imported.startsWith('scripts/'))).toEqual([]);
});

test('Fastify is named in the app and its close neighbours only', () => {
  const neighbours =
    /^mock\/(app|context|cors|service|admission|reference|refusals|http-errors|json-body|record|injection|reply-check|log|media-type|read-body|admin\/index)\.ts$/;
  const others = within('mock').filter((file) => !neighbours.test(file));
  expect(offenders(others, (imported) => !/^@?fastify/.test(imported))).toEqual([]);
});

test('swagger-parser is loaded by the contract loader only', () => {
  expect(
    offenders(
      product.filter((file) => file !== 'mock/spec.ts'),
      (imported) => !imported.includes('swagger-parser'),
    ),
  ).toEqual([]);
});

const uses = (files: readonly string[], pattern: RegExp): string[] =>
  files.filter((file) => pattern.test(readFileSync(file, 'utf8')));

// The page runs in a browser.
const ofServer = within('mock').filter((file) => !file.startsWith('mock/page/'));

test('state is the only source of chance and digests in the mock', () => {
  const others = ofServer.filter((file) => file !== 'mock/state.ts');
  expect(uses(others, /\bMath\.random\(|from 'node:crypto'/)).toEqual([]);
});

test('real time comes from one file: an app under test may have put fakes in the place of the globals', () => {
  const others = ofServer.filter((file) => file !== 'mock/real-time.ts');
  const globals =
    /\bnew Date\(\)|\bDate\.now\b|\bperformance\b|(?<!\.)\b(?:set|clear)(?:Timeout|Interval|Immediate)\b\(|\bqueueMicrotask\(|\bnextTick\(/;
  expect(uses(others, globals)).toEqual([]);
});

test('the environment is read by commands, the target and the client only', () => {
  const readers = /^(mock\/([a-z]+-)?command|contract-tests\/(([a-z]+-)?command|target|client))\.ts$/;
  const others = product.filter((file) => !file.startsWith('scripts/') && !readers.test(file));
  expect(uses(others, /process\.env\b/)).toEqual([]);
});
