import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { offersFor } from '../../mock/cli/completion.ts';
import { operationIds } from '../../mock/contract/operation-id.ts';
import { bin } from '../../mock/testing/cli-process.ts';
import { temporaryDirectory } from '../../mock/testing/temporary-directory.ts';
import { commands } from '../commands.ts';

test.each<[line: string, offers: readonly string[]]>([
  ['co', ['completion', 'contract']],
  ['contract --only', ['--only', '--only-failed']],
  ['contract --no', ['--no-color']],
  ['spec --format ', ['json', 'yaml']],
  ['mock --log ', ['json', 'pretty', 'silent']],
  ['completion ', ['bash', 'fish', 'zsh']],
  ['contract --skip leads.delete.rem', ['leads.delete.removes']],
  ['explain leads.delete.rem', ['leads.delete.removes']],
  ['explain lead.dup', ['lead.duplicate']],
  ['observe --only lead.dup', ['lead.duplicate']],
  ['pin staging.json lead.dup', ['lead.duplicate']],
  ['pin --reason because staging.json lead.dup', ['lead.duplicate']],
  ['waive report.json email.send.succ', ['email.send.success']],
  ['check --require send', operationIds.filter((id) => id.startsWith('send'))],
  // The last part of a list.
  ['contract --report console,j', ['console,json', 'console,junit']],
  // In one word, or taken apart by bash.
  ['contract --report=j', ['--report=json', '--report=junit']],
  ['contract --report = j', ['json', 'junit']],
  // Free text and files are left to the shell.
  ['contract --url ', []],
  ['contract --profile ', []],
  ['pin stag', []],
  ['check ', []],
  ['nonsense ', []],
])('%j', async (line, offers) => {
  const found = (await offersFor(commands, line.split(' '))).map(({ value }) => value);
  expect(found.sort()).toEqual([...offers].sort());
});

test('bash asks the program', () => {
  const folder = temporaryDirectory();
  const program = join(folder, 'email-leads');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`, { mode: 0o755 });
  const script = `source <("${program}" completion bash)
COMP_WORDS=("${program}" contract --report = j) COMP_CWORD=4; _email_leads; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'json\njunit\n', stderr: '' });
});

test.each([
  ['zsh', 'mock:run a local mock server\n'],
  ['fish', 'mock\trun a local mock server\n'],
])('%s gets what a word does, too', (shell, line) => {
  const { stdout } = spawnSync(process.execPath, [bin, 'completion', shell, '--', 'mo'], {
    encoding: 'utf8',
  });
  expect(stdout).toBe(line);
});
