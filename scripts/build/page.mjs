// Builds the outbox page: one script, one style sheet and the HTML file that refers to them, all served from memory.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

// In the order of the cascade.
const styles = ['tokens', 'base', 'controls', 'layout', 'lists', 'items', 'views'];

/**
 * @param {string} root
 * @param {string} directory
 * @returns {Promise<string[]>} the bundled modules, for their licences
 */
export const buildPage = async (root, directory) => {
  const source = join(root, 'mock', 'ui');
  const build = await rolldown({
    input: join(source, 'main.tsx'),
    cwd: root,
    // mock/ui/tsconfig.json configures the transformation of JSX.
    platform: 'browser',
    logLevel: 'warn',
  });
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false });
  await build.close();
  const [{ code, moduleIds }] = output;
  const css = styles.map((name) => readFileSync(join(source, 'styles', `${name}.css`), 'utf8')).join('\n');
  const html = readFileSync(join(source, 'index.html'), 'utf8');
  // The file names contain a hash of the content, so that browsers may cache them permanently and reload only the HTML file.
  const hash = createHash('sha256').update(code).update(css).update(html).digest('hex').slice(0, 12);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `page-${hash}.js`), code);
  writeFileSync(join(directory, `page-${hash}.css`), css);
  writeFileSync(join(directory, 'index.html'), html.replaceAll('%NAME%', `page-${hash}`));
  return moduleIds;
};
