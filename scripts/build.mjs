// Builds dist: the bin and the library as bundled ES modules, their licences, and the types.
//   --if-stale   only if the sources have changed since the last build
//   --prepare    the same after npm ci, unless the development dependencies are not installed. The script is
//                `postprepare`, because npm warns about a package with `prepare` when it is installed from a file,
//                although it never runs there
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fingerprint, isStale } from './build/products.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const generate = (/** @type {string[]} */ ...flags) => {
  const script = ['scripts/run.mjs', 'scripts/generate.ts', ...flags];
  const output = execFileSync(process.execPath, script, { cwd: root, encoding: 'utf8' });
  if (output.startsWith('wrote')) process.stdout.write(output);
};

/**
 * Writes the declarations that package.json exports, with those that they import: tsc writes one for every source file, some of
 * them with types of Fastify.
 * @param {string} directory
 */
const writeTypes = (directory) => {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const project = join(root, 'scripts', 'tsconfig.types.json');
  execFileSync(process.execPath, [tsc, '-p', project, '--outDir', directory], { stdio: 'inherit' });
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const published = Object.values(exports).flatMap((entry) => entry.import?.types ?? []);
  const reached = new Set(published.map((file) => relative('dist/types', file)));
  // A set goes on with what is added on the way.
  for (const file of reached)
    for (const [, path = ''] of readFileSync(join(directory, file), 'utf8').matchAll(
      /(?:from |import\()['"](\.[^'"]+)['"]/g,
    ))
      reached.add(join(dirname(file), path.replace(/\.[jt]s$/, '.d.ts')));
  for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.ts') && !reached.has(file)) rmSync(join(directory, file));
};

/** Builds beside dist and renames the complete result, so that an interrupted build causes no damage. */
const build = async () => {
  const { bundle } = await import('./build/bundle.mjs');
  const stamp = fingerprint(root);
  const made = join(root, 'node_modules', '.cache', 'email-leads', `dist-${process.pid}`);
  mkdirSync(made, { recursive: true });
  try {
    await bundle(root, made);
    writeTypes(join(made, 'types'));
    // The same types again: the package.json above them decides that these are CommonJS.
    cpSync(join(made, 'types'), join(made, 'cjs', 'types'), { recursive: true });
    writeFileSync(join(made, '.built'), stamp);
    rmSync(dist, { recursive: true, force: true });
    renameSync(made, dist);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
};

/**
 * The examples import `email-leads` by its name, as in an app. Each has a package.json, so that the name does not mean the package
 * around it: it is found among the installed packages.
 */
const linkPackage = () => {
  const link = join(root, 'node_modules', 'email-leads');
  if (!existsSync(link)) symlinkSync('..', link, 'junction');
};

const run = async () => {
  const asked = (/** @type {string} */ flag) => process.argv.includes(flag);
  const installed = existsSync(join(root, 'node_modules', 'rolldown'));
  if (asked('--prepare') && !installed) return;
  if (installed) linkPackage();
  if ((asked('--if-stale') || asked('--prepare')) && !isStale(root)) return;
  if (!installed) {
    const missing = !existsSync(dist);
    console.error(`dist is ${missing ? 'missing' : 'out of date'}: run npm ci, which builds it`);
    process.exitCode = missing ? 1 : 0;
    return;
  }
  // On `npm ci`, generated files in git are not updated, so that `npm run generate -- --check` can find stale ones.
  if (asked('--prepare')) generate('--products');
  else generate();
  await build();
};

await run();
