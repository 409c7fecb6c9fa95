import { checks } from '../checks/index.ts';
import { createLedger } from '../client/ledger.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { observe } from '../questions/observe.ts';
import { probes } from '../questions/probes/index.ts';
import { CannotTest } from '../runner/preflight.ts';
import { inRun, type Run, type TargetOptions } from '../runner/run.ts';
import { exitCodes, isUndecided, summarise } from '../runner/summary.ts';
import { broken } from './broken.ts';
import { conforming } from './conforming/index.ts';
import { expectedAnswersOf } from './expected-answers.ts';
import { startFront } from './outages/front.ts';
import { type Outage, outages } from './outages/outage.ts';
import { runContract } from './run-contract.ts';
import type { Deployment } from './server/types.ts';

/** An outage that begins at one moment of a run against one server. */
export type Case = {
  readonly outage: Outage;
  /** Number of the first request concerned. */
  readonly start: number;
  readonly deployment: Deployment;
};

export const caseName = ({ outage, start, deployment }: Case): string =>
  outage.timed ? `${outage.id} from request ${start} on, ${deployment.id}` : `${outage.id}, ${deployment.id}`;

/**
 * Short enough for a proof with many cases, and long enough for a busy machine, on which a response may take seconds; the shapes
 * of the waits are the same.
 */
const limits = { timeout: 6000, maxWait: 15_000 };

const bases = ['plain', 'refusals-at-200', 'strict-fields', 'integer-ids', 'python-style'] as const;

/** From the first request on, in discovery, and among the checks of everything. */
const moments = [1, 6, 40, 140, 330] as const;

/** Repeatable numbers below one (mulberry32). */
const createRandom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

const deploymentOf = (id: string, all: readonly Deployment[]): Deployment => {
  const deployment = all.find((candidate) => candidate.id === id);
  if (!deployment) throw new Error(`there is no server ${id}`);
  return deployment;
};

/** Every outage at every moment, each time in front of another server, a little earlier or later by the seed. */
export const casesFor = (seed: number, servers: readonly string[] = bases): Case[] => {
  const random = createRandom(seed);
  return outages.flatMap((outage) =>
    (outage.timed ? moments : servers).map((moment) => ({
      outage,
      start: typeof moment === 'number' ? moment + (moment > 1 ? Math.floor(random() * 5) : 0) : 1,
      deployment: deploymentOf(
        outage.timed ? (servers[Math.floor(random() * servers.length)] ?? '') : String(moment),
        [...conforming, ...broken],
      ),
    })),
  );
};

/** Cases of broken servers: what they break shows before the trouble begins. */
export const brokenCasesFor = (seed: number, servers: readonly string[]): Case[] => {
  const random = createRandom(seed);
  return outages
    .filter(({ timed }) => timed)
    .map((outage) => ({
      outage,
      start: 30 + Math.floor(random() * 200),
      deployment: deploymentOf(servers[Math.floor(random() * servers.length)] ?? '', broken),
    }));
};

/** What is wrong with how the suite took a case; nothing is the claim. */
export type Fault = string;

type Ran<Result> = { readonly result?: Result; readonly left: number; readonly listed: number };

const withCase = async <Result>(
  { outage, start, deployment }: Case,
  run: (target: TargetOptions) => Promise<Result>,
): Promise<Ran<Result>> => {
  const running = await startFront(deployment, outage, start);
  const ledger = createLedger();
  const { url, key } = running;
  const counts = (): Omit<Ran<Result>, 'result'> => ({
    left: running.leads(),
    listed: ledger.open().length + ledger.lost(),
  });
  try {
    const result = await run({ url, key, ledger, permissions: everythingPermitted, ...limits });
    return { result, ...counts() };
  } catch (error) {
    if (!(error instanceof CannotTest)) throw error;
    return counts();
  } finally {
    await running.close();
  }
};

/** A run that waits without a bound. Twice the limit, because the timers of a busy machine are late. */
const tooLong = ({ result }: Ran<{ readonly waitedMs: number }>): Fault[] => {
  const { waitedMs = 0 } = result ?? {};
  return waitedMs <= 2 * limits.maxWait ? [] : [`it waited ${Math.round(waitedMs)} ms`];
};

