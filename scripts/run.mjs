// Runs a TypeScript file of this project, by Vite, because Node 20 cannot strip types.
// node scripts/run.mjs scripts/generate.ts [arguments]
import { resolve } from 'node:path';
import { runnerImport } from 'vite';
import { writeFirstProducts } from './build/products.mjs';

const [script, ...rest] = process.argv.slice(2);
if (script === undefined) throw new Error('usage: node scripts/run.mjs FILE.ts [arguments]');

writeFirstProducts();
process.argv = [process.argv[0] ?? 'node', resolve(script), ...rest];
await runnerImport(resolve(script), { configFile: false, logLevel: 'error' });
