import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';
import { checks } from '../checks/index.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { observe } from '../questions/observe.ts';
import { probes } from '../questions/probes/index.ts';
import { inRun, type TargetOptions } from '../runner/run.ts';
import { summarise } from '../runner/summary.ts';
import { conformingSwitches, expectationOf, type Framework, switches } from './framework-expectations.ts';
import { differencesIn } from './round-trip.ts';
import { runContract } from './run-contract.ts';
import { responseTimeoutMs } from './suite-result.ts';

/** What the suite reported about one server of a framework, compared with what it must report. */
export type FrameworkResult = {
  readonly framework: Framework;
  readonly name: string;
  readonly isConforming: boolean;
  /** Findings that the server does not deserve. */
  readonly alarms: readonly string[];
  /** Findings that are missing. */
  readonly missed: readonly string[];
  readonly rightAnswers: number;
  /** Wrong answers of `observe`, and missing ones. */
  readonly wrongAnswers: readonly string[];
  /** Wrong exit codes, and leads left behind. */
  readonly otherDifferences: readonly string[];
};

export const isRight = (result: FrameworkResult): boolean =>
  [result.alarms, result.missed, result.wrongAnswers, result.otherDifferences].flat().length === 0;

export const frameworksFolder = join('contract-tests', 'proof', 'frameworks');

type Servers = {
  readonly target: (name: string) => TargetOptions;
  readonly countLeads: (name: string) => Promise<number>;
  readonly close: () => Promise<void>;
};

/** One server for each switch, in a process of its own: some frameworks change what Node.js exports. */
const startServers = async (framework: Framework): Promise<Servers> => {
  const child = fork(join(frameworksFolder, 'serve.mjs'), [framework, ...switches]);
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

const exitCodesFor = (findings: readonly string[]): string => {
  const levels = checks.filter(({ id }) => findings.includes(id)).map(({ level }) => level);
  if (levels.includes('documented')) return '1 and 1';
  return levels.length > 0 ? '0 and 1' : '0 and 0';
};

/** `contract` and `observe` on one server. Without and with `--strict`, the run is the same and its summary differs. */
const judge = async (framework: Framework, name: string, servers: Servers): Promise<FrameworkResult> => {
  const target = servers.target(name);
  const expected = expectationOf(framework, name);
  const run = await runContract({ ...target, checks });
  const findings = run.verdicts.filter(({ status }) => /^(fail|warn|error)$/.test(status));
  const { results } = await inRun(target, 'observe', (shared) => observe(shared, probes));
  const wrongAnswers = differencesIn(results, expected.answers);
  const exitCodes = [false, true].map((strict) => summarise(run, strict).exitCode).join(' and ');
  const expectedExitCodes = exitCodesFor(expected.findings);
  const leftoverLeads = await servers.countLeads(name);
  return {
    framework,
    name,
    isConforming: conformingSwitches.includes(name),
    alarms: findings
      .filter(({ check }) => !expected.findings.includes(check.id))
      .map(({ check, reason }) => `${check.id}: ${reason}`),
    missed: expected.findings.filter((id) => findings.every(({ check }) => check.id !== id)),
    rightAnswers: results.length - wrongAnswers.length,
    wrongAnswers,
    otherDifferences: [
      ...(exitCodes === expectedExitCodes ? [] : [`exit codes ${exitCodes}, expected ${expectedExitCodes}`]),
      ...(leftoverLeads === 0 ? [] : [`${leftoverLeads} leads left behind`]),
    ],
  };
};

/** Every server of one framework, one after another. */
export const judgeFramework = async (framework: Framework): Promise<FrameworkResult[]> => {
  const servers = await startServers(framework);
  const results: FrameworkResult[] = [];
  try {
    for (const name of switches) results.push(await judge(framework, name, servers));
  } finally {
    await servers.close();
  }
  return results;
};
