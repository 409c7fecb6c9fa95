// The architecture as one table: which folder may import which. A file that needs an exception is in the wrong folder.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

// The mock, from its foundations upwards. `mock/contract` is the shared kernel, which all of the suite may import.
const mock = {
  'mock/generated': [],
  'mock/contract': ['mock/generated'],
  'mock/runtime': [],
  'mock/store': ['mock/generated', 'mock/runtime'],
  'mock/mail': ['mock/runtime', 'mock/store'],
  'mock/validation': ['mock/contract'],
  'mock/route': [
    'mock/contract',
    'mock/generated',
    'mock/mail',
    'mock/runtime',
    'mock/store',
    'mock/validation',
  ],
  // Fault rules: which requests fail, and how. The proxy of the suite uses them too.
  'mock/faults': [
    ...['mock/contract', 'mock/mail', 'mock/route', 'mock/runtime', 'mock/store', 'mock/validation'],
  ],
  // One file for each noun of the admin API: its part of a workspace and its routes.
  'mock/nouns': [
    ...['mock/contract', 'mock/faults', 'mock/generated', 'mock/mail', 'mock/route', 'mock/runtime'],
    ...['mock/store', 'mock/validation'],
  ],
  'mock/workspace': [
    ...['mock/contract', 'mock/faults', 'mock/generated', 'mock/mail', 'mock/nouns', 'mock/route'],
    ...['mock/runtime', 'mock/store', 'mock/validation'],
  ],
  'mock/service': [
    ...['mock/contract', 'mock/faults', 'mock/generated', 'mock/mail', 'mock/nouns', 'mock/runtime'],
    ...['mock/store', 'mock/validation', 'mock/workspace'],
  ],
  'mock/admin': [
    ...['mock/contract', 'mock/mail', 'mock/nouns', 'mock/route', 'mock/runtime', 'mock/service'],
    ...['mock/store', 'mock/validation', 'mock/workspace'],
  ],
  'mock/sdk': [
    ...['mock/contract', 'mock/faults', 'mock/generated', 'mock/mail', 'mock/nouns', 'mock/route'],
    ...['mock/runtime', 'mock/store', 'mock/validation', 'mock/workspace'],
  ],
  'mock/server': [
    ...['mock/admin', 'mock/contract', 'mock/faults', 'mock/generated', 'mock/nouns', 'mock/runtime'],
    ...['mock/service', 'mock/store', 'mock/validation', 'mock/workspace'],
  ],
  'mock/cli': ['mock/contract', 'mock/runtime', 'mock/server'],
  mock: [
    'type mock/faults',
    ...['mock/contract', 'mock/generated', 'mock/mail', 'mock/nouns', 'mock/sdk', 'mock/server'],
    ...['mock/service', 'mock/validation', 'mock/workspace'],
  ],
  // The page runs in a browser. It knows the mock, and the proxy, by their types, the names of the operations and shell words only.
  'mock/ui': [
    ...['mock/contract', 'mock/generated', 'type contract-tests/proxy', 'type mock/faults'],
    ...['type mock/mail', 'type mock/nouns', 'type mock/store'],
  ],
};

