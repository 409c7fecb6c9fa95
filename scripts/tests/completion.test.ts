import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checks } from '../../contract-tests/checks/index.ts';
import { completionScript, type Shell } from '../../mock/cli/completion.ts';
import { operationIds } from '../../mock/contract/operation-id.ts';
import { listQuestions } from '../../mock/contract/questions.ts';
import { temporaryDirectory } from '../../mock/testing/temporary-directory.ts';
import { definitions } from '../definitions.ts';

const entries = Object.entries(definitions).map(([name, definition]) => ({
  name,
  definition,
  does: `run ${name}: it's [here]`,
}));
const directory = temporaryDirectory();
const fileOf = (shell: Shell): string => join(directory, `completion.${shell}`);

beforeAll(() => {
  for (const shell of ['bash', 'zsh', 'fish'] as const)
    writeFileSync(fileOf(shell), completionScript(shell, entries));
});

const has = (shell: Shell): boolean => spawnSync(shell, ['--version']).status === 0;

const run = (shell: Shell, ...argv: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(shell, argv, { encoding: 'utf8', cwd: directory });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
};

/** What each shell offers for the last word of a line. */
const offered: Readonly<Record<'bash' | 'fish', (words: readonly string[]) => string[]>> = {
  bash: (words) => {
    const program = `source "$0"; COMP_WORDS=(email-leads "$@"); COMP_CWORD=$#; _email_leads; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run('bash', '-c', program, fileOf('bash'), ...words)
      .trim()
      .split('\n');
  },
  fish: (words) => {
    const program = `source ${fileOf('fish')}; complete -C ${JSON.stringify(['email-leads', ...words].join(' '))}`;
    const lines = run('fish', '--no-config', '-c', program).trim().split('\n');
    return lines.map((line) => line.split('\t')[0] ?? '');
  },
};

const checkIds = checks.map(({ id }) => id);
const questionIds: readonly string[] = listQuestions().map(({ id }) => id);

describe.each(['bash', 'fish'] as const)('%s', (shell) => {
  const of = (...words: readonly string[]): string[] => offered[shell](words).sort();

  test.runIf(has(shell))('completes commands, flags and values', () => {
    expect(of('co')).toEqual(['completion', 'contract']);
    expect(of('contract', '--only')).toEqual(['--only', '--only-failed']);
    expect(of('contract', '--no')).toEqual(['--no-color']);
    expect(of('spec', '--format', '')).toEqual(['json', 'yaml']);
    expect(of('mock', '--log', '')).toEqual(['json', 'pretty', 'silent']);
    expect(of('completion', '')).toEqual(['bash', 'fish', 'zsh']);
  });

  test.runIf(has(shell))('completes ids of checks and questions, and their groups', () => {
    expect(of('contract', '--only', 'leads.delete')).toEqual(
      expect.arrayContaining(['leads.delete', ...checkIds.filter((id) => id.startsWith('leads.delete.'))]),
    );
    expect(of('contract', '--skip', '')).toEqual(expect.arrayContaining(checkIds));
    expect(of('explain', '')).toEqual(expect.arrayContaining([...checkIds, ...questionIds]));
    expect(of('observe', '--only', 'lead.dup')).toEqual(['lead.duplicate']);
    expect(of('pin', 'staging.json', 'lead.dup')).toEqual(['lead.duplicate']);
    expect(of('waive', 'report.json', 'email.send.succ')).toEqual(['email.send.success']);
  });

  test.runIf(has(shell))('completes the last part of a list with commas', () => {
    expect(of('contract', '--report', 'console,j')).toEqual(['console,json', 'console,junit']);
    expect(of('contract', '--only', 'templates,lead')).toContain('templates,leads.add');
    expect(of('check', '--require', 'send')).toEqual(
      operationIds.filter((id) => id.startsWith('send')).sort(),
    );
  });
});

test.runIf(has('bash'))('bash takes a flag with an equals sign apart', () => {
  expect(offered.bash(['contract', '--report', '=', 'j'])).toEqual(['json', 'junit']);
  expect(offered.bash(['contract', '--report', '='])).toContain('markdown');
});

test.runIf(has('bash'))('bash leaves files to its own completion, and free text alone', () => {
  for (const words of [
    ['contract', '--url', ''],
    ['contract', '--profile', ''],
    ['pin', 'stag'],
  ])
    expect(offered.bash(words)).toEqual(['']);
});

test.runIf(has('zsh'))('zsh reads its script', () => {
  expect(run('zsh', '-n', fileOf('zsh'))).toBe('');
});

test('zsh: each flag with its description and its values', () => {
  const script = completionScript('zsh', entries);
  expect(script).toMatch(/^#compdef email-leads\n/);
  expect(script).toContain(`'spec:run spec: it'\\''s [here]'`);
  expect(script).toContain(
    `'*--format=[format of the document (yaml, json; default\\: yaml)]:value:(yaml json)'`,
  );
  expect(script).toContain(`:value:_sequence compadd - console json junit html markdown github'`);
  expect(script).toContain(`'1:file:_files'`);
  expect(script).toContain(`'--strict[broken derived facts fail the run too]'`);
});
