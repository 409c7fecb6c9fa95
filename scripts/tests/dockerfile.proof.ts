// The stages of the image without a container engine: what the Dockerfile copies, in folders of their own, and its commands there.
// Not tried: `npm ci` and `npm prune`, which need a registry, and the user.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { followOutput } from '../../mock/testing/cli-process.ts';
import { temporaryDirectory } from '../../mock/testing/temporary-directory.ts';

const root = resolve(import.meta.dirname, '../..');
const dockerfile = readFileSync(join(root, 'scripts/Dockerfile'), 'utf8');
const [, build = '', image = ''] = dockerfile.split(/^FROM .*\n/m);
const argumentsOf = (stage: string, instruction: string): string[] =>
  [...stage.matchAll(new RegExp(`^${instruction} (.*)$`, 'gm'))].map(([, line = '']) => line);

const directory = temporaryDirectory();
const inImage = (path: string): string => join(directory, 'image', path);

/** A command in the form of a list, with its paths below the folder that stands for the image. */
const commandOf = (line = ''): string[] =>
  (JSON.parse(line.slice(line.indexOf('['))) as string[]).map((word) =>
    word.startsWith('/app/') ? inImage(word) : word,
  );

/** The variables of the image, with a free port in place of its own. */
const environmentWith = (port: number): NodeJS.ProcessEnv => {
  const [variables = ''] = argumentsOf(image, 'ENV');
  const own = Object.fromEntries(variables.split(' ').map((pair) => pair.split('=')));
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('EMAIL_LEADS_'));
  return { ...Object.fromEntries(inherited), ...own, EMAIL_LEADS_PORT: String(port) };
};

const findPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

beforeAll(() => {
  const stage = join(directory, 'build');
  // Only what git has, as in a fresh clone.
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  for (const line of argumentsOf(build, 'COPY'))
    for (const path of line.split(' ').slice(0, -1))
      for (const file of files.filter((name) => name === path || name.startsWith(`${path}/`)))
        cpSync(join(root, file), join(stage, file));
  symlinkSync(join(root, 'node_modules'), join(stage, 'node_modules'));
  for (const line of argumentsOf(build, 'RUN').flatMap((run) => run.split(' && ')))
    if (!line.startsWith('npm ')) execFileSync('sh', ['-c', line], { cwd: stage, stdio: 'pipe' });
  for (const line of argumentsOf(image, 'COPY'))
    for (const name of line
      .split(' ')
      .slice(1, -1)
      .map((path) => path.replace('/build/', '')))
      cpSync(join(stage, name), inImage(`app/${name}`), { recursive: true, verbatimSymlinks: true });
  mkdirSync(inImage('work'));
});

test('without a command it is the mock, and healthy once it answers', async () => {
  const [health = '', ...words] = commandOf(argumentsOf(image, 'HEALTHCHECK')[0]);
  const check = (port: number): number | null =>
    spawnSync(health, words, { cwd: inImage('work'), env: environmentWith(port) }).status;
  expect(check(await findPort())).toBe(1);
  const [program = '', ...command] = [
    ...commandOf(argumentsOf(image, 'ENTRYPOINT')[0]),
    ...commandOf(argumentsOf(image, 'CMD')[0]),
  ];
  // A port that was found free may be taken before the mock has it.
  const settings = { cwd: inImage('work'), env: environmentWith(0) };
  const mock = followOutput(spawn(program, command, { ...settings, stdio: ['ignore', 'pipe', 'pipe'] }));
  try {
    expect(check(Number(await mock.printed(/http:\S+:(\d+)\s/)))).toBe(0);
  } finally {
    mock.process.kill('SIGTERM');
    await mock.ended;
  }
});

test('with the command contract it is the suite, with its reports in the working directory', async () => {
  const [program = '', ...words] = commandOf(argumentsOf(image, 'ENTRYPOINT')[0]);
  const command = [...words, 'contract', '--only', 'templates', '--report', 'console,json'];
  const { status, stdout } = spawnSync(program, command, {
    cwd: inImage('work'),
    env: environmentWith(await findPort()),
    encoding: 'utf8',
  });
  expect(stdout).toContain('Verdict: conforms');
  expect(status).toBe(0);
  expect(existsSync(inImage('work/email-leads-reports/report.json'))).toBe(true);
});
