import { writeFileSync } from 'node:fs';
import { checks, usualChecks } from '../checks/index.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { runContract } from '../runner/run.ts';
import { embeddedTarget } from '../session/target.ts';
import { chooseFinders } from './finders.ts';
import { grid, isHeldOut } from './grid/grid.ts';
import { chooseSample } from './sample.ts';
import type { Deployment } from './server/types.ts';
import { broken, conforming } from './servers.ts';
import { exitCodeOf, isKilled, type Outcome, proofSentence, runSuiteOnAll } from './suite-result.ts';

const repeats = 100;

const isMissed = ({ deployment, row }: Outcome): boolean => !isKilled(deployment, row);

const isFalseAlarm = ({ deployment, row }: Outcome): boolean => row.strictExitCode !== exitCodeOf(deployment);

const printTable = (
  title: string,
  outcomes: readonly Outcome[],
  isWrong: (outcome: Outcome) => boolean,
  word: string,
): void => {
  console.log(`\n${title.padEnd(28)}servers  ${word}`);
  for (const group of [...new Set(outcomes.map(({ deployment }) => deployment.group))]) {
    const members = outcomes.filter(({ deployment }) => deployment.group === group);
    console.log(
      `${group.padEnd(28)}${String(members.length).padStart(7)}  ${members.filter(isWrong).length}`,
    );
  }
};

const printDetail = ({ deployment, row }: Outcome): void => {
  console.log(
    `\n${deployment.id}: ${deployment.title}\n  exit ${row.exitCode}, strict ${row.strictExitCode}, ${Math.round(row.ms)} ms: ${row.headline}`,
  );
  for (const { check, level, reason } of row.findings) console.log(`  ${level} ${check}: ${reason}`);
  for (const line of row.undecided) console.log(`  ${line}`);
};

/** The statuses of every check, in many runs on one mock: they must be the same every time. */
const differingRepeats = async (): Promise<number> => {
  const target = await embeddedTarget();
  const seen = new Set<string>();
  for (let round = 0; round < repeats; round += 1) {
    const { verdicts } = await runContract({ ...target, permissions: everythingPermitted, checks });
    seen.add(verdicts.map(({ check, status }) => `${check.id} ${status}`).join());
  }
  await target.close();
  return seen.size - 1;
};

const writeJson = (name: string, value: unknown): void =>
  writeFileSync(`contract-tests/proof/${name}.json`, `${JSON.stringify(value, null, 2)}\n`);

/** Writes the servers that show each check, and those that the proof takes. `npx biome check --write` formats them. */
const writeFinders = (outcomes: readonly Outcome[]): void => {
  const finders = chooseFinders(outcomes);
  writeJson('finders', finders);
  writeJson('sample', chooseSample(new Map(Object.entries(finders))));
};

/** The sections of the checks that find nothing on these servers. */
const sectionsWithoutFinder = (outcomes: readonly Outcome[]): ReadonlySet<string> => {
  const found = new Set(outcomes.flatMap(({ row }) => row.findings.map(({ check }) => check)));
  return new Set(checks.filter(({ id }) => !found.has(id)).map(({ section }) => section));
};

/** Runs everything on these servers, and takes those results. */
const runThoroughly = async (
  outcomes: readonly Outcome[],
  isDue: (outcome: Outcome) => boolean,
): Promise<Outcome[]> => {
  const due = outcomes.filter(isDue).map(({ deployment }) => deployment);
  const again = await runSuiteOnAll(due, () => checks, true);
  return outcomes.map(
    (outcome) => again.find(({ deployment }) => deployment === outcome.deployment) ?? outcome,
  );
};

/** Runs the suite as users do, and everything where that finds nothing, or where it may show what a thorough run alone checks. */
const runOnBroken = async (deployments: readonly Deployment[]): Promise<Outcome[]> => {
  const usual = await runSuiteOnAll(deployments, () => usualChecks);
  console.log(
    `${usual.filter(isMissed).length} of ${usual.length} found only by a thorough run, or not at all`,
  );
  const found = await runThoroughly(usual, isMissed);
  const sections = sectionsWithoutFinder(found);
  return runThoroughly(found, (outcome) => {
    const { violates } = outcome.deployment;
    return violates !== undefined && sections.has(violates.section) && !isMissed(outcome);
  });
};

/** How many servers of the grid are found, one line for each half. Of the held-out half nothing else is shown. */
const printGrid = (outcomes: readonly Outcome[]): void => {
  const halves = [
    ['grid', outcomes.filter(({ deployment }) => !isHeldOut(deployment))],
    ['grid, held out', outcomes.filter(({ deployment }) => isHeldOut(deployment))],
  ] as const;
  for (const [name, half] of halves)
    console.log(`${name.padEnd(28)}${half.length} servers, ${half.filter(isMissed).length} missed`);
};

type MatrixOptions = {
  /** Only servers whose id matches, in detail, without writing files. */
  readonly pattern?: string | undefined;
  /** Path of a file for one row per server. */
  readonly json?: string | undefined;
};

/**
 * Runs every check against every conforming and every broken server and the grid, prints the tables, and writes the
 * servers that show each check. Returns the exit code, which the grid does not change, and the score in one phrase.
 */
export const runKillMatrix = async ({
  pattern,
  json,
}: MatrixOptions): Promise<{ readonly exitCode: number; readonly sentence: string }> => {
  const select = <D extends Deployment>(all: readonly D[]): readonly D[] =>
    pattern === undefined ? all : all.filter(({ id }) => new RegExp(pattern).test(id));
  const good = await runSuiteOnAll(select(conforming), () => usualChecks);
  const bad = await runOnBroken(select(broken));
  const ofGrid = await runSuiteOnAll(select(grid), () => usualChecks);
  if (json !== undefined)
    writeFileSync(json, JSON.stringify([...good, ...bad, ...ofGrid].map(rowOf), undefined, 2));
  const alarms = good.filter(isFalseAlarm);
  const missed = bad.filter(isMissed);
  const seen = ofGrid.filter(({ deployment }) => !isHeldOut(deployment));
  for (const outcome of pattern === undefined ? [...alarms, ...missed] : [...good, ...bad, ...seen])
    printDetail(outcome);
  printTable('conforming', good, isFalseAlarm, 'false alarms');
  printTable('broken', bad, isMissed, 'missed');
  printGrid(ofGrid);
  const differing = pattern === undefined ? await differingRepeats() : 0;
  const score = { good: good.length, alarms: alarms.length, bad: bad.length, missed: missed.length };
  const sentence = `${proofSentence(score)}; of the grid, missed ${ofGrid.filter(isMissed).length}/${ofGrid.length}`;
  console.log(`\n${sentence}; ${repeats} runs on the mock, ${differing} of them different`);
  if (pattern === undefined) writeFinders(bad);
  return { exitCode: alarms.length + missed.length + differing > 0 ? 1 : 0, sentence };
};

/** What two versions of the suite are compared by. */
const rowOf = ({ deployment, row }: Outcome) => ({
  id: deployment.id,
  group: deployment.group,
  violates: deployment.violates,
  isFound: deployment.violates ? isKilled(deployment, row) : undefined,
  exitCode: row.exitCode,
  strictExitCode: row.strictExitCode,
  findings: row.findings.map(({ check, level }) => `${level} ${check}`),
  undecided: row.undecided.length,
  requests: row.requests,
  mails: row.mails,
  ms: Math.round(row.ms),
});
