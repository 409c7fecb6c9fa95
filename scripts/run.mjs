// Runs a TypeScript file of this project, and its `main` if it exports one. By Vite, because Node 20 cannot strip types.
// node scripts/run.mjs scripts/generate.ts [arguments]
import { resolve } from 'node:path';
import { runnerImport } from 'vite';
import { writeFirstProducts } from './build/products.mjs';

const [script, ...rest] = process.argv.slice(2);
if (script === undefined) throw new Error('usage: node scripts/run.mjs FILE.ts [arguments]');

writeFirstProducts();
process.argv = [process.argv[0] ?? 'node', resolve(script), ...rest];
// `main` runs while the module is imported: what it imports later is not found after that.
const entry = 'virtual:entry';
const code = `import * as script from ${JSON.stringify(resolve(script))}; await script.main?.();`;
/** @type {import('vite').Plugin} */
const plugin = {
  name: entry,
  resolveId: (id) => (id === entry ? id : null),
  load: (id) => (id === entry ? code : null),
};
await runnerImport(entry, { configFile: false, logLevel: 'error', plugins: [plugin] });
