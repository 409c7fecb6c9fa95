import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { neverLoaded } from './build/bundle.mjs';

const root = resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

const packed = ((): readonly string[] => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { npm_execpath: npm } = process.env;
  const [command = 'npm', ...before] = npm?.endsWith('.js') ? [process.execPath, npm] : [];
  const options: ExecFileSyncOptionsWithStringEncoding = {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  };
  const [{ files }] = JSON.parse(execFileSync(command, [...before, ...args], options)) as [
    { files: { path: string }[] },
  ];
  return files.map(({ path }) => path);
})();
const code = packed.filter((file) => file.endsWith('.js'));
const declarations = packed.filter((file) => file.endsWith('.d.ts'));

/** The modules a bundled file was made of, as rolldown's comments name them. */
const modulesIn = (file: string): string[] =>
  [...read(file).matchAll(/^\s*\/\/(?:#region)? (\S+\.(?:ts|js|mjs|cjs|json))$/gm)].map(
    ([, path = '']) => path,
  );

describe('the package', () => {
  test('holds the build, the contract, the examples and the licence, and nothing else', () => {
    const expected =
      /^(dist\/.+|openapi\.yaml|package\.json|README\.md|LICENSE|.+\.schema\.json|scripts\/examples\/.+)$/;
    expect(packed.filter((file) => !expected.test(file))).toEqual([]);
    expect(packed).toEqual(
      expect.arrayContaining([
        'openapi.yaml',
        'contract-tests/report/report.schema.json',
        'LICENSE',
        'dist/third-party-licenses.txt',
      ]),
    );
    const built = packed.filter((file) => !file.startsWith('scripts/examples/'));
    expect(
      built.filter((file) => !/\.(js|json|yaml|d\.ts|txt|md|html|css|svg)$|^LICENSE$/.test(file)),
    ).toEqual([]);
  });

  test('has every file its README links to', () => {
    const links = [...read('README.md').matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);
    expect(links.length).toBeGreaterThan(2);
    expect(links.filter((path) => !packed.includes(path))).toEqual([]);
  });

  test('holds no test but an example, no deployment and no source map', () => {
    const odd = /\.test\.|deployments|\.map$|\.built$/;
    expect(packed.filter((file) => odd.test(file))).toEqual(['scripts/examples/vitest.test.ts']);
    const modules = code.flatMap(modulesIn);
    expect(modules.length).toBeGreaterThan(50);
    expect(modules.filter((path) => /\.test\.|contract-tests\/deployments/.test(path))).toEqual([]);
    expect(code.filter((file) => read(file).includes('sourceMappingURL='))).toEqual([]);
  });

  test('has every file that bin and exports promise', () => {
    const targets = [manifest.bin, manifest.exports]
      .flatMap(
        (entry) => JSON.stringify(entry).match(/"(?:\.\/)?[^":]+\.(?:js|ts|yaml|json)"(?=[,}])/g) ?? [],
      )
      .map((target) => target.slice(1, -1).replace('./', ''));
    expect(targets.length).toBeGreaterThan(3);
    expect(targets.filter((target) => !packed.includes(target))).toEqual([]);
  });

  test('names no path of the machine it was built on', () => {
    const paths = [root + sep, `${homedir()}${sep}`, tmpdir() + sep].map((path) =>
      path.replaceAll('\\', '/'),
    );
    const text = (file: string): string => read(file).replaceAll('\\\\', '/').replaceAll('\\', '/');
    expect(packed.filter((file) => paths.some((path) => text(file).includes(path)))).toEqual([]);
  });

  test('imports only what it declares, or Fastify would load on demand only', () => {
    const allowed = [...Object.keys(manifest.dependencies), ...neverLoaded];
    const imports = code.flatMap((file) =>
      // The bundler writes double quotes; single ones are in comments.
      [
        ...read(file).matchAll(
          /^(?!\s*(?:\*|\/\/)).*?(?:\bfrom |\bimport\(|\bimport |require\()"([^".][^"]*)"/gm,
        ),
      ].map(([, id = '']) => id),
    );
    expect(imports).toContain('@fastify/swagger-ui');
    const stray = imports.filter(
      (id) => !isBuiltin(id) && !allowed.some((name) => id === name || id.startsWith(`${name}/`)),
    );
    expect(stray).toEqual([]);
  });

  test('carries the licence of everything that is bundled', () => {
    const licences = read('dist/third-party-licenses.txt');
    const bundled = new Set(
      code.flatMap(modulesIn).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
    );
    expect(bundled).toContain('fastify');
    expect([...bundled].filter((name) => !licences.includes(`\n${name} `))).toEqual([]);
  });

  test('has types that need no other package', () => {
    expect(declarations).toContain(manifest.exports['.'].types.replace('./', ''));
    expect(declarations.filter((file) => /(?:from |import\()['"][^.'"]/.test(read(file)))).toEqual([]);
  });

  test('compiles into a strict consumer without skipLibCheck', () => {
    const folder = mkdtempSync(join(tmpdir(), 'email-leads-types-'));
    try {
      for (const file of ['package.json', ...declarations]) {
        cpSync(join(root, file), join(folder, 'node_modules', 'email-leads', file));
      }
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      writeFileSync(join(folder, 'consumer.ts'), consumer);
      writeFileSync(join(folder, 'disposing.ts'), disposing);
      const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
      const flags = '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2022'.split(
        ' ',
      );
      const run = (file: string, lib: string) =>
        execFileSync(process.execPath, [compiler, ...flags, '--lib', lib, file], {
          cwd: folder,
          encoding: 'utf8',
        });
      expect(run('consumer.ts', 'es2022')).toBe('');
      expect(run('disposing.ts', 'es2022,esnext.disposable')).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('says its version', () => {
    const bin = join(root, manifest.bin['email-leads']);
    expect(execFileSync(process.execPath, [bin, '--version'], { encoding: 'utf8' })).toBe(
      `${manifest.version}\n`,
    );
    expect(read(manifest.bin['email-leads'])).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(dirname(manifest.exports['.'].default)).toBe('./dist');
  });
});

const consumer = `
import {
  type Answers, type ClockReading, type ConnectionFault, connectMock, type FaultRule, type FaultState,
  type Lead, type Mock, type MockOptions, type OneOrMore, type ReceivedRequest, startMock, type Template, type WorkspaceState,
} from 'email-leads';
const options: MockOptions = { answers: { 'send.to': 'required' }, log: 'silent' };
const mock: Mock = await startMock(options);
export const key: string = mock.key();
// @ts-expect-error not an answer of that question
export const wrong: Answers['send.to'] = 'perhaps';
const rule: FaultRule = { operation: 'addLead', fault: 'EMPTY_RESPONSE' satisfies ConnectionFault };
mock.faults.set(rule);
export const states: FaultState[] = mock.faults.list();
export const content: WorkspaceState = mock.state();
export const lead: Lead | undefined = content.leads[0];
export const template: Template | undefined = content.templates[0];
export const asked: ReceivedRequest | undefined = mock.requests.latest({ operation: 'addLead' });
const remote = connectMock(mock.url, { apiKey: mock.apiKey });
export const found: OneOrMore<ReceivedRequest> = await remote.requests.waitFor({ status: 503 }, { count: 2 });
export const time: ClockReading = await remote.clock.now();
// @ts-expect-error promises only
export const mails: unknown[] = remote.outbox.list();
await mock.close();
`;

// Nobody needs newer libraries for the sake of these types, and who has them may use what they bring.
const disposing = `
import { startMock } from 'email-leads';
await using mock = await startMock();
export const url: string = mock.url;
`;
