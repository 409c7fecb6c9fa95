// Adapts the builds for browsers: replaces modules that need Node.js, and removes texts that only readers need.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contractFile } from './products.mjs';

const stateSchemaFile = 'mock/validation/seed.schema.json';
const entityTable = 'entities/dist/esm/generated/decode-data-html.js';

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

// The entity tree contains forward references to its own entries; those within this distance are stored as relative ones.
const reach = 0x180;
const firstFar = 0x100;

/**
 * The table of HTML entities as a string, which compresses best (5 KiB less): with relative references, similar names have similar
 * data.
 * @type {(table: number[]) => string}
 */
const entityModule = (table) => {
  const used = new Set(table);
  const free = Array.from({ length: 0xd000 }, (_, at) => at).find(
    (start) =>
      start >= 0x1000 && !Array.from({ length: reach }, (_, step) => start + step).some((x) => used.has(x)),
  );
  if (free === undefined) throw new Error(`${entityTable} has no room for distances`);
  const units = table.map((value, at) => {
    if (value >= firstFar && value >= at && value < at + reach) return firstFar + value - at;
    return value >= firstFar && value < firstFar + reach ? free + value - firstFar : value;
  });
  return `const text = ${JSON.stringify(String.fromCharCode(...units))};
    const valueAt = (_, at) => {
      const unit = text.charCodeAt(at);
      if (unit >= ${firstFar} && unit < ${firstFar + reach}) return unit - ${firstFar} + at;
      return unit >= ${free} && unit < ${free + reach} ? unit - ${free - firstFar} : unit;
    };
    export const htmlDecodeTree = Uint16Array.from({ length: text.length }, valueAt);`;
};

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
  load: async (id) => {
    if (id.replaceAll('\\', '/').endsWith(entityTable)) {
      const { htmlDecodeTree } = await import(pathToFileURL(id).href);
      return entityModule([...htmlDecodeTree]);
    }
    const isContract = id === join(root, contractFile);
    if (!isContract && id !== join(root, stateSchemaFile)) return null;
    const document = JSON.parse(readFileSync(id, 'utf8'));
    const trimmed = isContract ? trimContract(document) : withoutWords(document);
    return { code: JSON.stringify(trimmed), moduleType: 'json' };
  },
});
