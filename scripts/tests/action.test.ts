// The action for GitHub: its steps run here as the runner would run them, without the runner. Only the upload is not tried.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startMock } from '../../mock/index.ts';
import { useDirectory } from '../../mock/testing/temporary.ts';

type Inputs = Readonly<Record<string, string>>;

const folder = resolve(import.meta.dirname, '../action');
const action = parse(readFileSync(join(folder, 'action.yml'), 'utf8'));
const { steps } = action.runs;
const inputs: readonly string[] = Object.keys(action.inputs);

const key = 'test_action_0123456789';

const fileOf = useDirectory();
const mock = await startMock();
afterAll(() => mock.close());
beforeEach(() => {
  mkdirSync(fileOf('temp'));
  mkdirSync(fileOf('app'));
});

const written = (name: string): string =>
  existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : '';

/** Replaces what the runner replaces in `env` and `with`: an input by its value. */
const evaluate = (value: string, given: Inputs): string =>
  value.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => {
    expect(inputs).toContain(name);
    return given[name] ?? action.inputs[name].default;
  });

/** Runs the shell steps until one fails, with the shell and the variables of the runner. */
const runSteps = async (given: Inputs): Promise<{ code: number; output: string }> => {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(EMAIL_LEADS|GITHUB)_/.test(name));
  const ofRunner = { GITHUB_ACTIONS: 'true', GITHUB_ACTION_PATH: folder, EMAIL_LEADS_API_KEY: key };
  const files = { GITHUB_OUTPUT: 'output', GITHUB_STEP_SUMMARY: 'summary.md', RUNNER_TEMP: 'temp' };
  const paths = Object.entries(files).map(([name, file]) => [name, fileOf(file)]);
  let output = '';
  for (const { run, env = {}, 'working-directory': at = '.' } of steps.filter((step: Inputs) => step.run)) {
    writeFileSync(fileOf('step.sh'), run);
    const own = Object.entries<string>(env).map(([name, value]) => [name, evaluate(value, given)]);
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', fileOf('step.sh')], {
      cwd: resolve(fileOf('app'), evaluate(at, given)),
      env: { ...ofRunner, ...Object.fromEntries([...inherited, ...paths, ...own]) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'close');
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    output += out + err;
    if (code !== 0) return { code, output };
  }
  return { code: 0, output };
};

test('no input stands in a script, the key is no input, and reports are uploaded in any case', () => {
  for (const { name, run, shell } of steps) {
    expect(run ?? '', name).not.toContain('${{');
    expect(shell, name).toBe(run === undefined ? undefined : 'bash');
  }
  expect(inputs.filter((name) => /key|secret|token/.test(name))).toEqual([]);
  const { if: condition, with: settings } = steps.at(-1) ?? {};
  expect(condition).toMatch(/^always\(\) && /);
  const { path = '' } = settings ?? {};
  expect(evaluate(path, { 'working-directory': 'app' })).toBe('app/email-leads-reports');
});

test('a deployment that conforms passes, with all reports and a summary; a broken promise is an annotation, and exit code 1', async () => {
  mkdirSync(fileOf('app/service'));
  const reports = 'app/service/email-leads-reports';
  const given = {
    url: mock.url,
    'allow-writes': 'true',
    arguments: '--only=leads.add.success,templates.list.data\n\n--skip\nemail\n',
    'working-directory': 'service',
  };
  const passed = await runSteps(given);
  expect(passed.code, passed.output).toBe(0);
  expect(written('output')).toBe('exit-code=0\n');
  expect(passed.output).toMatch(/^Written: .*junit\.xml.*summary\.md$/m);
  expect(written('summary.md')).toContain('conforms');
  expect(written(`${reports}/junit.xml`)).toContain('leads.add.success');
  expect(passed.output + written('summary.md')).not.toContain(key);

  const body = { success: true, error: '', message: '', data: 'none' };
  mock.workspace(key).faults.set({ operation: 'listTemplates', status: 200, body });
  const failed = await runSteps(given);
  mock.workspace(key).faults.clear();
  expect(failed.code, failed.output).toBe(1);
  expect(failed.output).toMatch(/^::error title=fail templates\.list\./m);
  expect(written('output')).toContain('exit-code=1\n');
  // Behind what is there.
  expect(written('summary.md')).toMatch(/## ✅ conforms[\s\S]*templates\.list\.data/);
  const names = ['report.json', 'junit.xml', 'report.html', 'summary.md'];
  expect(readdirSync(fileOf(reports))).toEqual(expect.arrayContaining(names));
});

test.each([
  [{}, /the input url is empty/],
  [{ url: 'http://a.test', 'allow-writes': 'yes' }, /allow-writes is neither/],
  [{ target: '--allow-writes' }, /target is a flag/],
  [{ url: 'http://a.test', arguments: '--frobnicate' }, /--frobnicate/],
])('wrong usage is exit code 2: %j', async (given, reason) => {
  const { code, output } = await runSteps(given);
  expect(output).toMatch(reason);
  expect(code).toBe(2);
  expect(written('output')).toBe('exit-code=2\n');
});

test('no value becomes a command', async () => {
  const hostile = `$(touch pwned) \`touch pwned\`; touch pwned; " ' && touch pwned`;
  const words = { url: hostile, 'send-to': hostile, profile: hostile, waivers: hostile, arguments: hostile };
  for (const given of [words, { target: hostile }, { url: mock.url, 'allow-writes': hostile }])
    expect((await runSteps(given)).code).toBe(2);
  expect(readdirSync(fileOf('app')).filter((name) => name === 'pwned')).toEqual([]);
});

test('a tarball can be installed instead; its scripts do not have the key', async () => {
  const name = 'email-leads';
  mkdirSync(fileOf('package/dist'), { recursive: true });
  const scripts = { postinstall: `echo "key: <$EMAIL_LEADS_API_KEY>" > '${fileOf('installed')}'` };
  const manifest = { name, version: '9.9.9', type: 'module', scripts };
  writeFileSync(fileOf('package/package.json'), JSON.stringify(manifest));
  const program = 'console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 4;';
  writeFileSync(fileOf('package/dist/email-leads.js'), program);
  execFileSync('tar', ['-czf', fileOf('app/own.tgz'), '-C', fileOf(), 'package']);

  const files = { profile: 'my profile.json', waivers: 'w.yaml', version: './own.tgz' };
  const permissions = { 'allow-writes': 'true', 'allow-unaddressed': 'true', 'send-to': 'qa@example.com' };
  const { code, output } = await runSteps({ target: 'staging', ...files, ...permissions });
  expect(code, output).toBe(4);
  const [line = ''] = output.match(/^\["contract".*$/m) ?? [];
  expect(JSON.parse(line).join(' ')).toBe(
    'contract staging --allow-writes --allow-unaddressed --send-to=qa@example.com --profile=my profile.json ' +
      '--waivers=w.yaml --report=console,json,junit,html,markdown,github --report-dir=email-leads-reports',
  );
  expect(written('installed')).toBe('key: <>\n');
  expect(written('summary.md')).toContain('its exit code is 4');
});
