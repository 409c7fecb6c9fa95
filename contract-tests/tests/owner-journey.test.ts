// The whole story on a server that is not the mock, as people type it: observe, pin, gate, change the server, drift.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runContractCommand } from '../cli/contract.ts';
import { runObserveCommand } from '../cli/observe.ts';
import { runPinCommand } from '../cli/profile.ts';
import { type BehaviourOverrides, createService } from '../proof/server/server.ts';
import type { RunningDeployment } from '../proof/server/types.ts';
import { runInProcess, temporaryDirectory } from '../testing/command.ts';

const directory = temporaryDirectory();
const file = join(directory, 'staging.json');
let staging: RunningDeployment | undefined;
afterAll(async () => {
  await staging?.close();
});

const commands = { contract: runContractCommand, observe: runObserveCommand, pin: runPinCommand };

/** The command in this process: its exit code and what it prints. */
const run = async (command: keyof typeof commands, ...argv: readonly string[]) => {
  const environment = { EMAIL_LEADS_API_KEY: staging?.key ?? '' };
  const { code, stdout: out, stderr: err } = await runInProcess(commands[command], argv, environment);
  return { code, out, err };
};

const deploy = async (choices: BehaviourOverrides): Promise<string[]> => {
  await staging?.close();
  staging = await createService(choices).start();
  return ['--url', staging.url, '--allow-writes', '--send-to', 'me@example.com', '--report-dir', directory];
};

const profile = (): { deployment: string; answers: Record<string, { answer: unknown; state: string }> } =>
  JSON.parse(readFileSync(file, 'utf8'));

test('observe, review, pin, gate, drift, decide anew', async () => {
  const target = await deploy({ leadRequires: ['name', 'source'] });
  const only = ['--only', 'lead.source', '--only', 'auth', '--only', 'template-send.to'];
  const first = await run('observe', ...target, '--output', file, ...only);
  // Asked for by name, and not permitted.
  const unasked = /^not everything could be asked: template-send\.to was skipped, because .*\n$/;
  expect(first).toMatchObject({ code: 3, err: expect.stringMatching(unasked) });
  expect(first.out).toMatch(
    /lead\.source +2\.3 +required +optional +POST \/api\/v1\/leads \{name, note\}: 400/,
  );
  expect(first.out).toMatch(/template-send\.to .*skipped .*--allow-unaddressed/);
  expect(first.out).toContain('4 new, 0 changed');
  expect(staging?.leads()).toBe(0);

  const text = readFileSync(file, 'utf8');
  expect((await run('observe', ...target, '--output', file, ...only)).out).toContain('is already up to date');
  expect(readFileSync(file, 'utf8')).toBe(text);

  expect((await run('pin', file, 'lead.source')).err).toContain('--reason is required');
  expect((await run('pin', file, 'lead.sauce')).err).toContain('did you mean lead.source?');
  const agreed = await run('pin', file, 'lead.source', 'auth.missing-status', '--reason', 'agreed');
  expect(agreed.code).toBe(0);
  expect(profile().answers['lead.source']).toMatchObject({ answer: 'required', state: 'pinned' });
  const gated = ['--profile', file, '--only', 'leads.add.success'];
  const matching = { code: 0, out: expect.stringContaining('2 of 2 pinned answers matching') };
  expect(await run('contract', ...target, ...gated)).toMatchObject(matching);

  const changed = await deploy({ leadRequires: ['name'] });
  const pinned = readFileSync(file, 'utf8');
  const drifted = { code: 4, out: expect.stringContaining('DRIFT lead.source') };
  expect(await run('contract', ...changed, ...gated)).toMatchObject(drifted);
  expect(readFileSync(file, 'utf8')).toBe(pinned);

  const kept = { code: 2, err: expect.stringContaining('write to another file') };
  expect(await run('observe', ...changed, '--output', file, ...only)).toMatchObject(kept);
  await run('pin', file, 'lead.source=optional', '--reason', 'agreed anew');
  expect(await run('contract', ...changed, ...gated)).toMatchObject({ code: 0 });
});

test('a group of which some could be asked is 0', async () => {
  await deploy({});
  const observed = await run('observe', '--url', staging?.url ?? '', '--only', 'failure');
  expect(observed).toMatchObject({ code: 0, err: '' });
  expect(observed.out).toContain('11 questions: 2 answered, 9 skipped');
  const skipped = await run('observe', '--url', staging?.url ?? '', '--only', 'failure', '--only', 'send');
  expect(skipped.code).toBe(3);
  expect(skipped.err).toMatch(/^not everything could be asked: send was skipped, because .*--send-to\n$/);
});
