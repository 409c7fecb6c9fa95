// There may be no container engine where the tests run; the workflow builds the image and runs it.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadDefinitions } from '../commands.ts';

const definitions = await loadDefinitions();

type Service = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: object;
};

const root = resolve(import.meta.dirname, '../..');
const lines = readFileSync(join(root, 'scripts/Dockerfile'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const stepsOf = (instruction: string): string[] =>
  lines
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1));

test('it runs as nobody special, names no other host, and has a Node.js that is supported', () => {
  expect(lines.indexOf('USER node')).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith('FROM ')));
  expect(lines.filter((line) => /https?:|registry|proxy/.test(line))).toEqual([]);
  expect(new Set(stepsOf('FROM').map((step) => step.split(' ')[0]))).toEqual(new Set(['node:20-slim']));
  expect(manifest.engines.node).toMatch(/^>=20\./);
});

test('the Compose example starts what the image has, and waits until it is healthy', () => {
  const file = readFileSync(join(root, 'scripts/examples/compose/compose.yaml'), 'utf8');
  const { services } = parse(file) as { readonly services: Readonly<Record<string, Service>> };
  const own = Object.values(services).filter(({ image }) => image === 'email-leads');
  for (const { command = [] } of own) {
    const [name = '', ...words] = command;
    expect(() => definitions[name]?.().parse(words, { from: 'user' }), name).not.toThrow();
  }
  expect(own.map(({ command }) => command?.[0])).toEqual(['mock', 'contract']);
  expect(services.app?.depends_on).toEqual({ 'email-leads': { condition: 'service_healthy' } });
  expect(services.app?.environment).toMatchObject({ EMAIL_LEADS_URL: 'http://email-leads:4010' });
  expect(existsSync(join(root, 'scripts/examples/compose', services.app?.command?.[1] ?? ''))).toBe(true);
});
