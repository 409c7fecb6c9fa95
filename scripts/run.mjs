// Runs a TypeScript file of this project on any supported Node, and its `main` if it exports one: bundled to one file first,
// because Node 20 cannot strip types.
// node scripts/run.mjs scripts/generate.ts [arguments]
import { mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { standInForProducts } from './build/products.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [script, ...rest] = process.argv.slice(2);
if (script === undefined) throw new Error('usage: node scripts/run.mjs FILE.ts [arguments]');

const directory = join(root, 'node_modules', '.cache', 'email-leads');
const file = join(directory, `${basename(script, '.ts')}.mjs`);
mkdirSync(directory, { recursive: true });
const bundle = await rolldown({
  input: join(root, script),
  platform: 'node',
  external: (id) => !id.startsWith('.') && !id.startsWith('/'),
  plugins: script === 'scripts/generate.ts' ? [standInForProducts(root)] : [],
  logLevel: 'warn',
});
// Written under another name first, because another run of the same script may be reading it.
const temporaryFile = `${file}.${process.pid}`;
await bundle.write({ file: temporaryFile, format: 'esm', codeSplitting: false });
await bundle.close();
renameSync(temporaryFile, file);

process.argv = [process.argv[0] ?? 'node', resolve(script), ...rest];
const { main } = await import(pathToFileURL(file).href);
await main?.();
