import { checks } from '../checks/index.ts';
import { defaultMaxSends, everythingPermitted } from '../client/permissions.ts';
import { skippingClock } from '../client/throttle.ts';
import type { Check } from '../facts/check.ts';
import { runChecks } from '../runner/check-runner.ts';
import { CannotTest } from '../runner/preflight.ts';
import { inRun, type Run, type TargetOptions } from '../runner/run.ts';
import { summarise } from '../runner/summary.ts';
import { asObserved, createRecorder } from '../traffic/record.ts';
import type { BrokenDeployment } from './broken/mutation.ts';
import type { ConformingDeployment } from './conforming/index.ts';
import type { Requirements } from './conforming/variant.ts';
import type { Deployment, RunningDeployment } from './server/types.ts';

/**
 * Runs checks against one deployment, without a report, from the first request to the last deletion.
 * @throws CannotTest if nothing can be tested: no response, key refused, another service
 */
export const runContract = ({
  checks,
  ...options
}: TargetOptions & { readonly checks: readonly Check[] }): Promise<Run> =>
  inRun(options, 'contract', (shared) => runChecks(shared, checks));

/**
 * A deployment as a run takes it: the run does not wait for time that the deployment can skip, and mails have the sender that it
 * requires.
 */
export const targetOf = (
  { url, key, advance }: RunningDeployment,
  requirements: Requirements = {},
): Pick<TargetOptions, 'url' | 'key' | 'clock' | 'sender'> => {
  const { from: sender } = { ...requirements.mail } as { from?: string };
  return { url, key, clock: advance && skippingClock(advance), ...(sender && { sender }) };
};

/** What the suite made of one deployment. */
export type SuiteResult = {
  readonly id: string;
  readonly exitCode: number;
  readonly strictExitCode: number;
  /** Ids of the checks that found something, with what they found. */
  readonly findings: readonly { readonly check: string; readonly level: string; readonly reason: string }[];
  readonly undecided: readonly string[];
  readonly headline: string;
  readonly ms: number;
  readonly requests: number;
  /** Mails that the run requested. */
  readonly mails: number;
  /** Leads the deployment still holds after the run. */
  readonly left: number;
  readonly url: string;
  /** Absent if nothing could be tested. */
  readonly run?: Run;
};

/** Findings and open checks of a run, or of a session of the passive judge. */
export const outcomeOf = ({
  verdicts,
}: Pick<Run, 'verdicts'>): Pick<SuiteResult, 'findings' | 'undecided'> => ({
  findings: verdicts
    .filter(({ status }) => status === 'fail' || status === 'warn' || status === 'error')
    .map(({ check, reason = '' }) => ({ check: check.id, level: check.level, reason })),
  undecided: verdicts
    .filter(({ status }) => status === 'inconclusive' || status === 'unstable')
    .map(({ check, status, reason }) => `${status} ${check.id}: ${reason}`),
});

/** Longer than a user's: many servers share one busy process. */
export const responseTimeoutMs = 60_000;

/** Runs the suite against one deployment, as `email-leads contract --url` with every permission and the usual number of mails would. */
export const runSuite = async (
  deployment: Deployment & Partial<Pick<ConformingDeployment, 'requirements'>>,
  selected: readonly Check[],
  thorough = false,
): Promise<SuiteResult> => {
  const running = await deployment.start();
  const started = performance.now();
  const common = () => ({
    id: deployment.id,
    ms: performance.now() - started,
    left: running.leads(),
    url: running.url,
  });
  try {
    const run = await runContract({
      ...targetOf(running, deployment.requirements),
      permissions: { ...everythingPermitted, maxSends: defaultMaxSends[thorough ? 'thorough' : 'usual'] },
      timeout: responseTimeoutMs,
      checks: selected,
      thorough,
    });
    const { exitCode, headline } = summarise(run, false);
    return {
      ...common(),
      ...outcomeOf(run),
      exitCode,
      strictExitCode: summarise(run, true).exitCode,
      headline,
      requests: run.exchanges.length,
      mails: run.mailsRequested,
      run,
    };
  } catch (error) {
    if (!(error instanceof CannotTest)) throw error;
    const codes = { exitCode: 3, strictExitCode: 3, headline: error.message };
    const nothing = { findings: [], undecided: [], requests: 0, mails: running.mails().length };
    return { ...common(), ...codes, ...nothing };
  } finally {
    await running.close();
  }
};

/** What `--record` writes. */
export const recordingOf = (run: Run, url: string): string => {
  const recorder = createRecorder();
  for (const exchange of [...run.exchanges, ...(run.lost ?? [])]) recorder.add(asObserved(exchange));
  return recorder.text({ ...run, url });
};

/** What the suite said of one, in lines. */
export const describeResult = ({
  findings,
  headline,
  undecided,
}: Pick<SuiteResult, 'findings' | 'headline' | 'undecided'>): string =>
  [
    headline,
    ...findings.map(({ check, level, reason }) => `${level} ${check}: ${reason}`),
    ...undecided,
  ].join('\n');

/** Without the exchanges: those of all servers take gigabytes. */
export type Outcome<D extends Deployment = Deployment> = {
  readonly deployment: D;
  readonly row: Omit<SuiteResult, 'run'>;
};

const parallelRuns = 12;

/** Many of them, some at a time, as most of the time is waiting. */
export const runSuiteOnAll = async <D extends Deployment>(
  deployments: readonly D[],
  selected: readonly Check[],
  thorough = false,
): Promise<Outcome<D>[]> => {
  const waiting = deployments.entries();
  const judged: Outcome<D>[] = [];
  const work = async (): Promise<void> => {
    for (const [at, deployment] of waiting) {
      const { run: _, ...row } = await runSuite(deployment, selected, thorough);
      judged[at] = { deployment, row };
    }
  };
  await Promise.all(Array.from({ length: parallelRuns }, work));
  return judged;
};

/** Whether the suite said what is wrong: without `--strict` where the document states it. */
export const isFound = (
  { breaks }: BrokenDeployment,
  { exitCode, strictExitCode }: Pick<SuiteResult, 'exitCode' | 'strictExitCode'>,
): boolean => {
  const isDocumented = checks.some(({ id, level }) => level === 'documented' && breaks.includes(id));
  return (isDocumented ? exitCode : strictExitCode) === 1;
};

/** The exit code of a run on a conforming deployment: could not test, where it lacks what a permitted operation needs. */
export const exitCodeOf = (deployment: Deployment & Partial<ConformingDeployment>): number =>
  deployment.requirements?.leavesUntested ? 3 : 0;
