// What the build writes into the folders of the sources, which is not in git, and whether a build matches the current sources.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

export const contractFile = 'mock/generated/contract.json';
const validatorsFile = 'contract-tests/generated/response-validators.js';

export const products = [
  contractFile,
  'mock/generated/assumed.ts',
  'mock/generated/profile.ts',
  'mock/generated/state.ts',
  validatorsFile,
  'contract-tests/generated/report.ts',
];

/** @type {(root: string) => string[]} */
export const missingProducts = (root) => products.filter((file) => !existsSync(join(root, file)));

/**
 * Writes a file as a whole: another build or a test may be reading it.
 * @type {(file: string, text: string) => void}
 */
export const writeWhole = (file, text) => {
  mkdirSync(dirname(file), { recursive: true });
  const temporaryFile = `${file}.${process.pid}.tmp`;
  writeFileSync(temporaryFile, text);
  renameSync(temporaryFile, file);
};

/** Writes what every script imports, the generator too: the contract as openapi.yaml has it, and validators if there are none. */
export const writeFirstProducts = () => {
  const contract = parse(readFileSync('openapi.yaml', 'utf8'), { maxAliasCount: -1 });
  writeWhole(contractFile, `${JSON.stringify(contract, null, 1)}\n`);
  if (!existsSync(validatorsFile)) writeWhole(validatorsFile, 'export const validators = {};\n');
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
