import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, existsSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import schema from '../../mock/cli/config.schema.json' with { type: 'json' };
import { variableOf, variables } from '../../mock/cli/flags.ts';
import { temporaryDirectory } from '../../mock/testing/temporary.ts';
import manifest from '../../package.json' with { type: 'json' };
import { loadDefinitions } from '../commands.ts';

const definitions = await loadDefinitions();

const dist = resolve(import.meta.dirname, '../../dist');
const copy = temporaryDirectory();

cpSync(dist, copy, { recursive: true });
writeFileSync(join(copy, 'package.json'), '{"type":"module"}');
for (const name of readdirSync(join(copy, 'chunks')))
  if (!name.startsWith('package-')) rmSync(join(copy, 'chunks', name));

const run = (argv: readonly string[], { folder = dist, stdout = 'pipe' as 'pipe' | number } = {}) =>
  spawnSync(process.execPath, [join(folder, 'email-leads.js'), ...argv], {
    encoding: 'utf8',
    stdio: ['ignore', stdout, 'pipe'],
  });

// 1 would say of a deployment that it breaks a promise.
test.each([
  ['contract', 3],
  ['spec', 1],
])('%s of a broken installation ends with %d and says so', (command, code) => {
  const { status, stderr } = run([command], { folder: copy });
  expect(stderr).toContain('email-leads itself failed. Is all of it installed?');
  expect(status).toBe(code);
});

const similar = 'there is no command "--verison"; did you mean --version? email-leads --help lists them';

test.each([
  ['-v', 0, `${manifest.version}\n`, ''],
  ['mock help', 0, expect.stringContaining('Usage: email-leads mock [options]'), ''],
  ['-h', 0, expect.stringContaining('Usage: email-leads COMMAND [flags]'), ''],
  ['--verison', 2, '', `email-leads: ${similar}\n`],
])('%s is answered', (words, ...expected) => {
  const { status, stdout, stderr } = run(words.split(' '));
  expect([status, stdout, stderr]).toEqual(expected);
});

// A device that is always full; only Linux has it.
test.runIf(existsSync('/dev/full'))('a command says that its output cannot be written', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = run(['contract', '--only', 'templates.list.success'], { stdout: full });
  closeSync(full);
  expect(stderr).toMatch(/standard output cannot be written: no space is left where it goes; .*\n$/);
  expect(status).toBe(2);
});

test('every setting of a configuration file is a flag', () => {
  const { contract, observe, proxy, check } = definitions;
  const options = [contract, observe, proxy, check].flatMap((definition) => definition?.().options ?? []);
  const flags = options.map(({ long }) => String(long).slice(2));
  // A permission is given on the command line only; --upstream is the url of proxy, and --clean, --quiet and the like are for one run.
  const others =
    /^(allow-(writes|unaddressed)|send-to|config|upstream|clean|list|json|seed|only-failed|quiet|verbose|no-color|help)$/;
  const settings = Object.keys(schema.$defs.settings.properties).sort();
  expect([...new Set(flags)].filter((flag) => !others.test(flag)).sort()).toEqual(settings);
});

test.each(Object.entries(definitions))('the help of %s fits, and its example works', (name, definition) => {
  let help = '';
  const writeOut = (text: string): void => {
    help += text;
  };
  definition().configureOutput({ writeOut }).outputHelp();
  const lines = help.split('\n');
  expect(lines.length).toBeLessThanOrEqual(60);
  expect(lines[0]).toMatch(/^Example: {2}email-leads /);
  const words = lines[0]?.match(/"[^"]*"|\S+/g) ?? [];
  expect(words.slice(1, 3)).toEqual(['email-leads', name]);
  expect(() => definition().parse(words.slice(3), { from: 'user' })).not.toThrow();
});

test('the variables that are known are those of the flags of all commands, and the key', () => {
  const options = Object.values(definitions).flatMap((definition) => definition().options);
  const named = options.flatMap((option) => variableOf(option) ?? []);
  const all = new Set([...named, 'EMAIL_LEADS_API_KEY', 'EMAIL_LEADS_API_KEY_FILE']);
  expect([...all].sort()).toEqual([...variables].sort());
});
