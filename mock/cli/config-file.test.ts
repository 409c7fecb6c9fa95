import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { temporaryDirectory } from '../testing/temporary.ts';
import { withConfig, withConfigFlag } from './config-file.ts';
import { command, flag, listFlag, switchFlag } from './flags.ts';

let directory: string;
const before = process.cwd();

beforeEach(() => {
  directory = temporaryDirectory();
  process.chdir(directory);
});
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

describe('a file with two targets', () => {
  beforeEach(() => writeFileSync('email-leads.config.yaml', twoTargets));

  test('gives its flags to a command, those of the target before its own', () => {
    const shared = ['--report=console', '--report=html'];
    const ofStaging = ['--url=https://staging.test', '--profile=profiles/staging.json'];
    expect(given(['staging', '--strict'])).toEqual([...shared, ...ofStaging, '--strict']);
    expect(given([])).toEqual(['--strict', ...shared, ...ofStaging]);
    expect(given(['production'])).toEqual([...shared, '--url=https://production.test']);
  });

  test('yields to variables, and these to flags', () => {
    vi.stubEnv('EMAIL_LEADS_REPORT', 'json');
    vi.stubEnv('EMAIL_LEADS_STRICT', '');
    expect(given(['staging', '--profile', 'other.json'])).toEqual([
      '--strict',
      '--url=https://staging.test',
      ...['--profile', 'other.json'],
    ]);
  });

  test('is read without a trace in the command', () => {
    const command = definition();
    const words = withConfig(command, ['--report', 'json'], { takesTarget: true });
    expect(command.parse(words, { from: 'user' }).opts()).toMatchObject({ strict: true, report: ['json'] });
  });

  test('says nothing of another address', () => {
    expect(given(['--url', 'https://a.test'])).not.toContain('--profile=profiles/staging.json');
  });

  test('is found beside package.json, with its files', () => {
    writeFileSync('package.json', '{}');
    mkdirSync('tests');
    process.chdir('tests');
    expect(given(['staging'])).toContain(`--profile=${join('..', 'profiles/staging.json')}`);
  });

  test('names its targets where one is misspelled', () => {
    expect(() => given(['stagin'])).toThrow('there is no target "stagin"; did you mean staging?');
  });
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