// The suite: an independent judge. It shares the contract with the mock, and nothing else that judges.
const suite = {
  'contract-tests/generated': [],
  'contract-tests/client': ['mock/contract'],
  'contract-tests/session': [
    ...['contract-tests/client', 'mock/contract', 'type contract-tests/judge', 'type contract-tests/model'],
  ],
  // What may be true, pure statements about it, and what provokes situations: none of them sends, judges and decides at once.
  'contract-tests/model': ['contract-tests/client', 'contract-tests/session', 'mock/contract'],
  'contract-tests/facts': [
    ...['contract-tests/client', 'contract-tests/model', 'contract-tests/session', 'mock/contract'],
  ],
  'contract-tests/facts/leads': [
    ...['contract-tests/client', 'contract-tests/facts', 'contract-tests/model', 'contract-tests/session'],
    'mock/contract',
  ],
  'contract-tests/facts/replies': [
    ...['contract-tests/client', 'contract-tests/facts', 'contract-tests/generated'],
    ...['contract-tests/model', 'contract-tests/session', 'mock/contract'],
  ],
  'contract-tests/judge': [
    ...['contract-tests/client', 'contract-tests/facts', 'contract-tests/facts/leads'],
    ...['contract-tests/facts/replies', 'contract-tests/model', 'contract-tests/session'],
  ],
  'contract-tests/scenarios': [
    ...['contract-tests/client', 'contract-tests/facts', 'contract-tests/facts/replies'],
    ...['contract-tests/model', 'contract-tests/session', 'mock/contract'],
  ],
  'contract-tests/scenarios/leads': [
    ...['contract-tests/client', 'contract-tests/scenarios', 'contract-tests/session', 'mock/contract'],
  ],
  // The published table: every check, and the scenarios that decide them.
  'contract-tests/checks': [
    ...['contract-tests/client', 'contract-tests/facts', 'contract-tests/facts/replies'],
    ...[
      'contract-tests/scenarios',
      'contract-tests/scenarios/leads',
      'contract-tests/session',
      'mock/contract',
    ],
  ],
  'contract-tests/runner': [
    ...['contract-tests/checks', 'contract-tests/client', 'contract-tests/facts', 'contract-tests/judge'],
    ...['contract-tests/model', 'contract-tests/scenarios', 'contract-tests/session', 'mock/contract'],
  ],
  'contract-tests/waivers': [
    ...['contract-tests/client', 'contract-tests/runner', 'contract-tests/session', 'mock/contract'],
  ],
  'contract-tests/cost': [
    ...['contract-tests/checks', 'contract-tests/client', 'contract-tests/runner'],
    ...['contract-tests/scenarios', 'contract-tests/session'],
  ],
  'contract-tests/questions/probes': ['contract-tests/client', 'contract-tests/session', 'mock/contract'],
  'contract-tests/questions': [
    ...['contract-tests/client', 'contract-tests/questions/probes', 'contract-tests/runner'],
    ...['contract-tests/session', 'mock/contract'],
  ],
  'contract-tests/reports/replay': [
    ...['contract-tests/client', 'contract-tests/runner', 'contract-tests/session', 'mock/contract'],
  ],
  'contract-tests/reports': [
    ...['contract-tests/client', 'contract-tests/facts/replies', 'contract-tests/reports/replay'],
    ...['contract-tests/runner', 'contract-tests/session', 'contract-tests/waivers', 'mock/contract'],
  ],
  // The passive judge: claims about traffic that others cause.
  'contract-tests/traffic/exchanges': [
    ...['contract-tests/client', 'contract-tests/model', 'contract-tests/session', 'mock/contract'],
  ],
  'contract-tests/traffic': [
    ...['contract-tests/client', 'contract-tests/facts', 'contract-tests/facts/replies'],
    ...['contract-tests/judge', 'contract-tests/model', 'contract-tests/traffic/exchanges'],
    ...['contract-tests/questions', 'contract-tests/questions/probes', 'contract-tests/reports'],
    ...['contract-tests/runner', 'contract-tests/session', 'contract-tests/waivers', 'mock/contract'],
  ],
  // Forwards traffic byte for byte, and shows it to that judge.
  'contract-tests/proxy': [
    ...['contract-tests/client', 'contract-tests/traffic', 'contract-tests/traffic/exchanges'],
    // The rules of the mock on real traffic. They do not judge.
    ...['mock/contract', 'mock/faults', 'mock/route', 'mock/store', 'mock/validation'],
  ],
  'contract-tests/library': [
    ...['contract-tests/checks', 'contract-tests/client', 'contract-tests/reports', 'contract-tests/runner'],
    ...['contract-tests/session', 'contract-tests/waivers', 'mock/contract'],
  ],
  // How a run looks on a terminal.
  'contract-tests/terminal': [
    ...['contract-tests/checks', 'contract-tests/client', 'contract-tests/reports', 'contract-tests/runner'],
    ...['mock/cli', 'mock/contract'],
  ],
  'contract-tests/cli': [
    ...['contract-tests/checks', 'contract-tests/client', 'contract-tests/cost', 'contract-tests/questions'],
    ...['contract-tests/questions/probes', 'contract-tests/reports', 'contract-tests/runner'],
    ...['contract-tests/proxy', 'contract-tests/session', 'contract-tests/terminal', 'mock/cli'],
    'contract-tests/traffic',
    ...['contract-tests/traffic/exchanges', 'contract-tests/waivers'],
    // The built page of the mock shows the requests of the proxy too.
    ...['mock/contract', 'mock/runtime'],
  ],
};

