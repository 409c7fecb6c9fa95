// Parts of a page that are generated: the text between `<!-- name -->` and `<!-- /name -->`.
import { readFileSync, writeFileSync } from 'node:fs';

/** A page with new text in its parts. @throws Error if the page has no such part */
export const pageWith = (file: string, blocks: Readonly<Record<string, string>>): string => {
  let page = readFileSync(file, 'utf8');
  for (const [name, text] of Object.entries(blocks)) {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [start, end] = [page.indexOf(open), page.indexOf(close)];
    if (start < 0 || end < start) throw new Error(`${file} has no ${open} … ${close}`);
    page = page.slice(0, start + open.length) + text + page.slice(end);
  }
  return page;
};

/** Writes a sentence that `npm run kill-matrix` or `npm run frameworks` measured into the page of the suite. */
export const writeFigures = (name: string, sentence: string): void => {
  const page = 'contract-tests/README.md';
  writeFileSync(page, pageWith(page, { [name]: sentence }));
};
