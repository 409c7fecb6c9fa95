// Builds dist: the bin and the library as bundled ES modules, their licences, and the types.
//   --if-stale   only when the build is not of the sources as they are now
//   --prepare    the same after npm ci, unless the development dependencies were left out. The script is `postprepare`, as npm
//                warns of a package with `prepare` when it is installed from a file, though it never runs there
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const sources = [
  'openapi.yaml',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'mock',
  'contract-tests',
  'scripts',
];

/** @type {(path: string) => string[]} the files below a path that a build can depend on */
const filesBelow = (path) =>
  readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const below = join(path, entry.name);
    if (entry.isDirectory()) return filesBelow(below);
    return entry.name.endsWith('.test.ts') ? [] : [below];
  });

/** Of names and contents, so that neither a touched file nor a clock makes a build stale, and every edit does. */
const fingerprint = () => {
  const hash = createHash('sha256').update(process.platform);
  const files = sources.flatMap((source) => (source.includes('.') ? [source] : filesBelow(source))).sort();
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
};

const isStale = () => {
  const stamp = join(dist, '.built');
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprint();
};

// Not on `npm ci`: there, generated files that are stale are for `npm run generate -- --check` to find.
const generate = () => {
  const said = execFileSync(process.execPath, ['scripts/run.mjs', 'scripts/generate.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (said.startsWith('wrote')) process.stdout.write(said);
};

/** @param {string} directory */
const writeTypes = async (directory) => {
  const { keepReachable } = await import('./build/types.mjs');
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const project = join(root, 'scripts', 'tsconfig.types.json');
  execFileSync(process.execPath, [tsc, '-p', project, '--outDir', directory], { stdio: 'inherit' });
  const exported = ['mock/index.d.ts', 'mock/generated/openapi.d.ts', 'mock/generated/assumed.d.ts'];
  keepReachable(directory, exported);
};

/** Made beside dist and put in its place when it is whole: an end in the middle, or two builds at once, break nothing. */
const build = async () => {
  const { bundle } = await import('./build/bundle.mjs');
  const stamp = fingerprint();
  const made = join(root, `.dist-${process.pid}`);
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made);
  try {
    await bundle(root, made);
    await writeTypes(join(made, 'types'));
    writeFileSync(join(made, '.built'), stamp);
    putInPlace(made);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
};

/** @param {string} made */
const putInPlace = (made) => {
  const old = `${made}-old`;
  for (let attempt = 1; ; attempt++) {
    try {
      if (existsSync(dist)) renameSync(dist, old);
      renameSync(made, dist);
      break;
    } catch (error) {
      // Another build was quicker; its dist is replaced too.
      if (attempt === 10) throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
};

/** Folders of builds that were killed. */
const sweep = () => {
  for (const name of readdirSync(root)) {
    const [, pid] = /^\.dist-(\d+)(-old)?$/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(root, name), { recursive: true, force: true });
  }
};

/** @param {number} pid */
const isRunning = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
};

const run = async () => {
  const asked = (/** @type {string} */ flag) => process.argv.includes(flag);
  const installed = existsSync(join(root, 'node_modules', 'rolldown'));
  if (asked('--prepare') && !installed) return;
  if ((asked('--if-stale') || asked('--prepare')) && !isStale()) return;
  if (!installed) {
    const missing = !existsSync(dist);
    console.error(
      `${relative('', dist) || 'dist'} is ${missing ? 'missing' : 'out of date'} and the development dependencies are not installed: run npm ci`,
    );
    process.exitCode = missing ? 1 : 0;
    return;
  }
  sweep();
  if (!asked('--prepare')) generate();
  await build();
};

await run();
