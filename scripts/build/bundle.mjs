// Bundles the sources with the dependencies of every start: reading one file instead of 150 halves the start time of the mock.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { contractFile } from './products.mjs';

/** @typedef {import('rolldown').OutputOptions} Output */

// Fastify loads these only if a logger is configured, a request is injected or no compiler is set (mock/server/docs.ts).
export const neverLoaded = [
  'pino',
  'light-my-request',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
];

// The modules that several commands share, in one file, because each further file adds one or two milliseconds to every start.
const core = {
  name: 'core',
  test: /[\\/]mock[\\/](contract|mail|runtime|workspace)[\\/]|fastest-levenshtein/,
};

/**
 * Dependencies are not bundled, and loaded on demand; development dependencies that the sources import are bundled.
 * @param {string} root
 * @param {string} directory
 */
export const bundle = async (root, directory) => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = [manifest.dependencies, manifest.peerDependencies].flatMap(Object.keys).concat(neverLoaded);
  const outside = new RegExp(`^(${names.join('|')})(/|$)`);
  const external = (/** @type {string} */ id) => isBuiltin(id) || outside.test(id);
  const write = async (
    /** @type {import('rolldown').InputOptions} */ options,
    /** @type {Output} */ output,
  ) => {
    const build = await rolldown({ cwd: root, platform: 'node', external, logLevel: 'warn', ...options });
    const written = await build.write({ chunkFileNames: 'chunks/[name]-[hash].js', ...output });
    await build.close();
    return written.output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  };
  const source = (/** @type {string} */ name) => join(root, 'mock', `${name}.ts`);
  const command = { 'email-leads': join(root, 'scripts/email-leads.ts') };
  const library = {
    contract: join(root, 'contract-tests/library/index.ts'),
    ...Object.fromEntries(
      ['index', 'jest', 'playwright', 'vite', 'vitest'].map((name) => [name, source(name)]),
    ),
  };
  const resolve = { alias: { undici$: join(root, 'scripts/build/undici.mjs') } };
  const cjs = join(directory, 'cjs');
  const modules = [
    await write(
      { input: { ...command, ...library }, resolve },
      { dir: directory, format: 'esm', codeSplitting: { groups: [core] } },
    ),
    // Users of CommonJS load everything: lazy loading is only for the command.
    await write(
      { input: library, checks: { ineffectiveDynamicImport: false }, resolve },
      { dir: cjs, format: 'cjs' },
    ),
  ];
  writeFileSync(join(cjs, 'package.json'), '{ "type": "commonjs" }\n');
  for (const name of ['client', 'msw']) {
    const options = {
      input: source(name),
      platform: /** @type {const} */ ('browser'),
      external: outside,
      plugins: [forBrowsers(root)],
      treeshake: { moduleSideEffects: false },
    };
    for (const format of /** @type {const} */ (['esm', 'cjs'])) {
      const file = join(format === 'esm' ? directory : cjs, 'browser', `${name}.js`);
      modules.push(await write(options, { file, format, minify: true, codeSplitting: false }));
    }
  }
  chmodSync(join(directory, 'email-leads.js'), 0o755);
  modules.push(await buildPage(root, join(directory, 'page')));
  writeFileSync(join(directory, 'third-party-licenses.txt'), licences(modules.flat()));
};

// For browsers, modules that need Node.js are replaced, and texts that only readers need are removed.

const stateSchemaFile = 'mock/validation/seed.schema.json';
const entityTable = 'entities/dist/esm/generated/decode-data-html.js';

// These fields affect neither routing nor validation.
const texts = new Set(['description', 'summary', 'example', 'title', 'x-section', '$comment']);
const parts = new Set('examples info parameters responses security securitySchemes servers tags'.split(' '));

/** @typedef {{ readonly [name: string]: unknown }} Fields */

/** @type {(node: unknown) => unknown} */
const withoutWords = (node) => {
  if (Array.isArray(node)) return node.map(withoutWords);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(
    ([name, value]) =>
      !parts.has(name) && name !== 'x-open-questions' && !(texts.has(name) && typeof value === 'string'),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutWords(value)]));
};

/** @type {(node: unknown) => Fields[]} the open questions, anywhere in the document */
const questionsOf = (node) => {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    name === 'x-open-questions'
      ? value.map((/** @type {Fields} */ { id, answers, assumed, imitated }) => ({
          ...{ id, answers, assumed, imitated },
        }))
      : questionsOf(value),
  );
};

/** @type {(contract: object) => object} */
const trimContract = (contract) => ({
  ...Object(withoutWords(contract)),
  'x-open-questions': questionsOf(contract),
});

