import type { Check } from '../check.ts';
import { everythingPermitted } from '../permissions.ts';
import { CannotTest } from '../preflight.ts';
import { runContract } from '../run.ts';
import { summarise } from '../verdict.ts';
import type { ConformingDeployment } from './conforming.ts';
import type { Deployment } from './deployment.ts';

/** What the suite made of one deployment. */
export type Row = {
  readonly id: string;
  readonly exitCode: number;
  readonly strictExitCode: number;
  /** Ids of the checks that found something, with what they found. */
  readonly findings: readonly { readonly check: string; readonly level: string; readonly reason: string }[];
  readonly undecided: readonly string[];
  readonly headline: string;
  readonly ms: number;
  /** Leads the deployment still holds after the run. */
  readonly left: number;
};

/** Runs the suite against one deployment, as `email-leads contract --url` with every permission would. */
export const judge = async (
  deployment: Deployment & Partial<Pick<ConformingDeployment, 'demands'>>,
  checks: readonly Check[],
): Promise<Row> => {
  const running = await deployment.start();
  const started = performance.now();
  const { from: sender } = { ...deployment.demands?.mail } as { from?: unknown };
  try {
    const run = await runContract({
      url: running.url,
      key: running.key,
      permissions: everythingPermitted,
      checks,
      ...(typeof sender === 'string' ? { sender } : {}),
    });
    const { exitCode, headline } = summarise(run, false);
    const found = run.verdicts.filter(
      ({ status }) => status === 'fail' || status === 'warn' || status === 'error',
    );
    return {
      id: deployment.id,
      exitCode,
      strictExitCode: summarise(run, true).exitCode,
      findings: found.map(({ check, reason = '' }) => ({ check: check.id, level: check.level, reason })),
      undecided: run.verdicts
        .filter(({ status }) => status === 'inconclusive' || status === 'unstable')
        .map(({ check, status, reason }) => `${status} ${check.id}: ${reason}`),
      headline,
      ms: performance.now() - started,
      left: running.leads(),
    };
  } catch (error) {
    if (!(error instanceof CannotTest)) throw error;
    return {
      id: deployment.id,
      exitCode: 3,
      strictExitCode: 3,
      findings: [],
      undecided: [],
      headline: error.message,
      ms: performance.now() - started,
      left: running.leads(),
    };
  } finally {
    await running.close();
  }
};

/** What the suite said of one, in lines. */
export const accountOf = ({ findings, headline, undecided }: Row): string =>
  [
    headline,
    ...findings.map(({ check, level, reason }) => `${level} ${check}: ${reason}`),
    ...undecided,
  ].join('\n');

export type Judged = { readonly deployment: Deployment; readonly row: Row };

const sideBySide = 12;

/** Many of them, some at a time, as most of the time is waiting. */
export const judgeAll = async (
  deployments: readonly Deployment[],
  checksFor: (deployment: Deployment) => readonly Check[],
): Promise<Judged[]> => {
  const waiting = [...deployments];
  const judged: Judged[] = [];
  const work = async (): Promise<void> => {
    for (let deployment = waiting.shift(); deployment; deployment = waiting.shift())
      judged.push({ deployment, row: await judge(deployment, checksFor(deployment)) });
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  return judged.sort(
    (one, other) => deployments.indexOf(one.deployment) - deployments.indexOf(other.deployment),
  );
};

/** Whether the suite said what is wrong: without `--strict` where the document states it. */
export const isCaught = ({ breaks }: Deployment, { exitCode, strictExitCode }: Row): boolean =>
  (breaks?.level === 'documented' ? exitCode : strictExitCode) === 1;

/** The score in one phrase, as the README carries it. */
export const proofSentence = (score: { good: number; alarms: number; bad: number; missed: number }): string =>
  `false alarms ${score.alarms}/${score.good}, missed ${score.missed}/${score.bad}`;
