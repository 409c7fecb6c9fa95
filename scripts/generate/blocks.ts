// Parts of a page that are generated: the text between `<!-- name -->` and `<!-- /name -->`.
import { readFileSync, writeFileSync } from 'node:fs';

/** @throws Error if the page has no such part */
export const withBlock = (page: string, name: string, text: string): string => {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [page.indexOf(open), page.indexOf(close)];
  if (start < 0 || end < start) throw new Error(`a page has no ${open} … ${close}`);
  return page.slice(0, start + open.length) + text + page.slice(end);
};

/** A page with new text in its parts. */
export const pageWith = (file: string, blocks: Readonly<Record<string, string>>): string =>
  Object.entries(blocks).reduce(
    (page, [name, text]) => withBlock(page, name, text),
    readFileSync(file, 'utf8'),
  );

/** The page with the figures of the proof, which `npm run kill-matrix` and `npm run frameworks` measure. */
export const figuresPage = 'contract-tests/README.md';

/** Writes a sentence into that page. */
export const writeFigures = (name: string, sentence: string): void =>
  writeFileSync(figuresPage, pageWith(figuresPage, { [name]: sentence }));
