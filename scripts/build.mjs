// Builds dist: the bin and the library as bundled ES modules, and the types.
//   --if-stale   only when a source is newer than the build
//   --prepare    as npm's prepare script: nothing to do where the development dependencies are not installed
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'dist', '.built');
const sources = ['openapi.yaml', 'package.json', 'tsconfig.json', 'mock', 'contract-tests', 'scripts'];

/** @type {(path: string) => number} newest modification below a path, in milliseconds */
const newest = (path) => {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
};

const isStale = () => {
  if (!existsSync(stamp)) return true;
  const built = statSync(stamp).mtimeMs;
  return sources.some((source) => newest(join(root, source)) > built);
};

const build = async () => {
  const { rolldown } = await import('rolldown');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const bundle = await rolldown({
    input: { 'email-leads': join(root, 'scripts/email-leads.ts'), index: join(root, 'mock/index.ts') },
    cwd: root,
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('ajv/dist/runtime'),
    logLevel: 'warn',
  });
  await bundle.write({ dir: join(root, 'dist'), format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' });
  await bundle.close();
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', join(root, 'scripts', 'tsconfig.types.json')], {
    stdio: 'inherit',
  });
  writeFileSync(stamp, '');
};

const [flag] = process.argv.slice(2);
const installed = existsSync(join(root, 'node_modules', 'rolldown'));
if (flag === '--prepare' && !installed) process.exit(0);
if (flag === '--if-stale' && (!isStale() || !installed)) process.exit(0);
await build();
