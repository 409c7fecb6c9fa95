// The pages of the project, as a reader sees them: links, anchors, and blocks of code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const pages: readonly string[] = [
  'README.md',
  'AGENTS.md',
  'mock/README.md',
  'contract-tests/README.md',
  'contract-tests/open-questions.md',
  'CHANGELOG.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
];

export const readPage = (page: string): string => readFileSync(page, 'utf8');

const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** The links of a page, without those to other sites. */
export const linksOf = (page: string) =>
  [...withoutCode(readPage(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .concat([...readPage(page).matchAll(/ (?:src|srcset)="([^"]+)"/g)])
    .map(([, target = '']) => target)
    .filter((target) => !/^(https?|mailto):/.test(target))
    .map((link) => {
      const [path = '', anchor] = link.split('#');
      return { link, path: path === '' ? page : join(page, '..', path).replaceAll('\\', '/'), anchor };
    });

/** The anchors of a page: of its headings as GitHub writes them, and those that it sets itself. */
export const anchorsOf = (page: string): string[] => {
  const text = readPage(page);
  const headings = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(
    ([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
  );
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)];
};

/** The blocks of code of a page, each with the last heading above it. */
export const blocksOf = (page: string) => {
  let heading = '';
  return [...readPage(page).matchAll(/^#+ (.+)$|^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, title, language = '', code = '']) => {
      if (title === undefined) return [{ heading, language, code }];
      heading = title;
      return [];
    },
  );
};

/** The commands of a page's shell blocks, each in one line and without its comment. */
export const commandsOf = (page: string): string[] =>
  blocksOf(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => line.replace(/(^|\s)#\s.*$/, '').trim())
    .filter((line) => line !== '');