// The entity tree contains forward references to its own entries; those within this distance are stored as relative ones.
const reach = 0x180;
const firstFar = 0x100;

/**
 * The table of HTML entities as a string, which compresses best (5 KiB less): with relative references, similar names have similar
 * data.
 * @type {(table: number[]) => string}
 */
const entityModule = (table) => {
  const used = new Set(table);
  const free = Array.from({ length: 0xd000 }, (_, at) => at).find(
    (start) =>
      start >= 0x1000 && !Array.from({ length: reach }, (_, step) => start + step).some((x) => used.has(x)),
  );
  if (free === undefined) throw new Error(`${entityTable} has no room for distances`);
  const units = table.map((value, at) => {
    if (value >= firstFar && value >= at && value < at + reach) return firstFar + value - at;
    return value >= firstFar && value < firstFar + reach ? free + value - firstFar : value;
  });
  return `const text = ${JSON.stringify(String.fromCharCode(...units))};
    const valueAt = (_, at) => {
      const unit = text.charCodeAt(at);
      if (unit >= ${firstFar} && unit < ${firstFar + reach}) return unit - ${firstFar} + at;
      return unit >= ${free} && unit < ${free + reach} ? unit - ${free - firstFar} : unit;
    };
    export const htmlDecodeTree = Uint16Array.from({ length: text.length }, valueAt);`;
};

/**
 * Replaces `x.ts` by `x.browser.ts` and the timers of Node.js, and removes descriptions from documents.
 * @type {(root: string) => import('rolldown').Plugin}
 */
const forBrowsers = (root) => ({
  name: 'for-browsers',
  resolveId: (id, importer) => {
    if (/^node:(timers|perf_hooks)$/.test(id)) return join(root, 'mock/runtime/platform.browser.ts');
    if (!importer || !id.startsWith('.')) return null;
    const substitute = join(importer, '..', id.replace(/\.ts$/, '.browser.ts'));
    return id.endsWith('.ts') && existsSync(substitute) ? substitute : null;
  },
  load: async (id) => {
    if (id.replaceAll('\\', '/').endsWith(entityTable)) {
      const { htmlDecodeTree } = await import(pathToFileURL(id).href);
      return entityModule([...htmlDecodeTree]);
    }
    const isContract = id === join(root, contractFile);
    if (!isContract && id !== join(root, stateSchemaFile)) return null;
    const document = JSON.parse(readFileSync(id, 'utf8'));
    const trimmed = isContract ? trimContract(document) : withoutWords(document);
    return { code: JSON.stringify(trimmed), moduleType: 'json' };
  },
});

// The outbox page: one script, one style sheet and the HTML file that refers to them, all served from memory. In the order of
// the cascade.
const styles = ['tokens', 'base', 'controls', 'layout', 'lists', 'items', 'views'];

/**
 * @param {string} root
 * @param {string} directory
 * @returns {Promise<string[]>} the bundled modules, for their licences
 */
const buildPage = async (root, directory) => {
  const source = join(root, 'mock', 'ui');
  const build = await rolldown({
    input: join(source, 'main.tsx'),
    cwd: root,
    // mock/ui/tsconfig.json configures the transformation of JSX.
    platform: 'browser',
    logLevel: 'warn',
  });
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false });
  await build.close();
  const [{ code, moduleIds }] = output;
  const css = styles.map((name) => readFileSync(join(source, 'styles', `${name}.css`), 'utf8')).join('\n');
  const html = readFileSync(join(source, 'index.html'), 'utf8');
  // The file names contain a hash of the content, so that browsers may cache them permanently and reload only the HTML file.
  const hash = createHash('sha256').update(code).update(css).update(html).digest('hex').slice(0, 12);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `page-${hash}.js`), code);
  writeFileSync(join(directory, `page-${hash}.css`), css);
  writeFileSync(join(directory, 'index.html'), html.replaceAll('%NAME%', `page-${hash}`));
  return moduleIds;
};

/** @type {(modules: string[]) => string} the licences of all bundled packages, as these licences require */
const licences = (modules) => {
  const folders = modules.map((id) =>
    id.replace(/(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+).*/, '$1'),
  );
  const packages = [...new Set(folders)].filter((folder) => folder.includes('node_modules')).sort();
  return `email-leads contains code of these packages.\n\n${packages.map(licenceOf).join(`\n${'-'.repeat(80)}\n\n`)}`;
};

/** @type {(folder: string) => string} */
const licenceOf = (folder) => {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} would be bundled and names no licence`);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const holder = typeof author === 'string' ? author : (author?.name ?? 'its authors');
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Copyright ${holder}`;
  return `${name} ${version} (${license})\n\n${text}\n`;
};
