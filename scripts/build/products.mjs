// What the build writes into the folders of the sources, which is not in git, and whether a build matches the current sources.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const contractFile = 'mock/generated/contract.json';

export const products = [
  contractFile,
  'mock/generated/assumed.ts',
  'contract-tests/generated/response-validators.js',
  'contract-tests/generated/report.ts',
];

/** @type {(root: string) => string[]} */
export const missingProducts = (root) => products.filter((file) => !existsSync(join(root, file)));

/**
 * For the generator script: it is bundled with modules that import these files, and must not depend on its earlier output. The
 * contract comes from openapi.yaml itself; the validators are empty.
 * @type {(root: string) => import('rolldown').Plugin}
 */
export const standInForProducts = (root) => {
  const productFor = (/** @type {string} */ id) => products.find((file) => join(root, file) === id);
  return {
    name: 'stand-in-for-products',
    resolveId: (id, importer) => {
      if (!importer || !id.includes('generated/')) return null;
      const path = join(importer, '..', id);
      return productFor(path) ? path : null;
    },
    load: (id) => {
      const product = productFor(id);
      if (product === undefined) return null;
      if (product !== contractFile) return { code: 'export const validators = {};', moduleType: 'js' };
      const contract = parse(readFileSync(join(root, 'openapi.yaml'), 'utf8'), { maxAliasCount: -1 });
      return { code: JSON.stringify(contract), moduleType: 'json' };
    },
  };
};

const isProduct = (/** @type {string} */ path) => products.includes(path.replaceAll('\\', '/'));

const sources = [
  'openapi.yaml',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'mock',
  'contract-tests',
  'scripts',
];

/** @type {(root: string, path: string) => string[]} the files below a path that a build can depend on */
const filesBelow = (root, path) =>
  readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const below = join(path, entry.name);
    // The proof has a folder with its own packages.
    if (entry.name === 'node_modules') return [];
    if (entry.isDirectory()) return filesBelow(root, below);
    return /\.(test|proof)\.ts$|\.md$/.test(entry.name) || entry.name.endsWith('.tmp') || isProduct(below)
      ? []
      : [below];
  });

/** Hash of names and contents: every edit makes a build stale, but a changed timestamp does not. */
export const fingerprint = (/** @type {string} */ root) => {
  const hash = createHash('sha256').update(process.platform);
  const files = sources
    .flatMap((source) => (source.includes('.') ? [source] : filesBelow(root, source)))
    .sort();
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
};

/** Whether an output of the build is missing, or made from other sources. */
export const isStale = (/** @type {string} */ root) => {
  const stamp = join(root, 'dist', '.built');
  if (!existsSync(stamp) || missingProducts(root).length > 0) return true;
  return readFileSync(stamp, 'utf8') !== fingerprint(root);
};
