// `npm run lint`: Biome on the sources and Redocly's recommended rules on openapi.yaml. Any finding fails, warnings too.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

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
  if (status !== 0) console.error('Biome has findings; npm run format mends what can be mended without you.');
  return status === 0;
};

const lintContract = (): boolean => {
  const redocly = join('node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const args = ['lint', 'openapi.yaml', '--extends=recommended', '--format=json', '--max-problems=1000'];
  const run = spawnSync(process.execPath, [redocly, ...args], {
    encoding: 'utf8',
    // Neither telemetry nor a question for a newer version: linting needs no network.
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  const problems = problemsIn(run.stdout);
  // What it prints beside the JSON (on Node 20 that it will need a newer one) matters only when there is no JSON.
  if (problems === undefined) {
    console.error(`Redocly did not judge openapi.yaml:\n${run.stderr}${run.stdout}`);
    return false;
  }
  for (const problem of problems) console.error(describe(problem));
  if (problems.length === 0) console.log("openapi.yaml: nothing to say by Redocly's recommended rules.");
  return problems.length === 0 && run.status === 0;
};

const problemsIn = (text: string): readonly Problem[] | undefined => {
  try {
    return (JSON.parse(text) as { problems: Problem[] }).problems;
  } catch {
    return undefined;
  }
};

const describe = ({ ruleId, severity, message, location: [place] }: Problem): string => {
  const { line = 1, col = 1 } = place?.start ?? {};
  return `openapi.yaml:${line}:${col} ${severity} ${ruleId}: ${message}${place?.pointer ? ` (${place.pointer})` : ''}`;
};

const clean = [lintSources(), lintContract()];
process.exitCode = clean.every(Boolean) ? 0 : 1;
