// Adapts the builds for browsers: replaces modules that need Node.js, and removes texts that only readers need.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractFile } from './products.mjs';

const stateSchemaFile = 'mock/validation/seed.schema.json';

// These fields affect neither routing nor validation.
const texts = new Set(['description', 'summary', 'example', 'title', 'x-section', '$comment']);
const parts = new Set('examples info parameters responses security securitySchemes servers tags'.split(' '));

/** @typedef {{ readonly [name: string]: unknown }} Fields */

/** @type {(node: unknown) => unknown} */
const withoutWords = (node) => {
  if (Array.isArray(node)) return node.map(withoutWords);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(
    ([name, value]) =>
      !parts.has(name) && name !== 'x-open-questions' && !(texts.has(name) && typeof value === 'string'),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutWords(value)]));
};

/** @type {(node: unknown) => Fields[]} the open questions, anywhere in the document */
const questionsOf = (node) => {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    name === 'x-open-questions'
      ? value.map((/** @type {Fields} */ { id, answers, assumed, imitated }) => ({
          ...{ id, answers, assumed, imitated },
        }))
      : questionsOf(value),
  );
};

/** @type {(contract: object) => object} */
const trimContract = (contract) => ({
  ...Object(withoutWords(contract)),
  'x-open-questions': questionsOf(contract),
});

/**
 * Replaces `x.ts` by `x.browser.ts`, and removes descriptions from documents.
 * @type {(root: string) => import('rolldown').Plugin}
 */
export const forBrowsers = (root) => ({
  name: 'for-browsers',
  resolveId: (id, importer) => {
    if (!importer || !id.startsWith('.')) return null;
    const substitute = join(importer, '..', id.replace(/\.ts$/, '.browser.ts'));
    return id.endsWith('.ts') && existsSync(substitute) ? substitute : null;
  },
  load: (id) => {
    const isContract = id === join(root, contractFile);
    if (!isContract && id !== join(root, stateSchemaFile)) return null;
    const document = JSON.parse(readFileSync(id, 'utf8'));
    const trimmed = isContract ? trimContract(document) : withoutWords(document);
    return { code: JSON.stringify(trimmed), moduleType: 'json' };
  },
});
