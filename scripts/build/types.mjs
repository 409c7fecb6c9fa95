import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Deletes the declarations that nobody can import: tsc writes one for every file it saw, with types of Fastify in them.
 * @param {string} directory
 * @param {string[]} roots the declarations that package.json exports, below the directory
 */
export const keepReachable = (directory, roots) => {
  /** @type {Map<string, string>} */
  const texts = new Map();
  const reach = (/** @type {string} */ file) => {
    if (texts.has(file)) return;
    const text = readFileSync(join(directory, file), 'utf8');
    texts.set(file, text);
    for (const [, path = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g))
      reach(join(dirname(file), path.replace(/\.[jt]s$/, '.d.ts')));
  };
  for (const root of roots) reach(root);
  rmSync(directory, { recursive: true });
  for (const [file, text] of texts) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), text);
  }
};
