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

/** What a shell offers for the last word of each line, asked in one process. */
const offered: Readonly<Record<'bash' | 'fish', (lines: readonly string[]) => string[][]>> = {
  bash: (lines) => {
    const asked = lines.map((line) => {
      const words = line.split(' ').map((word) => `'${word}'`);
      return `COMP_WORDS=(email-leads ${words.join(' ')}); COMP_CWORD=${words.length}; _email_leads; printf '%s\\n' "\${COMPREPLY[@]}" .`;
    });
    return offersIn(run('bash', '-c', ['source "$0"', ...asked].join('\n'), fileOf('bash')));
  },
  fish: (lines) => {
    const asked = lines.map((line) => `complete -C ${JSON.stringify(`email-leads ${line}`)}\necho .`);
    return offersIn(run('fish', '--no-config', '-c', [`source ${fileOf('fish')}`, ...asked].join('\n')));
  },
};
/** The words before the descriptions; a line with a dot ends the offers for a line. */
const offersIn = (output: string): string[][] =>
  output
    .split(/^\.\n/m)
    .slice(0, -1)
    .map((part) => (part.match(/^[^\t\n]+/gm) ?? []).sort());

const checkIds = checks.map(({ id }) => id);
const idsOf = (group: string): string[] => checkIds.filter((id) => id.startsWith(`${group}.`));
const questionIds: readonly string[] = listQuestions().map(({ id }) => id);

type Case = readonly [line: string, offers: readonly string[], others?: 'and others'];

const inEveryShell: readonly Case[] = [
  ['co', ['completion', 'contract']],
  ['contract --only', ['--only', '--only-failed']],
  ['contract --no', ['--no-color']],
  ['spec --format ', ['json', 'yaml']],
  ['mock --log ', ['json', 'pretty', 'silent']],
  ['completion ', ['bash', 'fish', 'zsh']],
  ['contract --only leads.delete', ['leads.delete', ...idsOf('leads.delete')], 'and others'],
  ['contract --skip ', checkIds, 'and others'],
  ['explain ', [...checkIds, ...questionIds], 'and others'],
  ['observe --only lead.dup', ['lead.duplicate']],
  ['pin staging.json lead.dup', ['lead.duplicate']],
  ['waive report.json email.send.succ', ['email.send.success']],
  // The last part of a list.
  ['contract --report console,j', ['console,json', 'console,junit']],
  ['contract --only templates,lead', ['templates,leads.add'], 'and others'],
  ['check --require send', operationIds.filter((id) => id.startsWith('send'))],
];

const inBash: readonly Case[] = [
  // It takes a flag with an equals sign apart.
  ['contract --report = j', ['json', 'junit']],
  ['contract --report =', ['markdown'], 'and others'],
  // It completes files itself, and nothing completes free text.
  ['contract --url ', []],
  ['contract --profile ', []],
  ['pin stag', []],
];

describe.each([
  ['bash', [...inEveryShell, ...inBash]],
  ['fish', inEveryShell],
] as const)('%s', (shell, cases) => {
  test.runIf(has(shell))('completes commands, flags, values and ids', () => {
    const found = offered[shell](cases.map(([line]) => line));
    for (const [at, [line, offers, others]] of cases.entries())
      if (others) expect(found[at], line).toEqual(expect.arrayContaining([...offers]));
      else expect(found[at], line).toEqual([...offers].sort());
  });
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
