// `npm run frameworks`: what the suite must report about the service as teams write it with usual frameworks, and nothing else.
import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import { everythingPermitted } from '../../client/permissions.ts';
import { observe } from '../../questions/observe.ts';
import { probes } from '../../questions/probes/index.ts';
import { inRun, type TargetOptions } from '../../runner/run.ts';
import { summarise } from '../../runner/summary.ts';
import { expectationOf, type Framework, frameworks, switches } from '../framework-expectations.ts';
import { differencesIn } from '../round-trip.ts';
import { outcomeOf, responseTimeoutMs, runContract } from '../suite-result.ts';

type Servers = {
  readonly target: (name: string) => TargetOptions;
  readonly countLeads: (name: string) => Promise<number>;
  readonly close: () => Promise<void>;
};

/** One server for each switch, in a process of its own: some frameworks change what Node.js exports. */
const startServers = async (framework: Framework): Promise<Servers> => {
  const child = fork(join(import.meta.dirname, '../frameworks/serve.mjs'), [framework, ...switches]);
  const { key, ports } = await firstMessage(child, framework);
  return {
    target: (name) => ({
      url: `http://127.0.0.1:${ports[name]}`,
      key,
      permissions: everythingPermitted,
      timeout: responseTimeoutMs,
    }),
    countLeads: async (name) => {
      const answers = on(child, 'message');
      child.send({ name });
      for await (const [count] of answers) if (count.name === name) return count.leads;
      return 0;
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
};

type Ready = { readonly key: string; readonly ports: Readonly<Record<string, number>> };

const firstMessage = async (child: ChildProcess, framework: Framework): Promise<Ready> => {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the servers of ${framework} ended with exit code ${code} before they listened`);
  });
  const [ready] = await Promise.race([once(child, 'message'), ended]);
  return ready;
};

/** Without and with `--strict`. */
const exitCodesFor = (findings: readonly string[]): number[] => {
  const levels = checks.filter(({ id }) => findings.includes(id)).map(({ level }) => level);
  return [levels.includes('documented') ? 1 : 0, levels.length > 0 ? 1 : 0];
};

describe.concurrent.each(frameworks)('%s', (framework) => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await startServers(framework);
  });
  afterAll(() => servers.close());

  test.each(switches)('%s', async (name) => {
    const target = servers.target(name);
    const expected = expectationOf(framework, name);
    const run = await runContract({ ...target, checks });
    const { findings } = outcomeOf(run);
    const reasons = findings.map(({ check, reason }) => `${check}: ${reason}`).join('\n');
    expect(findings.map(({ check }) => check).sort(), reasons).toEqual([...expected.findings].sort());
    const exitCodes = [false, true].map((strict) => summarise(run, strict).exitCode);
    expect(exitCodes).toEqual(exitCodesFor(expected.findings));
    const { results } = await inRun(target, 'observe', (shared) => observe(shared, probes));
    expect(differencesIn(results, expected.answers)).toEqual([]);
    expect(await servers.countLeads(name), 'leads left behind').toBe(0);
  });
});
