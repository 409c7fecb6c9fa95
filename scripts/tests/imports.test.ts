// The architecture as one table: which folder may import which. A file that needs an exception is in the wrong folder.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/**
 * The rows of a part: for each of its folders, what it may import beside itself, Node.js and packages. Folders of the same part by
 * their names in it; `type:` before a folder: with `import type` only.
 */
const part = (name: string, rows: Readonly<Record<string, string>>): Record<string, readonly string[]> =>
  Object.fromEntries(
    Object.entries(rows).map(([folder, allowed]) => [
      join(name, folder),
      allowed.match(/\S+/g)?.map(within(name)) ?? [],
    ]),
  );
const within =
  (name: string) =>
  (folder: string): string =>
    /^(type:)?(mock|contract-tests)\//.test(folder) ? folder : folder.replace(/^(type:)?/, `$1${name}/`);

// The mock, from its foundations upwards. `mock/contract` is the shared kernel, which all of the suite may import.
const mock = part('mock', {
  generated: '',
  contract: 'generated',
  runtime: '',
  store: 'generated runtime',
  mail: 'generated runtime store',
  validation: 'contract runtime',
  route: 'contract generated mail runtime store validation',
  // Fault rules: which requests fail, and how. The proxy of the suite uses them too.
  faults: 'contract generated mail route store validation',
  // One file for each noun of the admin API: its part of a workspace and its routes.
  nouns: 'contract faults generated mail route runtime store validation',
  workspace: 'contract type:mail nouns type:route runtime store',
  service: 'contract faults generated mail nouns runtime store validation workspace',
  admin: 'contract mail nouns route runtime service store validation type:workspace',
  sdk: 'contract type:faults generated type:mail nouns route runtime validation type:workspace',
  server: 'admin contract faults nouns route runtime service store validation type:workspace',
  cli: 'contract runtime server service validation',
  '': 'contract type:faults generated type:mail nouns sdk server service validation',
  // The page runs in a browser. It knows the mock, and the proxy, by their types, the names of the operations and shell words only.
  ui: 'contract type:contract-tests/proxy type:faults generated type:mail type:nouns',
});

// The suite: an independent judge. It shares the contract with the mock, and nothing else that judges.
const suite = part('contract-tests', {
  generated: '',
  // The terms of the suite: what a request, a response and an operation are.
  exchange: 'mock/contract',
  // What may be true, and pure statements about it: nothing here sends.
  model: 'exchange mock/contract',
  facts: 'exchange model mock/contract',
  'facts/leads': 'exchange facts model',
  'facts/replies': 'exchange facts generated model mock/contract',
  judge: 'exchange facts facts/leads facts/replies model',
  // What sends, and what provokes situations: nothing here judges.
  client: 'exchange mock/contract',
  session: 'client exchange type:facts type:judge mock/contract',
  scenarios: 'client exchange facts facts/replies model session mock/contract',
  'scenarios/leads': 'exchange scenarios session mock/contract',
  // The published table: every check, and the scenarios that decide them.
  checks: 'facts facts/replies scenarios scenarios/leads mock/contract',
  runner: 'checks client exchange facts type:generated judge model scenarios session mock/contract',
  waivers: 'checks client facts runner mock/contract',
  cost: 'checks client exchange facts runner scenarios',
  'questions/probes': 'client exchange model session mock/contract',
  // `mock/validation` for reading profiles, which both parts do.
  questions: 'client exchange questions/probes runner session mock/contract mock/validation',
  'reports/replay': 'client exchange facts facts/replies runner mock/contract',
  reports:
    'client exchange facts facts/replies type:generated reports/replay runner session waivers mock/contract',
  // The passive judge: claims about traffic that others cause. `mock/store` for the format of recordings.
  'traffic/exchanges': 'client exchange model mock/contract',
  traffic:
    'client exchange facts judge model questions questions/probes reports runner session ' +
    'traffic/exchanges mock/contract mock/store',
  // Forwards traffic byte for byte, and shows it to that judge. Fault rules, the journal, the routes for both and their server are
  // those of the mock: none of them judges.
  proxy:
    'client exchange traffic traffic/exchanges mock/admin mock/contract mock/faults mock/nouns mock/route mock/runtime ' +
    'mock/server mock/store',
  // `mock/validation` for the options, as in the library of the mock.
  library:
    'checks client facts type:generated questions questions/probes reports runner session waivers mock/contract ' +
    'mock/validation',
  // `mock/runtime` for the built page of the mock, which shows the requests of the proxy too.
  cli:
    'checks client cost exchange facts library proxy questions questions/probes reports runner session traffic ' +
    'traffic/exchanges waivers mock/cli mock/contract mock/runtime',
});