// The proof of the suite: its servers share nothing with the mock, nor with the suite that judges them.
const proof = {
  'contract-tests/proof/frameworks': [],
  'contract-tests/proof/server': [],
  'contract-tests/proof/conforming': ['contract-tests/proof/server'],
  'contract-tests/proof/broken': ['contract-tests/proof/conforming', 'contract-tests/proof/server'],
  'contract-tests/proof/broken/leads': ['contract-tests/proof/broken', 'contract-tests/proof/server'],
  'contract-tests/proof/grid': ['contract-tests/proof/broken', 'contract-tests/proof/server'],
  'contract-tests/proof/outages': ['contract-tests/proof/server'],
  'contract-tests/proof': [
    ...['contract-tests/checks', 'contract-tests/client', 'contract-tests/proof/broken'],
    ...['contract-tests/proof/broken/leads', 'contract-tests/proof/grid'],
    ...['contract-tests/proof/conforming', 'contract-tests/proof/outages', 'contract-tests/proof/server'],
    'contract-tests/cost',
    'contract-tests/questions',
    ...[
      'contract-tests/questions/probes',
      'contract-tests/runner',
      'contract-tests/session',
      'contract-tests/traffic',
      'mock/contract',
    ],
  ],
  'contract-tests/proof/traffic': [
    ...['contract-tests/checks', 'contract-tests/proof', 'contract-tests/proof/conforming'],
    ...['contract-tests/proof/server', 'contract-tests/proxy', 'contract-tests/traffic'],
    'contract-tests/traffic/exchanges',
  ],
};

/** What a folder may import beside itself, Node.js and packages; `type` before a folder: with `import type` only. */
const directions: Readonly<Record<string, readonly string[]>> = { ...mock, ...suite, ...proof };

const exceptions: readonly string[] = [
  // The embedded mock is one of the suite's targets.
  'contract-tests/session/target.ts → mock/index.ts',
];

