import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { neverLoaded } from '../build/bundle.mjs';
import { linksOf, pages } from '../testing/pages.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

/** The files of the package, as npm would pack them. */
const options = ['pack', '--dry-run', '--json', '--ignore-scripts'];
const output = execFileSync('npm', options, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
const [{ files }] = JSON.parse(output) as [{ files: { path: string }[] }];
const packed = files.map(({ path }) => path);
const code = packed.filter((file) => file.endsWith('.js'));

/** The modules a bundled file was made of, as rolldown's comments name them. */
const modulesIn = (file: string): string[] =>
  [...read(file).matchAll(/^\s*\/\/(?:#region)? (\S+\.(?:ts|[mc]?js|json))$/gm)].map(([, path = '']) => path);

test('the package holds the build, the contract, the pages, the examples and the licence, and nothing else', () => {
  const built = /^dist\/[\w./-]+(?<!\.test)\.(js|json|d\.ts|txt|html|css)$/;
  const others =
    /^(openapi\.yaml|package\.json|([\w.-]+\/)?[\w-]+\.md|LICENSE|(mock|contract-tests)\/\w+\/\w+\.schema\.json|scripts\/examples\/.+)$/;
  expect(packed.filter((file) => !built.test(file) && !others.test(file))).toEqual([]);
  const needed = ['openapi.yaml', 'contract-tests/reports/report.schema.json', 'LICENSE'];
  expect(packed).toEqual(expect.arrayContaining([...needed, 'dist/third-party-licenses.txt']));
  const modules = code.flatMap(modulesIn);
  expect(modules.length).toBeGreaterThan(50);
  expect(modules.filter((path) => /\.test\.|contract-tests\/proof/.test(path))).toEqual([]);
  expect(code.filter((file) => read(file).includes('sourceMappingURL='))).toEqual([]);
});

test('the package has every file that bin and exports promise, and can be executed', () => {
  const promised = JSON.stringify([manifest.bin, manifest.exports]);
  const targets = [...promised.matchAll(/"(?:\.\/)?([^":]+\.(?:js|ts|yaml|json))"(?=[,}])/g)].map(
    ([, target = '']) => target,
  );
  expect(targets.length).toBeGreaterThan(3);
  expect(targets.filter((target) => !packed.includes(target))).toEqual([]);
  expect(read(manifest.bin['email-leads'])).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test('the package holds every page with all that it links to, but pictures', () => {
  const isPacked = (path: string): boolean => packed.some((file) => `${file}/`.startsWith(`${path}/`));
  const linked = pages.flatMap((page) => [page, ...linksOf(page).map(({ path }) => path)]);
  expect(linked.filter((path) => !path.endsWith('.png') && !isPacked(path))).toEqual([]);
});

test('the package names no path of the machine it was built on', () => {
  const slashed = (text: string): string => text.replaceAll('\\\\', '/').replaceAll('\\', '/');
  const paths = [root, homedir(), tmpdir()].map((path) => slashed(path + sep));
  expect(packed.filter((file) => paths.some((path) => slashed(read(file)).includes(path)))).toEqual([]);
});

test('the package imports only what it declares, or Fastify would load on demand only', () => {
  const { dependencies, peerDependencies } = manifest;
  const allowed = [...Object.keys(dependencies), ...Object.keys(peerDependencies), ...neverLoaded];
  // The bundler writes double quotes; single ones are in comments.
  const named = /^(?!\s*(?:\*|\/\/)).*?(?:\bfrom |\bimport\(|\bimport |require\()"([^".][^"]*)"/gm;
  const imports = code.flatMap((file) => [...read(file).matchAll(named)].map(([, id = '']) => id));
  expect(imports).toContain('@fastify/swagger-ui');
  // A `node:` module may be newer than this Node.js: undici looks whether it is there.
  const others = imports.filter((id) => !id.startsWith('node:') && !isBuiltin(id));
  const isAllowed = (id: string) => allowed.some((name) => id === name || id.startsWith(`${name}/`));
  expect(others.filter((id) => !isAllowed(id))).toEqual([]);
});

test('the package carries the licence of everything that is bundled', () => {
  const licences = read('dist/third-party-licenses.txt');
  const bundled = new Set(
    code.flatMap(modulesIn).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );
  expect(bundled).toContain('fastify');
  expect([...bundled].filter((name) => !licences.includes(`\n${name} `))).toEqual([]);
});

// The builds for browsers: small, and without Node.js.
test.each([
  ['client', 8, []],
  // Two of them for the rules for messages, with their reasons.
  ['msw', 58, ['msw']],
])('email-leads/%s has at most %d KiB, and nothing of Node.js', (name, limit, packages) => {
  const code = read(`dist/browser/${name}.js`);
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(limit * 1024);
  const imported = [...code.matchAll(/(?:\bfrom|\bimport\(?|\brequire\()\s*["'`]([\w@:./-]+)["'`]/g)];
  expect(imported.map(([, id]) => id)).toEqual(packages);
  expect(code).not.toMatch(/["'`]node:/);
});

test('the image runs as nobody special, names no other host, and has a Node.js that is supported', () => {
  const steps = read('scripts/Dockerfile')
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  const stages = steps.filter((step) => step.startsWith('FROM '));
  expect(steps.indexOf('USER node')).toBeGreaterThan(steps.lastIndexOf(stages.at(-1) ?? ''));
  expect(steps.filter((step) => /https?:|registry|proxy/.test(step))).toEqual([]);
  expect(stages.map((step) => step.split(' ')[1])).toEqual(['node:20-slim', 'node:20-slim']);
  expect(manifest.engines.node).toMatch(/^>=20\./);
});