// The proof of the suite: its servers share nothing with the mock, nor with the suite that judges them.
const proof = part('contract-tests', {
  'proof/frameworks': '',
  'proof/server': '',
  'proof/conforming': 'proof/server',
  'proof/broken': 'proof/conforming proof/server',
  'proof/broken/leads': 'proof/broken proof/server',
  'proof/grid': 'proof/broken proof/server',
  'proof/outages': 'proof/server',
  proof:
    'checks client cost exchange facts proof/broken proof/broken/leads proof/conforming proof/grid proof/outages ' +
    'proof/server questions questions/probes runner session traffic mock/contract',
  'proof/traffic': 'checks proof proof/conforming proof/server proxy traffic traffic/exchanges',
});

const directions: Readonly<Record<string, readonly string[]>> = { ...mock, ...suite, ...proof };

// The embedded mock is one of the suite's targets.
const exceptions = ['contract-tests/session/target.ts → mock/index.ts'];

/** Packages that only some folders or files know. */
const packages: readonly (readonly [name: RegExp, users: RegExp])[] = [
  [/^@?fastify/, /^mock\/(server|admin)\/[^/]+\.ts$|^contract-tests\/proof\/frameworks\/fastify\.mjs$/],
  // The steps of the service run without a socket too: what only Node.js can do is in its adapter, or in mock/runtime.
  [/^node:/, /^(?!mock\/(service|nouns|route|workspace|store)\/)/],
  [/^preact/, /^mock\/ui\//],
  [/^undici/, /^contract-tests\/(client\/|proof\/traffic\/traffic)|^mock\/cli\//],
];

type Import = { readonly file: string; readonly target: string; readonly isType: boolean };

const isProduct = (file: string): boolean =>
  /(?<!\.(test|proof))\.(tsx?|mjs|js)$/.test(file) &&
  !/\/(tests|testing|generated|node_modules)\//.test(file);

const sources = ['mock', 'contract-tests']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter(isProduct);

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

test('a folder has a row, and imports the folders of this row and no other', () => {
  const isAllowed = ({ file, target, isType }: Import): boolean => {
    const [from, to] = [folderOf(file), folderOf(target)];
    const allowed = directions[from] ?? [];
    return from === to || allowed.includes(to) || (isType && allowed.includes(`type:${to}`));
  };
  const offenders = imports
    .filter((found) => isOwn(found) && !isAllowed(found))
    .map(({ file, target }) => `${file} → ${target}`);
  expect(offenders).toEqual(exceptions);
  expect(sources.map(folderOf).filter((folder) => !(folder in directions))).toEqual([]);
});

test('no folder imports a folder that imports it, and no file a file that imports it', () => {
  // Types of the other direction are permitted where a row says so: they are not loaded.
  expect(cyclic(Object.keys(directions), (folder) => directions[folder] ?? [])).toEqual([]);
  const loaded = imports.filter(({ isType }) => !isType);
  const loads = (of: string) => loaded.flatMap(({ file, target }) => (file === of ? [target] : []));
  expect(cyclic(sources, loads)).toEqual([]);
});

/** What is left of a graph when everything is taken away that imports nothing of the rest: its cycles, and what imports them. */
const cyclic = (nodes: readonly string[], next: (node: string) => readonly string[]): string[] => {
  const left = new Set(nodes);
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const node of left) if (!next(node).some((target) => left.has(target))) left.delete(node);
  }
  return [...left];
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

const mockServer = sources.filter((file) => file.startsWith('mock/') && !file.startsWith('mock/ui/'));
const suiteFiles = sources.filter((file) => /^contract-tests\/(?!proof\/)/.test(file));

test.each<[string, readonly string[], pattern: RegExp, users: RegExp]>([
  [
    'chance and digests come from the ids of a workspace, but for keys in a file',
    mockServer,
    /\bMath\.random\(|from 'node:crypto'/,
    /^mock.(store.ids|server.state-file)\.ts$/,
  ],
  [
    'real time comes from the timers of the runtime: an app under test may have replaced the globals',
    mockServer,
    /\bnew Date\(\)|\bDate\.now\b|\bperformance\b|(?<!\.)\b(?:set|clear)(?:Timeout|Interval|Immediate)\b\(|\bqueueMicrotask\(|\bnextTick\(/,
    /^mock.runtime.(timers|platform)/,
  ],
  [
    'the suite reads the date to show it, and in Retry-After: after a clock step, a duration would be wrong or negative',
    suiteFiles,
    /\bDate\.now\b/,
    /^contract-tests\/(client\/throttle|proxy\/journal)\.ts$/,
  ],
  [
    'the environment is read by commands, and by what sends requests',
    sources,
    /process\.env\b/,
    /^(mock\/cli|contract-tests\/cli)\/|^contract-tests\/client\/transport\.ts$/,
  ],
])('%s', (_, files, pattern, users) => {
  const others = files.filter((file) => !users.test(file));
  expect(others.filter((file) => pattern.test(readFileSync(file, 'utf8')))).toEqual([]);
});
