// Generated files that the build writes into the folders of the sources. They are not in git.
import { existsSync, readFileSync } from 'node:fs';
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
