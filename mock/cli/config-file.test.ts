import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryDirectory } from '../testing/temporary.ts';
import { withConfig, withConfigFlag } from './config-file.ts';
import { command, flag, listFlag, switchFlag } from './flags.ts';

const before = process.cwd();

beforeEach(() => process.chdir(temporaryDirectory()));
afterEach(() => {
  process.chdir(before);
  vi.unstubAllEnvs();
});

const definition = () =>
  withConfigFlag(command('x', 'x', 'x'))
    .addOption(flag('--url <url>', 'x'))
    .addOption(flag('--profile <file>', 'x'))
    .addOption(listFlag('--report <list>', 'x'))
    .addOption(switchFlag('--strict', 'x'));

const given = (argv: readonly string[]) => withConfig(definition(), argv, { takesTarget: true });

const twoTargets = `
strict: true
report: [console, html]
target: staging
targets:
  staging: { url: 'https://staging.test', profile: profiles/staging.json }
  production: { url: 'https://production.test', strict: false, port: 4020 }
`;

const shared = ['--report=console', '--report=html'];
const staging = ['--url=https://staging.test', '--profile=profiles/staging.json'];
const address = ['--url', 'https://a.test'];

test.each<[string, argv: string[], flags: string[], env?: Record<string, string>]>([
  ['those of the target before the own ones', ['staging', '--strict'], [...shared, ...staging, '--strict']],
  ['of the usual target', [], ['--strict', ...shared, ...staging]],
  ['of another target', ['production'], [...shared, '--url=https://production.test']],
  ['without those of a target for another address', address, ['--strict', ...shared, ...address]],
  [
    'but where there are variables, and flags over these',
    ['staging', '--profile', 'other.json'],
    ['--strict', '--url=https://staging.test', '--profile', 'other.json'],
    { EMAIL_LEADS_REPORT: 'json', EMAIL_LEADS_STRICT: '' },
  ],
])('a file with two targets gives its flags to a command: %s', (_, argv, flags, env = {}) => {
  writeFileSync('email-leads.config.yaml', twoTargets);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  expect(given(argv)).toEqual(flags);
});

test('a file with two targets is found beside package.json, with its files, and leaves no trace in the command', () => {
  writeFileSync('email-leads.config.yaml', twoTargets);
  writeFileSync('package.json', '{}');
  mkdirSync('tests');
  process.chdir('tests');
  expect(given(['staging'])).toContain(`--profile=${join('..', 'profiles/staging.json')}`);
  expect(() => given(['stagin'])).toThrow('there is no target "stagin"; did you mean staging?');
  const command = definition();
  const words = withConfig(command, ['--report', 'json'], { takesTarget: true });
  expect(command.parse(words, { from: 'user' }).opts()).toMatchObject({ strict: true, report: ['json'] });
});

test('a file can have any name, and be JSON', () => {
  writeFileSync('other.json', '{ "targets": { "local": { "url": "http://127.0.0.1:4010" } } }');
  const url = '--url=http://127.0.0.1:4010';
  expect(given(['local', '--config', 'other.json'])).toEqual([url, '--config', 'other.json']);
  vi.stubEnv('EMAIL_LEADS_CONFIG', 'other.json');
  expect(given(['local'])).toEqual([url]);
});

test.each([
  ['allow-writes: true', /config\.yaml: \/allow-writes has no place in a file: permissions are given/],
  ['targets: { a: { sendTo: me@example.com } }', /\/targets\/a\/sendTo has no place in a file/],
  ['api-key: secret', /must not contain a key: set EMAIL_LEADS_API_KEY/],
  ['profile: { a: 1 }', /\/profile must be string/],
  ['targets: { a: { header: [{ X-Team: qa }] } }', /\/targets\/a\/header\/0 must be string/],
  ['target: staging', /there is no target "staging"/],
])('%s is refused', (text, message) => {
  writeFileSync('email-leads.config.yaml', text);
  expect(() => given([])).toThrow(message);
});

test('a target without a file, and a file that is not there', () => {
  expect(() => given(['staging'])).toThrow('there is no file email-leads.config.yaml');
  expect(() => given(['--config', 'none.yaml'])).toThrow('--config none.yaml does not exist');
});
