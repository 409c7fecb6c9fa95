// Ways to stop answering × the moment it begins × servers: nothing green that is undecided, nobody blamed, nothing lost.
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../../mock/testing/scale.ts';
import { checks } from '../../checks/index.ts';
import { createLedger } from '../../client/ledger.ts';
import { everythingPermitted } from '../../client/permissions.ts';
import { observe } from '../../questions/observe.ts';
import { probes } from '../../questions/probes/index.ts';
import { CannotTest } from '../../runner/preflight.ts';
import { inRun, type Run, type TargetOptions } from '../../runner/run.ts';
import { exitCodes, isUndecided, summarise } from '../../runner/summary.ts';
import { runOn } from '../../testing/run-on.ts';
import { expectedAnswersOf } from '../expected-answers.ts';
import { startFront } from '../outages/front.ts';
import { type Outage, outages } from '../outages/outage.ts';
import { differencesIn } from '../round-trip.ts';
import { refuse, refuseWhere } from '../server/mutation.ts';
import type { Call, Deployment } from '../server/types.ts';
import { outcomeOf, runContract, targetOf } from '../suite-result.ts';
import { serverNamed } from './sample.ts';

/** An outage that begins at one moment of a run against one server. */
type Case = {
  readonly outage: Outage;
  /** Number of the first request concerned. */
  readonly start: number;
  readonly deployment: Deployment;
};

const caseName = ({ outage, start, deployment }: Case): string =>
  outage.timed ? `${outage.id} from request ${start} on, ${deployment.id}` : `${outage.id}, ${deployment.id}`;

/**
 * Short enough for a proof with many cases, and long enough for a busy machine, on which a response may take seconds; the shapes
 * of the waits are the same.
 */
const limits = { timeout: 6000, maxWait: 15_000 };

/** The nth of some servers, which take turns. */
const serverAt = (servers: readonly string[], nth: number): Deployment =>
  serverNamed(servers[nth % servers.length] ?? '');

const bases = ['plain', 'refusals-at-200', 'strict-fields', 'integer-ids', 'python-style'] as const;

/** From the first request on, in discovery, and among the checks of everything. */
const moments = [1, 6, 40, 140, 330] as const;

/** Every outage at every moment, a little later each time, in front of the servers by turns. @param turn who begins */
const casesFor = (turn: number): Case[] =>
  outages.flatMap((outage, row) =>
    moments.map((moment, column) => ({
      outage,
      start: outage.timed && moment > 1 ? moment + ((row + turn) % 5) : 1,
      deployment: serverAt(bases, outage.timed ? row * 2 + column + turn : column),
    })),
  );

/**
 * What they break shows in discovery, before the trouble begins, and always in the same checks: which check the later effect of a
 * wrong text belongs to depends on the scenarios that run at the same time.
 */
const brokenServers = [
  'Add lead answers 201',
  'Update lead succeeds without the field error',
  'Templates have name null',
  'Delete lead succeeds with error null',
];

const brokenCases: readonly Case[] = outages
  .filter(({ timed }) => timed)
  .map((outage, row) => ({
    outage,
    start: 30 + ((row * 61) % 200),
    deployment: serverAt(brokenServers, row),
  }));

/** What is wrong with how the suite took a case; nothing is the claim. */
type Fault = string;

type Ran<Result> = { readonly result?: Result; readonly left: number; readonly listed: number };

const withCase = async <Result>(
  { outage, start, deployment }: Case,
  run: (target: TargetOptions) => Promise<Result>,
): Promise<Ran<Result>> => {
  const running = await startFront(deployment, outage, start);
  const ledger = createLedger();
  const counts = (): Omit<Ran<Result>, 'result'> => ({
    left: running.leads(),
    listed: ledger.open().length + ledger.lost(),
  });
  try {
    const result = await run({ ...targetOf(running), ledger, permissions: everythingPermitted, ...limits });
    return { result, ...counts() };
  } catch (error) {
    if (!(error instanceof CannotTest)) throw error;
    return counts();
  } finally {
    await running.close();
  }
};

const runChecks = (target: TargetOptions): Promise<Run> => runContract({ ...target, checks });

/** Those that are there. */
const faultsIn = (faults: Readonly<Record<Fault, boolean>>): Fault[] =>
  Object.keys(faults).filter((fault) => faults[fault]);

