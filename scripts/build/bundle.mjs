// Bundles the sources together with what every start needs: one file read instead of 150 halves the start of the mock.
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { buildPage } from './page.mjs';

// Fastify asks for these only when a logger is configured, a request is injected or no compiler is given (mock/app.ts).
export const neverLoaded = [
  'pino',
  'light-my-request',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
];

/**
 * Dependencies stay outside and are loaded when needed; development dependencies that the sources import are bundled.
 * @param {string} root
 * @param {string} directory
 */
export const bundle = async (root, directory) => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const outside = [...Object.keys(manifest.dependencies), ...neverLoaded];
  const build = await rolldown({
    input: { 'email-leads': join(root, 'scripts/email-leads.ts'), index: join(root, 'mock/index.ts') },
    cwd: root,
    platform: 'node',
    external: (id) => {
      // What the precompiled rules need of Ajv is a function; Ajv itself is not.
      if (id.startsWith('ajv/dist/runtime')) return false;
      return isBuiltin(id) || outside.some((name) => id === name || id.startsWith(`${name}/`));
    },
    logLevel: 'warn',
  });
  const { output } = await build.write({
    dir: directory,
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
  });
  await build.close();
  chmodSync(join(directory, 'email-leads.js'), 0o755);
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  const ofPage = await buildPage(root, join(directory, 'page'));
  writeFileSync(join(directory, 'third-party-licenses.txt'), licences([...modules, ...ofPage]));
};

/** @type {(modules: string[]) => string} the texts of what is bundled, as those licences ask for */
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
