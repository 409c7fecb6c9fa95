import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Mock, startMock } from '../index.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const folder = temporaryDirectory();
const file = join(folder, 'seed.yaml');
afterEach(() => vi.restoreAllMocks());

const write = (...names: string[]): void =>
  writeFileSync(file, `leads:${names.map((name) => `\n  - name: ${name}`).join('')}\n`);

const watched = async (): Promise<Mock> => {
  write('Lena');
  const mock = await startMock({ seed: file, watch: true });
  onTestFinished(mock.close);
  return mock;
};

const namesIn = (workspace: Pick<Mock, 'state'>): string[] => workspace.state().leads.map(({ name }) => name);

test('a changed seed resets the workspaces that are made from it, and those with an own one stay', async () => {
  const mock = await watched();
  const [used, own] = [mock.workspace('test_used'), mock.workspace('test_own')];
  used.faults.set({ status: 503 });
  own.seed({ leads: [{ name: 'Own' }] });
  write('Tom', 'Zoe');
  await expect.poll(() => namesIn(used)).toEqual(['Tom', 'Zoe']);
  expect(used.faults.list()).toEqual([]);
  expect(namesIn(own)).toEqual(['Own']);
  expect(namesIn(mock.workspace('test_new'))).toEqual(['Tom', 'Zoe']);
});

test('an invalid seed is one line that says where, and changes nothing until it is corrected', async () => {
  const mock = await watched();
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  writeFileSync(file, 'leads:\n  - nam: Tom\n');
  await expect.poll(() => said.mock.calls.flat()).toHaveLength(1);
  expect(said.mock.calls.flat()).toEqual([
    `email-leads: the seed ${file}:2: /leads/0/nam is not known here; did you mean name?; no workspace was reset`,
  ]);
  expect(namesIn(mock)).toEqual(['Lena']);
  rmSync(file);
  await expect.poll(() => said.mock.calls.flat().at(-1)).toMatch('does not exist; no workspace was reset');
  // As an editor that replaces the file.
  writeFileSync(`${file}.new`, 'leads:\n  - name: Zoe\n');
  renameSync(`${file}.new`, file);
  await expect.poll(() => namesIn(mock)).toEqual(['Zoe']);
});

test('a workspace that a reset already gave the new seed is not reset again', async () => {
  const mock = await watched();
  const other = mock.workspace('test_other');
  write('Tom');
  mock.reset();
  mock.faults.set({ status: 503 });
  await expect.poll(() => namesIn(other)).toEqual(['Tom']);
  expect(mock.faults.list()).toHaveLength(1);
});
