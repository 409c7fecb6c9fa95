// `npm run lint`: Biome for the sources, a check for slow regular expressions, and Redocly's recommended rules for openapi.yaml
// and for the document of the admin API. Every finding fails, including warnings.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listNouns } from '../mock/admin/admin.ts';
import { adminDocument } from '../mock/admin/openapi.ts';
import { lintExpressions } from './lint/expressions.ts';

type Problem = {
  readonly ruleId: string;
  readonly severity: 'error' | 'warn';
  readonly message: string;
  readonly location: readonly {
    readonly pointer?: string;
    readonly start?: Readonly<Record<'line' | 'col', number>>;
  }[];
};

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

const lintDescription = (file: string): boolean => {
  const redocly = join('node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const args = ['lint', file, '--extends=recommended', '--format=json', '--max-problems=1000'];
  const run = spawnSync(process.execPath, [redocly, ...args], {
    encoding: 'utf8',
    // No telemetry and no check for a newer version: linting needs no network.
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  const problems = problemsIn(run.stdout);
  // Other output, such as warnings about the version of Node.js, matters only if there is no JSON.
  if (problems === undefined) {
    console.error(`Redocly did not judge ${file}:\n${run.stderr}${run.stdout}`);
    return false;
  }
  for (const problem of problems) console.error(describe(file, problem));
  if (problems.length === 0) console.log(`${file}: no problems by Redocly's recommended rules.`);
  return problems.length === 0 && run.status === 0;
};

const problemsIn = (text: string): readonly Problem[] | undefined => {
  try {
    return (JSON.parse(text) as { problems: Problem[] }).problems;
  } catch {
    return undefined;
  }
};

const describe = (file: string, { ruleId, severity, message, location: [place] }: Problem): string => {
  const { line = 1, col = 1 } = place?.start ?? {};
  return `${file}:${line}:${col} ${severity} ${ruleId}: ${message}${place?.pointer ? ` (${place.pointer})` : ''}`;
};

const clean = [
  lintSources(),
  await lintExpressions(),
  lintDescription('openapi.yaml'),
  lintDescription(writeAdminDocument()),
];
process.exitCode = clean.every(Boolean) ? 0 : 1;