/** Packages that only some folders or files know. */
const packages: readonly (readonly [name: RegExp, users: RegExp])[] = [
  [/^@?fastify/, /^mock\/(server|admin)\/[^/]+\.ts$|^contract-tests\/proof\/frameworks\/fastify\.mjs$/],
  // The steps of the service run without a socket too: what only Node.js can do is in its adapter, or in mock/runtime.
  [/^node:/, /^(?!mock\/(service|nouns|route|workspace|store)\/)/],
  [/^preact/, /^mock\/ui\//],
  [/^undici/, /^contract-tests\/(client\/|proof\/reference-client)|^mock\/cli\//],
];

type Import = { readonly file: string; readonly target: string; readonly isType: boolean };

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((file) => /\.(tsx?|mjs|js)$/.test(file) && !file.includes('node_modules'));

const isProduct = (file: string): boolean =>
  !/\.(test|proof)\.ts$/.test(file) && !/\/(tests|testing|generated)\//.test(file);

const sources = ['mock', 'contract-tests'].flatMap(filesBelow).filter(isProduct);

/** What a file imports: packages by name, files by path from the top. */
const importsOf = (file: string): Import[] =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\b( type (?=[{*]))?[^'";]*?from '([^']+)'|\bimport\('([^']+)'\)/gm,
    ),
  ].map(([, isType, named, loaded]) => {
    const name = named ?? loaded ?? '';
    const target = name.startsWith('.') ? normalize(join(dirname(file), name)) : name;
    return { file, target, isType: isType !== undefined };
  });

/** The row of the table that a file belongs to: the longest folder name that its path begins with. */
const folderOf = (path: string): string =>
  Object.keys(directions)
    .filter((folder) => dirname(path) === folder || (folder === 'mock/ui' && path.startsWith('mock/ui/')))
    .at(-1) ?? dirname(path);

const imports = sources.flatMap(importsOf);
const isOwn = ({ target }: Import): boolean => /^(mock|contract-tests|scripts)\//.test(target);

test('a folder imports the folders of its row and no other', () => {
  const isAllowed = ({ file, target, isType }: Import): boolean => {
    const [from, to] = [folderOf(file), folderOf(target)];
    const allowed = directions[from] ?? [];
    return from === to || allowed.includes(to) || (isType && allowed.includes(`type ${to}`));
  };
  const offenders = imports
    .filter((found) => isOwn(found) && !isAllowed(found))
    .map(({ file, target }) => `${file} → ${target}`);
  expect(offenders).toEqual(exceptions);
});

test('every folder has a row', () => {
  const folders = new Set(sources.map(folderOf));
  expect([...folders].filter((folder) => !(folder in directions))).toEqual([]);
});

test('no folder imports a folder that imports it, and no file a file that imports it', () => {
  // Types of the other direction are permitted where a row says so: they are not loaded.
  expect(cycle(Object.keys(directions), (folder) => directions[folder] ?? [])).toEqual([]);
  const loads = (file: string): string[] =>
    importsOf(file).flatMap(({ target, isType }) => (isType ? [] : [target]));
  expect(cycle(sources, loads)).toEqual([]);
});

/** The first cycle of a graph, or nothing. */
const cycle = (nodes: readonly string[], next: (node: string) => readonly string[]): string[] => {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return [];
    for (const target of next(node)) {
      const found = nodes.includes(target) ? visit(target, [...path, node]) : [];
      if (found.length > 0) return found;
    }
    done.add(node);
    return [];
  };
  for (const node of nodes) {
    const found = visit(node, []);
    if (found.length > 0) return found;
  }
  return [];
};

test.each(packages)('%s is known where it is needed only', (name, users) => {
  const offenders = imports.filter(({ file, target }) => name.test(target) && !users.test(file));
  expect(offenders.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
});

test('a folder has at most 15 files, and a file at most 300 lines; one of the proof is a list, and may have 350', () => {
  const sizes = new Map<string, number>();
  for (const file of sources) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  expect([...sizes].filter(([, size]) => size > 15)).toEqual([]);
  const maxLines = (file: string): number => (file.startsWith('contract-tests/proof/') ? 350 : 300);
  const linesOf = (file: string): number => readFileSync(file, 'utf8').trimEnd().split('\n').length;
  expect(sources.filter((file) => linesOf(file) > maxLines(file))).toEqual([]);
});

const uses = (files: readonly string[], pattern: RegExp): string[] =>
  files.filter((file) => pattern.test(readFileSync(file, 'utf8')));

const mockServer = sources.filter((file) => file.startsWith('mock/') && !file.startsWith('mock/ui/'));

test('chance and digests come from the ids of a workspace, but for keys in a file', () => {
  const others = mockServer.filter((file) => !/^mock.(store.ids|server.state-file)\.ts$/.test(file));
  expect(uses(others, /\bMath\.random\(|from 'node:crypto'/)).toEqual([]);
});

test('real time comes from the timers of the runtime: an app under test may have replaced the globals', () => {
  const others = mockServer.filter((file) => !/^mock.runtime.(timers|platform)/.test(file));
  const globals =
    /\bnew Date\(\)|\bDate\.now\b|\bperformance\b|(?<!\.)\b(?:set|clear)(?:Timeout|Interval|Immediate)\b\(|\bqueueMicrotask\(|\bnextTick\(/;
  expect(uses(others, globals)).toEqual([]);
});

test('the suite reads the date to show it only: after a clock step, a duration would be wrong or negative', () => {
  const suiteFiles = sources.filter((file) => /^contract-tests\/(?!proof\/)/.test(file));
  // A time to show, and a date in Retry-After.
  const readers = ['contract-tests/client/throttle.ts', 'contract-tests/proxy/journal.ts'];
  expect(uses(suiteFiles, /\bDate\.now\b/)).toEqual(readers);
});

test('the environment is read by commands, the target and the client only', () => {
  const readers = /^(mock\/cli|contract-tests\/cli)\/|^contract-tests\/(session\/target|client\/client)\.ts$/;
  expect(
    uses(
      sources.filter((file) => !readers.test(file)),
      /process\.env\b/,
    ),
  ).toEqual([]);
});
