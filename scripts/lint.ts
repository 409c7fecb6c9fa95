// `npm run lint`: Biome for the sources, a check for slow regular expressions, and Redocly's recommended rules for openapi.yaml
// and for the document of the admin API. Every finding fails, including warnings.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listNouns } from '../mock/admin/admin.ts';
import { adminDocument } from '../mock/admin/openapi.ts';
import { lintExpressions } from './lint/expressions.ts';

const lintSources = (): boolean => {
  const colours = process.stdout.isTTY ? [] : ['--colors=off'];
  const biome = join('node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const { status } = spawnSync(process.execPath, [biome, 'ci', '--error-on-warnings', ...colours, '.'], {
    stdio: 'inherit',
  });
  if (status !== 0) console.error('Biome found problems; npm run format fixes some of them.');
  return status === 0;
};

/** Writes the document of the admin API to a file to lint. */
const writeAdminDocument = (): string => {
  const folder = join('node_modules', '.cache', 'email-leads');
  const file = join(folder, 'admin-openapi.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify(adminDocument(listNouns('0.0.0'), '0.0.0'), null, 2));
  return file;
};

const lintDescriptions = (...files: readonly string[]): boolean => {
  const redocly = join('node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const args = ['lint', ...files, '--extends=recommended-strict', '--format=stylish'];
  const { status, stderr } = spawnSync(process.execPath, [redocly, ...args], {
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
    // No telemetry and no check for a newer version: linting needs no network.
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  // Else it has only the progress, and a warning about the version of Node.js.
  if (status !== 0) console.error(stderr);
  else console.log(`${files.join(', ')}: no problems by Redocly's recommended rules.`);
  return status === 0;
};

const clean = [
  lintSources(),
  await lintExpressions(),
  lintDescriptions('openapi.yaml', writeAdminDocument()),
];
process.exitCode = clean.every(Boolean) ? 0 : 1;