/** A run that waits without a bound, or leaves leads that it does not list. */
const faultsOfAny = ({ result, left, listed }: Ran<{ readonly waitedMs: number }>): Fault[] => {
  const { waitedMs = 0 } = result ?? {};
  return faultsIn({
    // Twice the limit, because the timers of a busy machine are late.
    [`it waited ${Math.round(waitedMs)} ms`]: waitedMs > 2 * limits.maxWait,
    [`${left} leads are left and ${listed} are listed`]: left > listed,
  });
};

/** Runs every check: no finding, nothing green that is undecided, nothing left that is not listed; all decided but for one request. */
const faultsOfContract = async (subject: Case): Promise<Fault[]> => {
  const ran = await withCase(subject, runChecks);
  if (ran.result === undefined) return faultsOfAny(ran); // it said that nothing can be tested
  const { exitCode } = summarise(ran.result, true);
  const { conforms, couldNotTest } = exitCodes;
  const { findings } = outcomeOf(ran.result);
  return [
    ...faultsOfAny(ran),
    ...findings.map(({ check, level, reason }) => `${level} ${check}: ${reason}`),
    ...faultsIn({
      'green, and not decided': exitCode === conforms && ran.result.verdicts.some(isUndecided),
      'one request left checks undecided': subject.outage.single === true && exitCode === couldNotTest,
      [`exit code ${exitCode}`]: findings.length === 0 && ![conforms, couldNotTest].includes(exitCode as 0),
    }),
  ];
};

/** Asks every question: no answer that the service does not give when it is left alone. */
const faultsOfObserve = async (subject: Case): Promise<Fault[]> => {
  const ran = await withCase(subject, (target) =>
    inRun(target, 'observe', (shared) => observe(shared, probes)),
  );
  const results = (ran.result?.results ?? []).filter(({ status }) => status === 'answered');
  return [...faultsOfAny(ran), ...differencesIn(results, expectedAnswersOf(subject.deployment.id))];
};

const checksIn = ({ result }: Ran<Run>, statuses: readonly string[]): string[] =>
  (result?.verdicts ?? []).filter(({ status }) => statuses.includes(status)).map(({ check }) => check.id);

const hasSeenOnce = ({ result }: Ran<Run>): boolean =>
  result?.verdicts.some(({ reason }) => reason?.startsWith('seen once')) ?? false;

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
const faultsOfBroken = async (subject: Case): Promise<Fault[]> => {
  // On a busy machine a check may be undecided without an outage too.
  const passed = await passedWithoutOutage(subject);
  const ran = await withCase(subject, runChecks);
  const found = checksIn(ran, ['fail', 'warn']);
  return [
    ...faultsOfAny(ran),
    // What was seen once before the trouble could not be confirmed any more.
    ...faultsIn({ 'what is broken was not found': found.length === 0 && !hasSeenOnce(ran) }),
    ...found.filter((id) => passed.includes(id)).map((id) => `${id} shows only with the outage`),
  ];
};

/** To save time, a part of the cases: what a run concludes from an outage that ends depends most on the moment. */
const ofContract = casesFor(1).filter(({ outage }, index) => outage.ends === true || index % 2 === 0);
const ofObserve = casesFor(2).filter((_, index) => index % 4 === 0);

const proofs: readonly [string, readonly Case[], (subject: Case) => Promise<Fault[]>][] = [
  ['contract blames the service for nothing', ofContract, faultsOfContract],
  ['observe reports no wrong answer', ofObserve, faultsOfObserve],
  ['a broken server is found all the same', brokenCases, faultsOfBroken],
];

describe.concurrent.each(proofs)('%s', (_title, cases, faultsOf) => {
  const chosen = isWhole ? cases : cases.slice(3, 4);
  test.each(chosen.map((subject) => [caseName(subject), subject] as const))('%s', async (_, subject) => {
    expect(await faultsOf(subject)).toEqual([]);
  });
});

test.concurrent('mails that fail in the first seconds of a run are no finding', async () => {
  const times: number[] = [];
  const isDown = ({ at }: Call): boolean => times.push(at) > 0 && at < Number(times[0]) + 14_000;
  const mutation = refuseWhere('sendEmail', refuse(502, 'no provider'), isDown);
  const { verdicts } = await runOn(['email.send.success'], { mutation });
  expect(verdicts).toMatchObject([{ status: 'unstable' }]);
});