const runChecks = (target: TargetOptions): Promise<Run> => runContract({ ...target, checks });

const unlisted = ({ left, listed }: Ran<unknown>): Fault[] =>
  left > listed ? [`${left} leads are left and ${listed} are listed`] : [];

/** Runs every check: no finding, nothing green that is undecided, nothing left that is not listed; all decided but for one request. */
export const faultsOfContract = async (subject: Case): Promise<Fault[]> => {
  const ran = await withCase(subject, runChecks);
  const faults = [...tooLong(ran), ...unlisted(ran)];
  if (ran.result === undefined) return faults; // it said that nothing can be tested
  const { exitCode } = summarise(ran.result, true);
  const { verdicts } = ran.result;
  const findings = verdicts.filter(({ status }) => ['fail', 'warn', 'error'].includes(status));
  return [
    ...faults,
    ...findings.map(({ check, status, reason }) => `${status} ${check.id}: ${reason}`),
    ...(exitCode === exitCodes.conforms && verdicts.some(isUndecided) ? ['green, and not decided'] : []),
    ...(subject.outage.single && exitCode === exitCodes.couldNotTest
      ? ['one request left checks undecided']
      : []),
    ...(findings.length === 0 && exitCode !== exitCodes.conforms && exitCode !== exitCodes.couldNotTest
      ? [`exit code ${exitCode}`]
      : []),
  ];
};

/** Asks every question: no answer that the service does not give when it is left alone. */
export const faultsOfObserve = async (subject: Case): Promise<Fault[]> => {
  const ran = await withCase(subject, (target) =>
    inRun(target, 'observe', (shared) => observe(shared, probes)),
  );
  const expected = expectedAnswersOf(subject.deployment.id);
  const wrong = (ran.result?.results ?? []).flatMap((result) => {
    if (result.status !== 'answered') return [];
    const { id } = result.question;
    return result.answer === expected[id] ? [] : [`${id} is ${expected[id]}, observed ${result.answer}`];
  });
  return [...tooLong(ran), ...unlisted(ran), ...wrong];
};

/** The checks that a broken server passes when it is left alone, by its id: one run for all its cases. */
const passedAlone = new Map<string, Promise<string[]>>();

const passedWithoutOutage = (subject: Case): Promise<string[]> => {
  const { id } = subject.deployment;
  const untroubled: Outage = { ...subject.outage, act: () => ({ do: 'forward' }) };
  const passed =
    passedAlone.get(id) ??
    withCase({ ...subject, outage: untroubled }, runChecks).then((ran) => checksIn(ran, ['pass']));
  passedAlone.set(id, passed);
  return passed;
};

/** What a broken server breaks is found when it shows before the trouble, and the trouble adds nothing to it. */
export const faultsOfBroken = async (subject: Case): Promise<Fault[]> => {
  // On a busy machine a check may be undecided without an outage too.
  const passed = await passedWithoutOutage(subject);
  const ran = await withCase(subject, runChecks);
  const found = checksIn(ran, ['fail', 'warn']);
  return [
    ...tooLong(ran),
    ...unlisted(ran),
    // What was seen once before the trouble could not be confirmed any more.
    ...(found.length === 0 && checksIn(ran, ['unstable']).length === 0
      ? ['what is broken was not found']
      : []),
    ...found.filter((id) => passed.includes(id)).map((id) => `${id} shows only with the outage`),
  ];
};

const checksIn = ({ result }: Ran<Run>, statuses: readonly string[]): string[] =>
  (result?.verdicts ?? []).filter(({ status }) => statuses.includes(status)).map(({ check }) => check.id);

/** One case of each outage, chosen by the seed. */
export const sampleOf = (cases: readonly Case[], seed: number): Case[] => {
  const random = createRandom(seed);
  return outages.flatMap(({ id }) => {
    const own = cases.filter(({ outage }) => outage.id === id);
    return own[Math.floor(random() * own.length)] ?? [];
  });
};
