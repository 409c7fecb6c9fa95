import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checks, usualChecks } from '../checks/index.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { embeddedTarget } from '../session/target.ts';
import type { BrokenDeployment } from './broken/mutation.ts';
import { broken, unfound } from './broken.ts';
import { conforming } from './conforming/index.ts';
import { grid, isHeldOut } from './grid/grid.ts';
import type { Deployment } from './server/types.ts';
import {
  exitCodeOf,
  isFound,
  type Outcome,
  proofSentence,
  runContract,
  runSuiteOnAll,
} from './suite-result.ts';

const repeats = 100;

const isMissed = ({ deployment, row }: Outcome<BrokenDeployment>): boolean => !isFound(deployment, row);

/** Found, but by none of the checks that it is said to break. */
const isFoundByOthers = ({ deployment, row }: Outcome<BrokenDeployment>): boolean =>
  !unfound.has(deployment.id) && !row.findings.some(({ check }) => deployment.breaks.includes(check));

const isFalseAlarm = ({ deployment, row }: Outcome): boolean => row.strictExitCode !== exitCodeOf(deployment);

const printTable = <D extends Deployment>(
  title: string,
  outcomes: readonly Outcome<D>[],
  isWrong: (outcome: Outcome<D>) => boolean,
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
    `\n${[...new Set([deployment.id, deployment.title])].join(': ')}\n  exit ${row.exitCode}, strict ${row.strictExitCode}, ${Math.round(row.ms)} ms: ${row.headline}`,
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

/** Runs everything on these servers, and takes those results. */
const runThoroughly = async (
  outcomes: readonly Outcome<BrokenDeployment>[],
  isDue: (outcome: Outcome<BrokenDeployment>) => boolean,
): Promise<Outcome<BrokenDeployment>[]> => {
  const due = outcomes.filter(isDue).map(({ deployment }) => deployment);
  const again = await runSuiteOnAll(due, checks, true);
  return outcomes.map(
    (outcome) => again.find(({ deployment }) => deployment === outcome.deployment) ?? outcome,
  );
};

const thoroughChecks: ReadonlySet<string> = new Set(
  checks.filter(({ thorough }) => thorough).map(({ id }) => id),
);

/** Said to break a check that only a thorough run has. */
const breaksThoroughCheck = ({ deployment }: Outcome<BrokenDeployment>): boolean =>
  deployment.breaks.some((id) => thoroughChecks.has(id));

/** Runs the suite as users do, and everything where that finds nothing, or not what it should. */
const runOnBroken = async (
  deployments: readonly BrokenDeployment[],
): Promise<Outcome<BrokenDeployment>[]> => {
  const usual = await runSuiteOnAll(deployments, usualChecks);
  console.log(
    `${usual.filter(isMissed).length} of ${usual.length} found only by a thorough run, or not at all`,
  );
  return runThoroughly(
    usual,
    (outcome) => isMissed(outcome) || isFoundByOthers(outcome) || breaksThoroughCheck(outcome),
  );
};

/** Checks that find nothing on the servers that are said to break them. */
const checksWithoutFinder = (outcomes: readonly Outcome<BrokenDeployment>[]): string[] =>
  checks
    .map(({ id }) => id)
    .filter(
      (id) =>
        !outcomes.some(
          ({ deployment, row }) =>
            deployment.breaks.includes(id) && row.findings.some(({ check }) => check === id),
        ),
    );

/** How many servers of the grid are found, one line for each half. Of the held-out half nothing else is shown. */
const printGrid = (outcomes: readonly Outcome<BrokenDeployment>[]): void => {
  const halves = [
    ['grid', outcomes.filter(({ deployment }) => !isHeldOut(deployment))],
    ['grid, held out', outcomes.filter(({ deployment }) => isHeldOut(deployment))],
  ] as const;
  for (const [name, half] of halves)
    console.log(`${name.padEnd(28)}${half.length} servers, ${half.filter(isMissed).length} missed`);
};

const page = 'contract-tests/README.md';

/**
 * `npm run kill-matrix [-- PATTERN] [--json FILE]`: runs every check against every conforming and every broken server and the grid,
 * prints the tables, and writes the score into the page of the suite. With a pattern only servers whose id, title or checks match, in
 * detail, without the page. `--json` writes one row per server, to compare two versions of the suite. The grid does not change the
 * exit code.
 */
export const main = async (): Promise<void> => {
  const options = { json: { type: 'string' } } as const;
  const {
    values: { json },
    positionals: [pattern],
  } = parseArgs({ options, allowPositionals: true });
  const select = <D extends Deployment & { readonly breaks?: readonly string[] }>(
    all: readonly D[],
  ): readonly D[] =>
    pattern === undefined
      ? all
      : all.filter(({ id, breaks = [] }) => new RegExp(pattern).test([id, ...breaks].join(' ')));
  const good = await runSuiteOnAll(select(conforming), usualChecks);
  const bad = await runOnBroken(select(broken));
  const ofGrid = await runSuiteOnAll(select(grid), usualChecks);
  if (json !== undefined)
    writeFileSync(
      json,
      JSON.stringify([...good.map(rowOf), ...[...bad, ...ofGrid].map(rowOfBroken)], undefined, 2),
    );
  const alarms = good.filter(isFalseAlarm);
  const missed = bad.filter(isMissed);
  const seen = ofGrid.filter(({ deployment }) => !isHeldOut(deployment));
  for (const outcome of pattern === undefined ? [...alarms, ...missed] : [...good, ...bad, ...seen])
    printDetail(outcome);
  printTable('conforming', good, isFalseAlarm, 'false alarms');
  printTable('broken', bad, isMissed, 'missed');
  printGrid(ofGrid);
  for (const { deployment } of bad.filter(isFoundByOthers))
    console.log(`${deployment.id} is not found by ${deployment.breaks.join(' or ')}`);
  const idle = pattern === undefined ? checksWithoutFinder(bad) : [];
  for (const id of idle) console.log(`${id} finds none of the servers that break it`);
  const differing = pattern === undefined ? await differingRepeats() : 0;
  const score = { good: good.length, alarms: alarms.length, bad: bad.length, missed: missed.length };
  const sentence = `${proofSentence(score)}; of the grid, missed ${ofGrid.filter(isMissed).length}/${ofGrid.length}`;
  console.log(`\n${sentence}; ${repeats} runs on the mock, ${differing} of them different`);
  if (pattern === undefined)
    writeFileSync(page, readFileSync(page, 'utf8').replace(/(?<=<!-- proof -->).*?(?=<!-- )/, sentence));
  process.exitCode = alarms.length + missed.length + idle.length + differing > 0 ? 1 : 0;
};

/** What two versions of the suite are compared by. */
const rowOf = ({ deployment, row }: Outcome) => ({
  id: deployment.id,
  group: deployment.group,
  exitCode: row.exitCode,
  strictExitCode: row.strictExitCode,
  findings: row.findings.map(({ check, level }) => `${level} ${check}`),
  undecided: row.undecided.length,
  requests: row.requests,
  mails: row.mails,
  ms: Math.round(row.ms),
});

const rowOfBroken = (outcome: Outcome<BrokenDeployment>) => ({
  ...rowOf(outcome),
  breaks: outcome.deployment.breaks,
  isFound: !isMissed(outcome),
});
