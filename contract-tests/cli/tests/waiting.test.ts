// What somebody reads who waits for a run: why nothing happens, for how long, and how long it was in all.
import { describe, expect, onTestFinished, test } from 'vitest';
import { startFront } from '../../proof/outages/front.ts';
import type { Action, Outage } from '../../proof/outages/outage.ts';
import { createService } from '../../proof/server/server.ts';
import { type Command, key, runInProcess, temporaryDirectory, withKey } from '../../testing/command.ts';
import { runContractCommand } from '../contract.ts';
import { runObserveCommand } from '../observe.ts';

const answer = (status: number, headers: Readonly<Record<string, string>> = {}): Action => ({
  do: 'answer',
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ success: false, error: 'not now' }),
});

/** The requests with these numbers are not answered by the service. */
const between = (from: number, to: number, action: Action): Outage => ({
  id: 'between',
  title: '',
  timed: true,
  act: ({ nth }) => (nth >= from && nth <= to ? action : { do: 'forward' }),
});

/** What a command said about a deployment with an outage in front of it, and its exit code. */
const said = async (command: Command, outage: Outage, ...flags: readonly string[]) => {
  const { url, close } = await startFront(createService({ key }), outage, 1);
  onTestFinished(close);
  return await runInProcess(command, ['--url', url, '--report-dir', temporaryDirectory(), ...flags], withKey);
};

const templates = ['--only', 'templates'];
// Two requests: one for each path form of the list.
const starting = between(1, 2, answer(503));

describe.each<[string, Command]>([
  ['contract', runContractCommand],
  ['observe', runObserveCommand],
])('%s', (_, command) => {
  test('waits for a deployment that is being started with --wait, and says so once', async () => {
    const { code, stderr } = await said(command, starting, '--wait', '30s', ...templates);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^waiting 30\.0 s: gateway: .*is the service behind it running\?.*\n$/);
  });

  test('says why it waits, and how long it was in all', async () => {
    const pause = between(4, 4, answer(429, { 'retry-after': '1' }));
    const { code, stdout, stderr } = await said(command, pause, ...templates);
    expect(code, stdout).toBe(0);
    expect(stderr).toMatch(
      /waiting 1\.0 s: the deployment responded to GET \S+ with 429 and asks for a pause \(1\.0 s of at most 1 min 30 s in all\)/,
    );
    expect(stdout).toContain('waited 1.0 s in all');
  });
});

test('a deployment that is being started could not be tested without --wait, or when its time is over', async () => {
  const over = await said(runObserveCommand, between(1, 1000, answer(503)), '--wait', '600ms');
  expect([over.code, over.stderr]).toEqual([3, expect.stringContaining('could not test: gateway')]);
  const { code, stderr } = await said(runContractCommand, starting);
  expect(code).toBe(3);
  expect(stderr).toMatch(/^could not test: gateway: .*503 not now.*is the service behind it running\?\n$/);
});

test('no request waits longer than --max-wait', async () => {
  const started = performance.now();
  const flags = ['--timeout', '60s', '--max-wait', '2s', '--allow-writes', ...templates];
  const { code, stdout } = await said(runContractCommand, between(3, 10_000, { do: 'hang' }), ...flags);
  expect(code).toBe(3);
  expect(stdout).toMatch(/no complete response within [12] s/);
  expect(performance.now() - started).toBeLessThan(50_000);
});
