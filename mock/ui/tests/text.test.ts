// What becomes of texts: commands for a shell, also in the scripts of the suite.
import { execFileSync } from 'node:child_process';
import { sample } from 'fast-check';
import { expect, test, vi } from 'vitest';
import { sh, word } from '../../contract/shell.ts';
import { anyText } from '../../testing/any-text.ts';

/** The arguments that a shell passes on to curl, and what else it prints. */
const runInShell = (shell: string, command: string): string[] =>
  execFileSync(shell, ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

test.each([
  '$(echo injected) `echo injected`',
  "'; echo injected; '",
  '"; echo injected; "',
  "\\'; echo injected #",
  '\n echo injected',
  '-o /tmp/x',
  '\u001b[31m\r\u0007\u0085',
  '! & | > ~ * ? {a,b} [1-9] %0a я 😀',
  "$'x41'",
])('a curl command passes %j on unchanged in every part', async (text) => {
  vi.stubGlobal('document', { baseURI: 'http://127.0.0.1:4010/__admin/ui/' });
  const { curlCommand } = await import('../data/curl.ts');
  vi.unstubAllGlobals();
  const command = curlCommand({ method: text, path: `/${text}`, type: text, body: text }, text);
  expect(command).not.toMatch(/[^\P{Cc}\n]/u);
  for (const shell of ['dash', 'bash'])
    expect(runInShell(shell, command)).toEqual([
      ...['-g', '--path-as-is', '-X', text, `http://127.0.0.1:4010/${text}`],
      ...['-H', `Authorization: Bearer ${text}`, '-H', `Content-Type: ${text}`, '--data-raw', text],
    ]);
});

test('random texts stay one word each in a command and in a script, also beside a variable', () => {
  const texts = sample(anyText(), { numRuns: 400, seed: 12 });
  const words = texts.flatMap((text) => [sh`${text}`, word(text, sh`$lead1`, text)]);
  const { code } = sh`lead1='a "$b"'; curl ${words}`;
  expect(code).not.toMatch(/[^\P{Cc}\n]/u);
  // No argument of a command can contain the character 0.
  const expected = texts
    .map((text) => text.replaceAll('\0', ''))
    .flatMap((text) => [text, `${text}a "$b"${text}`]);
  for (const shell of ['dash', 'bash']) expect(runInShell(shell, code)).toEqual(expected);
});
